/** Raw JSON: what `splitJson` takes is exactly what `JSON.parse` takes, and nothing in it reaches outside. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RawJson, splitJson, stringifyRaw } from '../../../shared/json/raw.ts'
import { textOf } from '../../support/sent-json.ts'

function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Checks one text against `JSON.parse`, whatever it is. */
function agrees(text: string): void {
  const expected = parsedObject(text)
  const split = splitJson(text, 'data')
  if (expected === undefined) {
    expect(split, text).toBeUndefined()
    return
  }
  expect(split, text).toBeDefined()
  const hasData = Object.hasOwn(expected, 'data')
  expect(split?.raw !== undefined).toBe(hasData)
  if (hasData) expect(JSON.stringify(split?.raw)).toBe(JSON.stringify(expected.data))
  const { data: _, ...rest } = expected
  const others = Object.fromEntries([...(split?.rest ?? [])].filter(([key]) => key !== 'data'))
  expect(others).toEqual(rest)
}

/** Pairs as a matrix has them, among values that nearly look like them. */
const pairish = fc.oneof(
  fc.tuple(fc.nat(), fc.string()).map((pair) => JSON.stringify(pair)),
  fc
    .tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string())
    .map((pair) => JSON.stringify(pair)),
  fc.constantFrom(
    '[1,"a"]',
    '[1.5,"a"]',
    '[0,"a"]',
    '[-1,"a"]',
    '[1e3,"a"]',
    '[1, "a"]',
    '[1,"a" ]',
    '[1,"a","b"]',
    '[1,"\\n"]',
    '[1,2]',
    '[1.,"a"]',
    '[01,"a"]',
    '[1,"a]',
    '[1,"a"',
    '[]',
    '{}',
    'null',
    '1',
    'true',
    'tru',
  ),
)

describe('splitJson', () => {
  it('takes every object that JSON.stringify writes, with and without white space', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(fc.constantFrom('data', 'status'), fc.string()), fc.jsonValue()),
        fc.constantFrom(undefined, 1, '\t', '\r\n '),
        (value, indent) => agrees(JSON.stringify(value, undefined, indent)),
      ),
    )
  })

  it('agrees with JSON.parse on texts in which characters were changed, lost or added', () => {
    fc.assert(
      fc.property(
        fc.record({ status: fc.string(), data: fc.jsonValue(), warnings: fc.array(fc.string()) }),
        fc.array(
          fc.record({
            at: fc.nat(),
            remove: fc.integer({ min: 0, max: 2 }),
            insert: fc.oneof(
              fc.constantFrom(
                '"',
                '\\',
                '{',
                '}',
                '[',
                ']',
                ',',
                ':',
                '0',
                '-',
                '.',
                'e',
                'n',
                ' ',
                '\u0000',
                '\\u12',
              ),
              fc.string({ maxLength: 2 }),
            ),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        (value, edits) => {
          let text = JSON.stringify(value)
          for (const { at, remove, insert } of edits) {
            const place = at % (text.length + 1)
            text = text.slice(0, place) + insert + text.slice(place + remove)
          }
          // A lone surrogate cannot be written in UTF-8, so no body holds one.
          agrees(text.toWellFormed())
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('agrees with JSON.parse on runs of pairs in lists and in objects', () => {
    fc.assert(
      fc.property(
        fc.array(pairish, { maxLength: 5 }),
        fc.constantFrom(
          (list: string) => `{"data":[${list}]}`,
          (list: string) => `{"data":{"value":${list}}}`,
          (list: string) => `{"data":{"values":[${list}],"value":${list}},"more":${list}}`,
          (list: string) => `{"data":${list}}`,
          (list: string) => `{"data":[[${list}],${list}]}`,
        ),
        (pairs, frame) => agrees(frame(pairs.join(','))),
      ),
      { numRuns: 3000 },
    )
  })

  it('hands the member over byte for byte', () => {
    const data = '{ "resultType" : "matrix", "result": [[1795206056.123,"+Inf"] , "\\u00e9é😀" ] }'
    const split = splitJson(`\n{"status":"success", "data" : ${data} ,"warnings":["w"]}\n`, 'data')
    expect(split?.raw?.text).toBe(data)
    expect(split?.raw?.bytes).toEqual(Buffer.from(data))
    expect([...(split?.rest ?? [])]).toEqual([
      ['status', 'success'],
      ['warnings', ['w']],
    ])
  })

  it('takes the last of several members of one name, however it is written', () => {
    const split = splitJson('{"data":1,"d\\u0061ta":{"a":2},"status":"a","status":"b"}', 'data')
    expect(split?.raw?.text).toBe('{"a":2}')
    expect(split?.rest.get('status')).toBe('b')
  })

  it('keeps a member named __proto__ out of every prototype', () => {
    const split = splitJson('{"__proto__":{"polluted":true},"data":{"__proto__":{"polluted":true}}}', 'data')
    expect(split?.rest.get('__proto__')).toEqual({ polluted: true })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each([
    ['a text that closes early and goes on', '{"data":{"a":1}},"errors":[]}'],
    ['a second document', '{"data":1}{"data":2}'],
    ['a list', '[{"data":1}]'],
    ['no text', ''],
    ['a text that breaks off', '{"data":[1,2'],
    ['NaN', '{"data":NaN}'],
    ['a comment', '{"data":1/*x*/}'],
    ['a byte order mark', '\ufeff{"data":1}'],
    ['a line break in a string', '{"data":"a\nb"}'],
    ['a comma too many', '{"data":[1,]}'],
    ['a leading zero', '{"data":01}'],
    ['an unknown escape', '{"data":"\\x41"}'],
  ])('refuses %s', (_, text) => {
    expect(splitJson(text, 'data')).toBeUndefined()
  })

  it('refuses bytes that are no UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"data":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    expect(splitJson(bytes, 'data')).toBeUndefined()
  })

  it('reads bytes and text alike', () => {
    const text = '{"status":"success","data":{"é":"😀"}}'
    expect(splitJson(Buffer.from(text), 'data')?.raw?.text).toBe(splitJson(text, 'data')?.raw?.text)
    expect(splitJson(new Uint8Array(Buffer.from(text)), 'data')?.raw?.text).toBe('{"é":"😀"}')
  })

  it('leaves what nests too deep to a parser', () => {
    const nested = (depth: number): string => `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(splitJson(nested(500), 'data')).toBeDefined()
    expect(splitJson(nested(600), 'data')).toBeUndefined()
  })
})

describe('RawJson', () => {
  it('is printed by JSON.stringify as the value that it holds', () => {
    const raw = splitJson('{"data":{"a":[1,"NaN"]}}', 'data')?.raw
    expect(JSON.stringify({ raw })).toBe('{"raw":{"a":[1,"NaN"]}}')
  })

  it('cannot be made of text that was not checked', () => {
    expect(() => new RawJson(Buffer.from('}'), Symbol('made by splitJson'))).toThrow('splitJson')
  })
})

describe('stringifyRaw', () => {
  it('puts each text in its place as it came, and prints everything else as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (first, second, other) => {
        const raw = (value: unknown): RawJson | undefined =>
          splitJson(`{"data":${JSON.stringify(value, undefined, 1)}}`, 'data')?.raw
        const value = { a: raw(first), list: [raw(second), other, null], [other]: other, again: raw(first) }
        const text = textOf(stringifyRaw(value))
        expect(text).toContain(JSON.stringify(first, undefined, 1))
        expect(text).toContain(JSON.stringify(second, undefined, 1))
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('leaves JSON.stringify as it was, also after it failed', () => {
    const circle: Record<string, unknown> = { raw: splitJson('{"data":[1]}', 'data')?.raw }
    circle.circle = circle
    expect(() => stringifyRaw(circle)).toThrow(TypeError)
    expect(JSON.stringify({ raw: circle.raw })).toBe('{"raw":[1]}')
  })
})
