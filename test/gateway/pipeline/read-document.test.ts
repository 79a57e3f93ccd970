/** What a document that is read may cost: validation compares the fields and fragments of one place in pairs. */
import { buildSchema, GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createTextReader } from '../../../gateway/pipeline/read-document.ts'
import { runToEnd } from '../../../shared/runtime/steps.ts'
import { usualOperationLimits } from '../../support/operation-limits.ts'

const types = Array.from({ length: 400 }, (_, i) => `T${i}`)
const schema = buildSchema(`
  type Query { a: Int b: Query item: Item }
  extend type Query { maybe(by: By): Int must(by: By!): Int several(by: [By!]): Int within(filter: Filter): Int }
  input Filter { by: By! }
  input By @oneOf { id: ID name: String }
  union Item = ${types.join(' | ')}
  ${types.map((type) => `type ${type} { id: ID! name: String }`).join(' ')}
`)
const limits = { ...usualOperationLimits, rootFields: 10_000, tokens: 10_000 }
const readText = createTextReader({ schema, limits, introspection: true })
const repeat = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => each(index)).join(' ')

/** The codes and messages of the reasons for which a text is refused; none if it is not. */
function refusals(text: string): readonly string[] {
  const found = runToEnd(() => readText(text))
  if (!Array.isArray(found)) return []
  return found.map((error) =>
    error instanceof GraphQLError ? `${error.extensions.code}: ${error.message}` : 'no error',
  )
}

const tooMuch = [
  'OPERATION_TOO_LARGE: The operation selects too many fields or fragments at the same places to be validated.',
]

describe('a document of too many comparisons is refused as too large, and not as invalid', () => {
  test.each([
    ['one field again and again', `{ ${repeat(2000, () => 'a')} }`],
    [
      'a field of each type of a union',
      `{ item { ${repeat(500, (i) => `... on T${i % 400} { id name }`)} } }`,
    ],
    ['selections within each other', `{ ${repeat(30, () => `b { ${repeat(30, () => 'b { a }')} }`)} }`],
    ['an unused fragment', `{ a } fragment Unused on Query { ${repeat(900, () => 'a b { a }')} }`],
    ['an unknown field beside them', `{ unknown ${repeat(2000, () => 'a')} }`],
  ])('%s', (_, text) => {
    expect(refusals(text)).toEqual(tooMuch)
  })
})

test('a component tree with hundreds of fragments at one place is read', () => {
  const fragments = repeat(300, (i) => `fragment F${i} on Query { a b { a } }`)
  expect(refusals(`{ b { ${repeat(300, (i) => `...F${i}`)} } } ${fragments}`)).toEqual([])
})

describe('a variable that may be null is refused as the member of a OneOf input object', () => {
  test.each([
    ['in a nullable argument', 'maybe(by: { name: $name })'],
    ['in a non-null argument', 'must(by: { name: $name })'],
    ['in a list', 'several(by: [{ id: "1" }, { name: $name }])'],
    ['in another input object', 'within(filter: { by: { name: $name } })'],
  ])('%s', (_, field) => {
    expect(refusals(`query ($name: String) { ${field} }`)).toEqual([
      'GRAPHQL_VALIDATION_FAILED: Variable "$name" is of type "String" but must be non-nullable to be used for OneOf Input Object "By".',
    ])
    expect(refusals(`query ($name: String!) { ${field} }`)).toEqual([])
    expect(refusals(`query ($name: String) { b { ...F } } fragment F on Query { ${field} }`)).toHaveLength(1)
  })
})

describe('an unknown field that is one level below is told with its place', () => {
  const shop = buildSchema(`
    type Query { products(first: Int): Products product(sku: ID!): Product search(text: String!): Products }
    type Products { nodes: [Product!] edges: [Edge!] pageInfo: PageInfo }
    type Edge { node: Product }
    type PageInfo { endCursor: ID }
    type Product { owned(by: ID!): Details snippet: Snippet details: Details pictures: [Picture!] cover: Picture }
    type Snippet { headline: String caption: String }
    type Details { caption: String weight: Int }
    type Picture { caption: String }
  `)
  const told = (text: string, introspection = true): readonly string[] => {
    const found = runToEnd(() => createTextReader({ schema: shop, limits, introspection })(text))
    return Array.isArray(found) ? found.map(({ message }) => message) : []
  }
  test.each([
    ['in an object', '{ product(sku: 1) { headline } }', ' Did you mean "snippet { headline }"?'],
    ['in the items of a list', '{ products { snippet { caption } } }', ' Did you mean "nodes { snippet }"?'],
    [
      'in several objects, up to three',
      '{ product(sku: 1) { caption } }',
      ' Did you mean "snippet { caption }" or "details { caption }" or "pictures { caption }"?',
    ],
    [
      'behind a field with a required argument',
      '{ nodes { snippet { caption } } }',
      ' Did you mean "products { nodes }"?',
    ],
    ['nowhere', '{ product(sku: 1) { price } }', ''],
    ['under a similar name', '{ products { node { caption } } }', ' Did you mean "nodes"?'],
  ])('%s', (_, text, hint) => {
    expect(told(text)).toEqual([expect.stringMatching(/^Cannot query field "\w+" on type "\w+"\./)])
    expect(told(text)[0]?.replace(/^Cannot query field "\w+" on type "\w+"\./, '')).toBe(hint)
  })

  test('but not if the schema may not be introspected', () => {
    expect(told('{ product(sku: 1) { headline } }', false)).toEqual([
      'Cannot query field "headline" on type "Product".',
    ])
  })
})
