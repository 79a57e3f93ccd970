/** Six writings of an operation: each is valid, is another text, and answers the same. */
import { buildSchema, execute, parse, print, validate } from 'graphql'
import { expect, test } from 'vitest'
import { writingsOf } from './writings.ts'

const schema = buildSchema(`
  type Query { a(n: Int): A! list: [A] any: Any blob: Blob }
  interface Named { name: String }
  type A implements Named { name: String b: B }
  type B implements Named { name: String size: Int }
  union Any = A | B
  scalar Blob`)
const b = { __typename: 'B', name: 'b', size: 3 }
const a = { __typename: 'A', name: 'a', b }
const rootValue = { a, list: [a, null], any: b, blob: { w: 1 } }

const run = (document: ReturnType<typeof parse>, variableValues: object) =>
  JSON.parse(
    JSON.stringify(execute({ schema, document, rootValue, variableValues: { ...variableValues } })),
  ) as { data: unknown; errors?: unknown }

test.each([
  '{ a { name b { size } } blob }',
  'query($c: Boolean!) { list { ...F @include(if: $c) b { __typename } } any { ... on B { size } ...G } } fragment F on A { name } fragment G on Named { name }',
  '{ x: a(n: 1) { t: __typename name } a { b { name @skip(if: true) size } } }',
  '{ __typename a { name __typename } }',
])('%s', (text) => {
  const document = parse(text)
  const variables = { c: true }
  const own = run(document, variables)
  expect(own.errors).toBeUndefined()
  const writings = writingsOf(schema, document, variables)
  expect(writings).toHaveLength(6)
  expect(new Set([document, ...writings.map((writing) => writing.document)].map(print)).size).toBe(7)
  for (const writing of writings) {
    expect(validate(schema, parse(print(writing.document))), writing.name).toEqual([])
    const written = run(writing.document, writing.variables)
    expect(written.errors, writing.name).toBeUndefined()
    expect(writing.read(written.data, own.data), writing.name).toEqual(own.data)
  }
})

test('an answer that differs stays different when it is read', () => {
  const document = parse('{ a { name } }')
  for (const writing of writingsOf(schema, document)) {
    const data = { a: { name: 'other' }, w_a: { w_name: 'other' } }
    expect(writing.read(data, { a: { name: 'a' } })).not.toEqual({ a: { name: 'a' } })
  }
})
