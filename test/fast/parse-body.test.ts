import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { parseQuickly } from '../../fast/parse-body/index.ts'
import { parseBody } from '../../subgraphs/kit/rest-client/json.ts'

const ways = [
  ['plainly', parseBody],
  ['quickly', parseQuickly],
] as const

describe('a body', () => {
  const outcome = (parse: () => unknown): unknown => {
    try {
      return JSON.stringify(parse())
    } catch {
      return 'no JSON'
    }
  }
  const letters = fc.array(
    fc.oneof(
      fc.constantFrom('é', '—', '€', '😀', '\u2028', '\ufeff', '\\', '"', '\\u2014', '\x7f'),
      fc.string(),
    ),
    { maxLength: 40 },
  )
  const bodies = fc.record({
    texts: fc.array(
      letters.map((all) => all.join('')),
      { maxLength: 30 },
    ),
    escaped: fc.boolean(),
    filling: fc.constantFrom('a', 'é', '—'),
    kilobytes: fc.constantFrom(1, 63, 64, 65, 90, 127, 128, 129, 200),
    offset: fc.nat({ max: 7 }),
  })

  test('says the same, however its letters are held', () => {
    fc.assert(
      fc.property(bodies, ({ texts, escaped, filling, kilobytes, offset }) => {
        // Not escaped, most of them are no JSON.
        const inside = escaped ? JSON.stringify(texts) : `["${texts.join('","')}"]`
        const full = Math.max(0, kilobytes * 1024 - Buffer.byteLength(inside))
        const some = `${filling}${'b'.repeat(100)}`
        const text = `[${inside},"${some.repeat(Math.floor(full / Buffer.byteLength(some)))}"]`
        const body = Buffer.alloc(Buffer.byteLength(text) + offset).subarray(offset)
        body.write(text)
        expect(outcome(() => parseQuickly(body))).toBe(outcome(() => parseBody(body)))
        expect(outcome(() => parseQuickly(body))).toBe(outcome(() => JSON.parse(text)))
      }),
      { numRuns: 300 },
    )
  })

  test('a body that is not UTF-8, or begins with a mark, is treated like any other', () => {
    const text = JSON.stringify(['é', 'x'.repeat(80_000), '—'])
    expect(parseQuickly(Buffer.from(`\ufeff${text}`))).toEqual(JSON.parse(text))
    const foreign = Buffer.from(text.replace('—', 'ü'), 'latin1')
    expect(parseQuickly(foreign)).toEqual(JSON.parse(foreign.toString()))
  })

  test('invalid JSON does not become valid', () => {
    const around = (inside: string) => Buffer.from(`["${'x'.repeat(80_000)}","${inside}"]`)
    expect(parseQuickly(around('\\\\—'))).toEqual(['x'.repeat(80_000), '\\—'])
    for (const inside of ['\\—', '\\é', '\\\\\\—', '",—,"'])
      expect(() => parseQuickly(around(inside)), inside).toThrow(SyntaxError)
  })
})

describe.each(ways)('whole numbers beyond 2^53, parsed %s,', (_, parse) => {
  const digits = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String)

  test('keep all their digits, at any place and in any layout', () => {
    const space = fc.constantFrom('', ' ', '\n', '\t ')
    fc.assert(
      fc.property(fc.array(digits, { maxLength: 6 }), space, fc.nat(40), (numbers, gap, before) => {
        const items = numbers.map((number) => `${gap}${number}${gap}`).join(',')
        const text = `{"pad":"${'x'.repeat(before)}","list":[${items}],"last":${gap}${numbers[0] ?? 0}}`
        const { list, last } = parse(Buffer.from(text)) as { list: unknown[]; last: unknown }
        expect(list.map(String)).toEqual(numbers)
        expect(String(last)).toBe(numbers[0] ?? '0')
        expect(JSON.stringify(list)).toBe(`[${numbers.join(',')}]`)
      }),
    )
  })

  test('leave every other number, text and fraction as JSON.parse reads them', () => {
    const value = fc.oneof(
      fc.maxSafeInteger(),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((number) => !/^-?\d{16}/.test(String(number))),
      digits.map((text) => `${text}`),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          value,
        ),
        (object) => {
          const text = JSON.stringify(object)
          expect(parse(Buffer.from(text))).toEqual(JSON.parse(text))
        },
      ),
    )
  })

  test('are read with the digits that a text or a number needs', () => {
    const body = parse(Buffer.from('{"n":9007199254740993}')) as { n: object }
    expect([`${body.n}`, Number(body.n), JSON.stringify(body)]).toEqual([
      '9007199254740993',
      9007199254740992,
      '{"n":9007199254740993}',
    ])
  })
})

test('ids in texts and addresses are no reason for a reviver', () => {
  const id = '1234567890123456789'
  const text = JSON.stringify({
    id,
    text: `${id}: see ${id} and https://x.example/status/${id}?at=-${id}`,
    list: [id],
  })
  const spy = vi.spyOn(JSON, 'parse')
  try {
    expect(parseQuickly(Buffer.from(text))).toMatchObject({ id })
    expect(spy.mock.calls.map(({ length }) => length)).toEqual([1])
    expect(String(parseQuickly(Buffer.from(`\ufeff-${id}`)))).toBe(`-${id}`)
    expect(String(parseQuickly(Buffer.from(` ${id}`)))).toBe(id)
  } finally {
    spy.mockRestore()
  }
})

test('a key __proto__ and broken JSON are taken as by the plain way', () => {
  const word = fc.constantFrom('__proto__', '\\u005f_proto__', '__p', 'a', '\\u00e9', '\\', '"', ':', ' ')
  const value = fc.constantFrom('1', '-9007199254740993', '"x"', '{}', '[]', 'null', '{"__proto__":{"a":1}}')
  const text = fc
    .array(fc.tuple(fc.array(word, { maxLength: 3 }), value), { maxLength: 5 })
    .map((members) => `{${members.map(([key, held]) => `"${key.join('')}":${held}`).join(',')}}`)
  const outcome = (parse: (body: Buffer) => unknown, body: Buffer): unknown => {
    try {
      return JSON.stringify(parse(body))
    } catch {
      return 'no JSON'
    }
  }
  fc.assert(
    fc.property(text, (each) => {
      const body = Buffer.from(each)
      expect(outcome(parseQuickly, body)).toBe(outcome(parseBody, body))
    }),
    { numRuns: 1000 },
  )
})
