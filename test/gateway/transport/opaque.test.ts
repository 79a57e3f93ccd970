/** Long answers of which some values are not parsed: the same answer, whoever reads it. */
import fc from 'fast-check'
import { buildSchema, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { type Opaque, opaqueIn, parseAround } from '../../../gateway/transport/opaque.ts'
import { createHttpTransport } from '../../../gateway/transport.ts'
import { RawJson } from '../../../subgraphs/lib/raw-json.ts'
import { json, startFaultyServer } from '../../support/faulty-server.ts'
import { testGatewayRequest } from '../../support/federation.ts'

const schema = buildSchema(`
  scalar JSON
  type Query { a: A, any: AB, text: String, free: JSON }
  type A { free: JSON, text: String, list: [A] }
  type B { free: Int, own: JSON }
  union AB = A | B
`)
const placesIn = (text: string) => {
  const plain = (opaque: Opaque | undefined): unknown =>
    opaque && Object.fromEntries([...opaque].map(([key, below]) => [key, plain(below) ?? 'opaque']))
  return plain(opaqueIn(schema, parse(text)))
}

describe('opaqueIn', () => {
  it.each([
    ['{ text a { text } }', undefined],
    ['{ free }', { free: 'opaque' }],
    ['{ x: free a { y: free text } }', { x: 'opaque', a: { y: 'opaque' } }],
    ['{ any { ... on A { free text } } }', { any: { free: 'opaque' } }],
    ['{ any { ... on A { free } ... on B { free own } } }', { any: { own: 'opaque' } }],
    ['{ any { ... on A { x: free } ... on B { x: __typename } } }', undefined],
    ['{ _entities { ... on A { free } nobody } unknown }', { _entities: { free: 'opaque' } }],
    ['{ ...F } fragment F on Query { free }', undefined],
  ])('finds where the scalars of the schema stand in %s', (text, expected) => {
    expect(placesIn(text)).toEqual(expected)
  })
})

const opaque: Opaque = new Map([
  ['free', undefined],
  ['a', new Map([['free', undefined]])],
])
const key = fc.oneof(fc.constantFrom('free', 'a', 'text', '__proto__', 'constructor', 'é'), fc.string())
const { value: anyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}))

describe('parseAround', () => {
  it('gives what JSON.parse gives, but for the values that it leaves as they came', () => {
    fc.assert(
      fc.property(anyJson, fc.nat({ max: 2 }), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        const given = parseAround(Buffer.from(text), opaque) ?? JSON.parse(text)
        expect(JSON.stringify(given)).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 500 },
    )
  })

  it('leaves objects and lists where they stand alone, and parses all others', () => {
    const text = '{"free":[1, 2],"a":{"free":{"b": 1},"text":["x"]},"list":[{"free":[3]}]}'
    expect(parseAround(Buffer.from(text), opaque)).toEqual({
      free: expect.objectContaining({ text: '[1, 2]' }),
      a: { free: expect.objectContaining({ text: '{"b": 1}' }), text: ['x'] },
      list: [{ free: [3] }],
    })
    expect(parseAround(Buffer.from('{"free":null,"a":{"free":"text"}}'), opaque)).toEqual({
      free: null,
      a: { free: 'text' },
    })
    expect(parseAround(Buffer.from('{"a":[{"free":[1]}]}'), opaque)).toEqual({ a: [{ free: [1] }] })
  })

  it('tells nothing of what is no JSON', () => {
    for (const text of ['', '{"free":[1}', '{"free":[]} x', '{"a":{"free":}}', '\ufeff{}'])
      expect(parseAround(Buffer.from(text), opaque)).toBeUndefined()
    expect(parseAround(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), opaque)).toBeUndefined()
  })
})

describe('a fetch over HTTP', () => {
  const query = '{ a { free text } }'
  const ask = async (data: unknown) => {
    await using server = await startFaultyServer(json({ data }))
    const transport = createHttpTransport({ name: 'shop', url: server.url, schema })
    try {
      const document = parse(query)
      const operation = { text: query, document, name: undefined, kind: 'query', variableNames: [] } as const
      return await transport.prepare(operation)({}, testGatewayRequest())
    } finally {
      await transport.close()
    }
  }

  it('hands long values of the own scalars of a schema on as they came, and short ones parsed', async () => {
    const free = Array.from({ length: 20_000 }, (_, n) => [n, 'é'])
    const long = await ask({ a: { free, text: 'é' } })
    expect(long.errors).toBeUndefined()
    const { a } = long.data as { a: { free: unknown; text: string } }
    expect(a.free).toBeInstanceOf(RawJson)
    expect(JSON.parse(JSON.stringify(a))).toEqual({ free, text: 'é' })
    expect(await ask({ a: { free: [1], text: 'é' } })).toEqual({ data: { a: { free: [1], text: 'é' } } })
  })
})
