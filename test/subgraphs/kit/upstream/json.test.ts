import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { mayBeJson, parseBody, parseJson } from '../../../../subgraphs/kit/upstream/json.ts'

function hasProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey)
}

test('JSON without a key __proto__ comes back as it is', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!hasProtoKey(JSON.parse(text)))
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('no key __proto__ survives, however deep and however escaped', () => {
  const letter = (char: string) => {
    const hex = char.charCodeAt(0).toString(16).padStart(4, '0')
    return fc.constantFrom(char, `\\u${hex}`, `\\u${hex.toUpperCase()}`)
  }
  const key = fc.tuple(...[...'__proto__'].map(letter)).map((letters) => letters.join(''))
  const space = fc.constantFrom('', ' ', '\n\t')
  fc.assert(
    fc.property(key, space, fc.nat(5), (name, gap, depth) => {
      let text = `{"keep":1,"${name}"${gap}:{"polluted":true}}`
      for (let i = 0; i < depth; i++) text = i % 2 === 0 ? `[${text}]` : `{"in":${text}}`
      const value = parseJson(text)
      expect(hasProtoKey(value)).toBe(false)
      expect(JSON.stringify(value)).toContain('"keep":1')
      expect(JSON.stringify(value)).not.toContain('polluted')
    }),
  )
})

test('the words __proto__ in a string are left alone', () => {
  expect(parseJson('{"text":"the key __proto__: is one"}')).toEqual({ text: 'the key __proto__: is one' })
})

test('a byte order mark is skipped', () => {
  expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 })
})

test('what is no JSON throws', () => {
  expect(() => parseJson('<html>')).toThrow(SyntaxError)
})

test.each([
  ['application/json', true],
  ['application/json; charset=UTF-8', true],
  ['Application/JSON', true],
  ['application/problem+json', true],
  ['text/json', true],
  [undefined, true],
  ['text/html', false],
  ['text/plain; charset=utf-8', false],
  ['application/jsonp', false],
  ['application/octet-stream', false],
])('the content type %s may be JSON: %s', (type, may) => {
  expect(mayBeJson(type)).toBe(may)
})

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
        expect(outcome(() => parseBody(body))).toBe(outcome(() => JSON.parse(text)))
      }),
      { numRuns: 300 },
    )
  })

  test('that is no UTF-8, or begins with a mark, is taken like any other', () => {
    const text = JSON.stringify(['é', 'x'.repeat(80_000), '—'])
    expect(parseBody(Buffer.from(`\ufeff${text}`))).toEqual(JSON.parse(text))
    const foreign = Buffer.from(text.replace('—', 'ü'), 'latin1')
    expect(parseBody(foreign)).toEqual(JSON.parse(foreign.toString()))
  })

  test('that is no JSON does not become some', () => {
    const around = (inside: string) => Buffer.from(`["${'x'.repeat(80_000)}","${inside}"]`)
    expect(parseBody(around('\\\\—'))).toEqual(['x'.repeat(80_000), '\\—'])
    for (const inside of ['\\—', '\\é', '\\\\\\—', '",—,"'])
      expect(() => parseBody(around(inside)), inside).toThrow(SyntaxError)
  })
})

describe('whole numbers beyond 2^53', () => {
  const digits = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String)

  test('keep all their digits, wherever they stand and however the text is laid out', () => {
    const space = fc.constantFrom('', ' ', '\n', '\t ')
    fc.assert(
      fc.property(fc.array(digits, { maxLength: 6 }), space, fc.nat(40), (numbers, gap, before) => {
        const items = numbers.map((number) => `${gap}${number}${gap}`).join(',')
        const text = `{"pad":"${'x'.repeat(before)}","list":[${items}],"last":${gap}${numbers[0] ?? 0}}`
        const { list, last } = parseBody(Buffer.from(text)) as { list: unknown[]; last: unknown }
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
          expect(parseBody(Buffer.from(text))).toEqual(JSON.parse(text))
        },
      ),
    )
  })

  test('are read with the digits that a text or a number needs', () => {
    const body = parseBody(Buffer.from('{"n":9007199254740993}')) as { n: object }
    expect([`${body.n}`, Number(body.n), JSON.stringify(body)]).toEqual([
      '9007199254740993',
      9007199254740992,
      '{"n":9007199254740993}',
    ])
  })

  test('are not looked for one by one where ids stand in texts and addresses only', () => {
    const id = '1234567890123456789'
    const text = JSON.stringify({
      id,
      text: `${id}: see ${id} and https://x.example/status/${id}?at=-${id}`,
      list: [id],
    })
    const parse = vi.spyOn(JSON, 'parse')
    try {
      expect(parseBody(Buffer.from(text))).toMatchObject({ id })
      expect(parse.mock.calls.map(({ length }) => length)).toEqual([1])
      expect(String(parseBody(Buffer.from(`\ufeff-${id}`)))).toBe(`-${id}`)
      expect(String(parseBody(Buffer.from(` ${id}`)))).toBe(id)
    } finally {
      parse.mockRestore()
    }
  })
})
