/** Bounds on operations: each is found before what it protects is run, and none refuses what is within it. */
import fc from 'fast-check'
import { buildSchema, type DocumentNode, type OperationDefinitionNode, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { normaliseOver } from '../../../../engine/operation/normalised.ts'
import {
  checkDocument,
  checkNesting,
  checkValue,
  compileValueCount,
  type Limits,
} from '../../../../gateway/costs/limits/index.ts'
import { usualOperationLimits } from '../../../support/operation-limits.ts'

const limits: Limits = { ...usualOperationLimits, nesting: 20, values: 1000 }
const codes = (errors: readonly { readonly extensions: Record<string, unknown> }[]) =>
  errors.map(({ extensions }) => extensions.limit)

describe('nesting', () => {
  test('is counted in brackets, and not in strings and comments', () => {
    const inside = fc.constantFrom(
      '""',
      '"{{["',
      '"\\"{"',
      '"""{ " [ \\""" ( """',
      '# {{{[[[\n',
      'a',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.array(inside, { maxLength: 6 }), (depth, parts) => {
        const text = `${'{ a('.repeat(0)}${'['.repeat(depth)} ${parts.join(' ')} ${']'.repeat(depth)} ${parts.join(' ')}`
        expect(checkNesting(text, limits) === undefined).toBe(depth <= limits.nesting)
      }),
    )
  })

  test('of variables is bounded without recursion beyond the bound', () => {
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level++) deep = [deep]
    expect(checkValue({ deep }, limits)?.extensions).toMatchObject({ limit: 'nesting' })
    expect(checkValue({ a: [[[1]]] }, limits)).toBeUndefined()
  })

  test('counts fragments that spread each other', () => {
    const chain = Array.from({ length: 30 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} }`).join(' ')
    const document = parse(`{ ...F0 } ${chain} fragment F30 on Query { a }`)
    expect(codes(checkDocument(document, limits))).toEqual(['nesting'])
  })
})

describe('values', () => {
  const schema = buildSchema(`
    scalar Long
    type Query {
      things(ids: [ID!]!): [Thing] list(first: Int = 10): Connection one: Thing
      long(first: Long = "3"): Connection
      named(first: String, last: ID): Connection
    }
    type Connection { nodes: [Thing] }
    type Thing { id: ID name: String list(first: Int, last: Int): Connection }
  `)
  const normalised = (document: DocumentNode) =>
    normaliseOver(schema, document, document.definitions[0] as OperationDefinitionNode)
  const count = (text: string, variables: Record<string, unknown> = {}, values = 1): number | undefined => {
    const document = parse(text)
    expect(validate(schema, document)).toEqual([])
    const check = compileValueCount(schema, normalised(document), { ...limits, values })
    return check?.(variables)?.extensions.found as number | undefined
  }

  test('are fields times the items of the lists in which they stand', () => {
    expect(count('{ things(ids: ["a", "b", "c"]) { id name } }')).toBe(7)
    expect(count('query ($ids: [ID!]!) { things(ids: $ids) { id name } }', { ids: ['a', 'b'] })).toBe(5)
    expect(count('{ a: things(ids: ["a", "b"]) { id } b: things(ids: ["a", "b"]) { id } }')).toBe(6)
    expect(count('{ list(first: 5) { nodes { id list(last: 4) { nodes { id } } } } }')).toBe(
      1 + 5 * (3 + 4 * 2),
    )
    expect(count('query ($n: Int = 7) { list(first: $n) { nodes { id } } }')).toBe(1 + 7 * 2)
    expect(count('{ list { nodes { id } } }')).toBe(1 + 10 * 2)
  })

  test('read a number of a custom scalar, also as a text, and a single key as a list with it', () => {
    for (const first of ['100', '"100"'])
      expect(count(`{ long(first: ${first}) { nodes { id } } }`)).toBe(201)
    const asked = 'query ($n: Long = "7") { long(first: $n) { nodes { id } } }'
    for (const n of [100, '100']) expect(count(asked, { n })).toBe(201)
    expect(count(asked)).toBe(15)
    expect(count('{ long { nodes { id } } }')).toBe(7)
    expect(count('{ long(first: "many") { nodes { id } } }')).toBe(7)
    expect(count('{ long(first: 1e999) { nodes { id } } }')).toBeGreaterThan(1e15)
    expect(count('{ long(first: [1, 2]) { nodes { id } } }')).toBe(5)
    expect(count('{ named(first: "100", last: "200") { nodes { id } } }')).toBe(3)
    expect(count('{ things(ids: 100) { id name } }')).toBe(3)
    expect(count('query ($id: [ID!]!) { things(ids: $id) { id name } }', { id: '100' })).toBe(3)
  })

  test('leave out what conditions exclude', () => {
    const text = 'query ($on: Boolean!) { list(first: 9) @include(if: $on) { nodes { id } } one { id name } }'
    expect(count(text, { on: false })).toBe(3)
    expect(count(text, { on: true })).toBe(4 + 18)
    expect(count('{ list(first: 9) @skip(if: true) { nodes { id } } one { id } }')).toBe(2)
  })

  test('are not counted for each request if no argument says how many there are', () => {
    const document = parse('{ one { id name ...F } } fragment F on Thing { id }')
    expect(compileValueCount(schema, normalised(document), limits)).toBeUndefined()
  })

  test('count once what a fragment brings to one place twice', () => {
    expect(count('{ one { ...F ...F ... on Thing { ...F } } } fragment F on Thing { id name }')).toBe(3)
  })
})
