/** Numbers beyond what a double holds come through JSON with all of their digits. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExactNumber, parseExactly, parseWhole } from '../../../shared/json/exact-number.ts'

test('every number is written as it was read, in value, and is a double if one holds it', () => {
  const digits = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 })
    .map((all) => all.join(''))
  const number = fc
    .tuple(fc.boolean(), digits, fc.option(digits), fc.option(fc.integer({ min: -20, max: 20 })))
    .map(([negative, whole, fraction, exponent]) => {
      const start = whole.replace(/^0+(?=.)/, '')
      return `${negative ? '-' : ''}${start}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`
    })
  /** The digits of its value, and the place of the point. */
  const value = (source: string): string => {
    const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
    const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
    const scaled = BigInt(`${whole}${fraction}`) * 10n ** BigInt(Number(exponent) - fraction.length + 400)
    return `${scaled === 0n ? '' : mantissa.startsWith('-') ? '-' : ''}${scaled}`
  }
  fc.assert(
    fc.property(number, (source) => {
      const parsed = parseExactly(source)
      const double = Number(source)
      const isWhole = /^-?\d+$/.test(source)
      const isHeld = value(String(double)) === value(source) || (isWhole && BigInt(double) === BigInt(source))
      // Zeros of many digits keep their sign.
      if (double !== 0) expect(parsed instanceof ExactNumber).toBe(!isHeld)
      expect(parseWhole(source)).toBe(isWhole && !isHeld ? Math.sign(double) * Infinity : double)
      const written = JSON.stringify({ n: [parseExactly(`{"n": ${source}}`)] })
      const [, again = ''] = /:(-?[0-9.eE+-]+)\}/.exec(written) ?? []
      expect(value(again)).toBe(value(source))
    }),
    { numRuns: 2000 },
  )
})

test('numbers that a double holds stay numbers', () => {
  expect(
    parseExactly('[1, 9007199254740991, 0.1, 1e300, 123456789012345, 9007199254740992, 0.30000000000000004]'),
  ).toEqual([1, 9007199254740991, 0.1, 1e300, 123456789012345, 9007199254740992, 0.30000000000000004])
  const [large] = parseExactly('[9007199254740993]') as [ExactNumber]
  expect(large).toBeInstanceOf(ExactNumber)
  expect(`${large}`).toBe('9007199254740993')
  expect(JSON.stringify([large])).toBe('[9007199254740993]')
})

test('the rest of a text does not decide what a number is', () => {
  for (const source of ['1.100045671e-400', '9007199254740993', '0.123456789012345678'])
    expect(JSON.stringify(parseExactly(`[${source},1000005523456789]`))).toBe(
      JSON.stringify([parseExactly(source), 1000005523456789]),
    )
})

test('a whole number that would be rounded is marked, and nothing else of its text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', '\\', ':', ' ', '9007199254740993') }), (text) => {
      const others = { [text]: [text, { text }], double: 9007199254740992, half: 0.9007199254740993 }
      const written = JSON.stringify(others)
      expect(parseWhole(`[${written},-9007199254740993,${written}]`)).toEqual([others, -Infinity, others])
    }),
  )
})

test.each(['--9007199254740993', '[09007199254740993]', '["9007199254740993', '9007199254740993"'])(
  'what is no JSON stays none: %s',
  (text) => {
    expect(() => parseWhole(text)).toThrow(SyntaxError)
  },
)
