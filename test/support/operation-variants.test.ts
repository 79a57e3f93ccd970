/** Six variants of an operation: each is valid, has another text and the same result. */
import { buildSchema, execute, parse, print, validate } from 'graphql'
import { expect, test } from 'vitest'
import { variantsOf } from './operation-variants.ts'

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
  const variants = variantsOf(schema, document, variables)
  expect(variants).toHaveLength(6)
  expect(new Set([document, ...variants.map((variant) => variant.document)].map(print)).size).toBe(7)
  for (const variant of variants) {
    expect(validate(schema, parse(print(variant.document))), variant.name).toEqual([])
    const written = run(variant.document, variant.variables)
    expect(written.errors, variant.name).toBeUndefined()
    expect(variant.read(written.data, own.data), variant.name).toEqual(own.data)
  }
})

test('an answer that differs stays different when it is read', () => {
  const document = parse('{ a { name } }')
  for (const variant of variantsOf(schema, document)) {
    const data = { a: { name: 'other' }, w_a: { w_name: 'other' } }
    expect(variant.read(data, { a: { name: 'a' } })).not.toEqual({ a: { name: 'a' } })
  }
})
