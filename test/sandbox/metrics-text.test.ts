// Numbers, times, durations and regular expressions: what the metrics stand-in reads and writes as text.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationFrom, floatFrom, formatFloat, timestampFrom } from '../../sandbox/metrics/number.ts'
import { parseExpression } from '../../sandbox/metrics/promql/index.ts'
import { compileAnchored } from '../../sandbox/metrics/promql/selector.ts'

describe('numbers', () => {
  test('a printed float is read as the same value', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(floatFrom(formatFloat(value))).toBe(value)
      }),
    )
  })

  test.each([
    [1e-6, '0.000001'],
    [9.99e-7, '9.99e-07'],
    [1e20, '100000000000000000000'],
    [1e21, '1e+21'],
    [1e-100, '1e-100'],
    [55.199999999999996, '55.199999999999996'],
  ])('%d is written %s', (value, text) => {
    expect(formatFloat(value)).toBe(text)
  })

  test.each(['', ' 1', '1 ', '1_000', '0x1F', '1e', '--1', '+nan', '1e999', 'infinite'])(
    '%o is no float',
    (text) => {
      expect(floatFrom(text)).toBeUndefined()
    },
  )
})

// As Prometheus 2.42 says it.
describe('an expression that ends too early', () => {
  test.each([
    ['sum(up', '1:7: parse error: unclosed left parenthesis'],
    ['(up', '1:4: parse error: unclosed left parenthesis'],
    ['rate(up[5m]', '1:12: parse error: unclosed left parenthesis'],
    ['sum by (a', '1:10: parse error: unclosed left parenthesis'],
    ['topk(5, up', '1:11: parse error: unclosed left parenthesis'],
    ['up[5m', '1:6: parse error: unclosed left bracket'],
    ['sum(up{job="a"', '1:15: parse error: unexpected end of input inside braces'],
    ['up{', '1:4: parse error: unexpected end of input inside braces'],
    ['up +', '1:5: parse error: unexpected end of input'],
  ])('%s', (text, message) => {
    expect(() => parseExpression(text)).toThrow(new RegExp(`${message}$`))
  })
})

describe('long texts', () => {
  // A pattern that takes quadratic time does not end within the time of a test.
  test('a number of a million digits with a letter behind it is refused in linear time', () => {
    const text = `${'1'.repeat(1_000_000)}x`
    expect(floatFrom(text)).toBeUndefined()
    expect(durationFrom(text)).toBeUndefined()
    expect(timestampFrom(text)).toBeUndefined()
  })

  test('an expression within the bound is lexed in linear time, and a longer one is refused', () => {
    expect(() => parseExpression(`${'1'.repeat(65_000)}x`)).toThrow(/bad number or duration syntax/)
    expect(() => parseExpression('1'.repeat(65_537))).toThrow(/more than 65536 characters/)
    expect(() => parseExpression('-'.repeat(60_000))).toThrow(/nests too deeply/)
    expect(() => parseExpression('('.repeat(60_000))).toThrow(/nests too deeply/)
  })
})

describe('timestamps', () => {
  test.each([
    ['1e9', 1e12],
    ['1435781451.781', 1435781451781],
    ['0.0004', 0],
    ['2026-03-03T09:00:00Z', Date.UTC(2026, 2, 3, 9)],
    ['2026-03-03T09:00:00.25+01:30', Date.UTC(2026, 2, 3, 7, 30, 0, 250)],
    ['2026-03-03T09:00:00.123456789Z', Date.UTC(2026, 2, 3, 9, 0, 0, 123)],
    ['0099-01-01T00:00:00Z', Date.parse('0099-01-01T00:00:00Z')],
  ])('%s is %d milliseconds', (text, wanted) => {
    expect(timestampFrom(text)).toBe(wanted)
  })

  test.each([
    '',
    'now',
    '2026-03-03',
    '2026-03-03T09:00:00',
    '2026-02-30T00:00:00Z',
    '2026-03-03T24:00:00Z',
    '2026-03-03t09:00:00z',
    'NaN',
    '2026-03-03T09:00:00+0100',
  ])('%o is no timestamp', (text) => {
    expect(timestampFrom(text)).toBeUndefined()
  })
})

describe('durations', () => {
  test.each([
    ['30', 30_000],
    ['0.5', 500],
    ['1e3', 1_000_000],
    ['15s', 15_000],
    ['1h30m', 5_400_000],
    ['54s321ms', 54_321],
    ['1y2w3d4h5m6s7ms', 33_019_506_007],
    ['0', 0],
    ['-1', -1000],
  ])('%s is %d milliseconds', (text, wanted) => {
    expect(durationFrom(text)).toBe(wanted)
  })

  test.each(['', '1.5h', '1m1h', '5 m', '1h1h', 'm', '-5m', '300y', '1e30', 'NaN', '5M'])(
    '%o is no duration',
    (text) => {
      expect(durationFrom(text)).toBeUndefined()
    },
  )
})

describe('regular expressions', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '(?:ab)', 'x')
  const pattern = fc
    .array(fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '*?')), { maxLength: 5 })
    .map((parts) => parts.map(([one, times]) => one + times).join(''))
  const alternatives = fc.array(pattern, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|'))

  test('whole values match as in JavaScript, if both have the syntax', () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'b', 'x', '1', '_', '\n', '🙂'), maxLength: 8 })
    fc.assert(
      fc.property(alternatives, value, (source, text) => {
        expect(compileAnchored(source)(text)).toBe(new RegExp(`^(?:${source})$`, 'su').test(text))
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['(?i)Api-[0-9]+', 'aPI-12', true],
    ['(?i:a)b', 'AB', false],
    ['(?P<host>[a-z]+):\\d+', 'db:9187', true],
    ['[[:alpha:]_]+', 'a_b', true],
    ['[[:^alpha:]]+', '12', true],
    ['\\p{Greek}+', 'τέσσερα', true],
    ['\\Qa.b\\E+', 'a.bb', true],
    ['a\\-b\\:c', 'a-b:c', true],
    ['\\x{1F642}\\x41', '🙂A', true],
    ['(?-s)a.b', 'a\nb', false],
    ['', '', true],
    ['a||b', '', true],
    ['^a$', 'a', true],
    ['\\bab\\b', 'ab', true],
    ['a{,2}', 'a{,2}', true],
  ])('%s on %o is %s', (source, text, matches) => {
    expect(compileAnchored(source)(text)).toBe(matches)
  })

  test.each([
    '(',
    ')',
    'a(?=b)',
    '(?<!a)b',
    '(a)\\1',
    '*a',
    'a**',
    '[b-a]',
    '[a',
    'a{1001}',
    'a{3,2}',
    '\\',
    '\\y',
    '\\p{Klingon}',
    '[[:nope:]]',
  ])('%s is refused, as RE2 does', (source) => {
    expect(() => compileAnchored(source)).toThrow(/^error parsing regexp: /)
  })
})
