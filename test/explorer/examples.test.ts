/** The examples that are made from a schema are valid operations, of each kind that the schema has. */
import fc from 'fast-check'
import { buildSchema, type GraphQLSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { compose } from '../../engine/supergraph/compose/index.ts'
import { loadSupergraph } from '../../engine/supergraph/index.ts'
import type { Example } from '../../explorer/examples/example.ts'
import { examplesFrom } from '../../explorer/examples/from-schema.ts'
import { operationFor } from '../../explorer/examples/operation-for.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'

const faultsOf = (schema: GraphQLSchema, { document }: Pick<Example, 'document'>): string[] =>
  validate(schema, parse(document)).map(({ message }) => message)

function examplesOf(typeDefs: string): { schema: GraphQLSchema; examples: Example[] } {
  const link =
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@requiresScopes"])\n'
  const { supergraph: sdl, errors } = compose([
    { name: 'shop', url: 'http://127.0.0.1:1/', typeDefs: `${link}${typeDefs}` },
  ])
  if (sdl === undefined) throw new Error(JSON.stringify(errors))
  const supergraph = loadSupergraph(sdl)
  return { schema: supergraph.apiSchema, examples: examplesFrom(supergraph, supergraph.apiSchema) }
}

const shop = `
  type Query {
    node(id: ID!): Product
    "A product by its number. More of it."
    product(number: ID!): Product
    "Where the shop is."
    shop: Shop
    products(first: Int, after: String, sort: Sort!): ProductConnection
    bare: Empty
  }
  type Mutation {
    rename(product: ID!, to: String!, reason: String!): Product @requiresScopes(scopes: [["shop.write"]])
    order(input: OrderInput!): Order @requiresScopes(scopes: [["shop.write", "money.spend"], ["admin"]])
  }
  enum Sort { NAME PRICE }
  input OrderInput { product: ID! amount: Int! gift: Boolean! notes: [NoteInput!]! coupon: String }
  input NoteInput { text: String! }
  type Order { id: ID! product: Product }
  type Shop { name: String! open: Boolean! }
  type Empty { secret: String @requiresScopes(scopes: [["admin"]]) }
  type Product {
    number: ID!
    name: String
    old: String @deprecated(reason: "use name")
    price(currency: String!): Float
    cost: Float @requiresScopes(scopes: [["shop.books"]])
    maker: Maker
  }
  type Maker { name: String founded: Int }
  type ProductConnection { edges: [ProductEdge] pageInfo: PageInfo! totalCount: Int }
  type ProductEdge { cursor: String! node: Product }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
`

test('another supergraph gets root fields, a page, a scoped field and its own mutation', () => {
  const { schema, examples } = examplesOf(shop)
  expect(examples.map(({ id, scopes }) => [id, scopes])).toEqual([
    ['Query.shop', undefined],
    ['Query.product', undefined],
    ['Query.products', undefined],
    ['Query.product.cost', ['shop.books']],
    ['Mutation.order', ['admin']],
  ])
  for (const example of examples) expect([example.id, faultsOf(schema, example)]).toEqual([example.id, []])
  const byId = (id: string) => examples.find((each) => each.id === id)!
  expect(byId('Query.products')).toMatchObject({
    title: 'Paging: Products',
    variables: { first: 5, sort: 'NAME' },
  })
  expect(byId('Query.products').document).toMatchInlineSnapshot(`
    "query Products($first: Int, $sort: Sort!) {
      products(first: $first, sort: $sort) {
        totalCount
        edges {
          cursor
          node {
            number
            name
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
    "
  `)
  expect(byId('Query.product').note).toBe('A product by its number')
  expect(byId('Mutation.order').variables).toEqual({
    input: { product: '<product>', amount: 1, gift: false, notes: [{ text: '<text>' }] },
  })
})

test('a graph without connections gets a page of a list all the same: by its own arguments, if it has some', () => {
  const { schema, examples } = examplesOf(`
    type Query {
      me: Person
      people(role: String!): [Person!]!
      orders(limit: Int, offset: Int): [Order!]!
    }
    type Mutation { hire(name: String!): Person }
    type Person { name: String salary: Int @requiresScopes(scopes: [["hr"]]) }
    type Order { number: ID! total: Float }
  `)
  for (const example of examples) expect([example.id, faultsOf(schema, example)]).toEqual([example.id, []])
  const list = examples.find(({ document }) => document.includes('orders(limit: $limit)'))
  expect(list?.variables).toEqual({ limit: 5 })
  expect(examples.some(({ scopes }) => scopes?.join() === 'hr')).toBe(true)
  expect(examples.some(({ document }) => document.includes('mutation'))).toBe(true)
  const { examples: plain } = examplesOf(`
    type Query { me: Person people: [Person!]! teams: [Team!]! rooms: [Room!]! beds: [Bed!]! }
    type Person { name: String } type Team { name: String } type Room { name: String } type Bed { name: String }
  `)
  expect(plain.some(({ document }) => /people|teams|rooms|beds/.test(document))).toBe(true)
})

test('our own graph with real services behind it gets one of each kind, all of them valid', () => {
  const supergraph = loadSupergraph(readSchemaFile('supergraph'))
  const examples = examplesFrom(supergraph, supergraph.apiSchema)
  for (const example of examples)
    expect([example.id, faultsOf(supergraph.apiSchema, example)]).toEqual([example.id, []])
  expect(examples.some(({ document }) => document.includes('pageInfo'))).toBe(true)
  expect(examples.some(({ scopes, document }) => scopes !== undefined && document.includes('query'))).toBe(
    true,
  )
  expect(examples.some(({ document }) => document.includes('mutation'))).toBe(true)
  expect(new Set(examples.map(({ document }) => document)).size).toBe(examples.length)
})

test('a schema without open fields, pages or mutations gets what there is', () => {
  expect(examplesOf('type Query { a: Int @requiresScopes(scopes: [["one"]]) }').examples).toMatchObject([
    { id: 'Query.a', scopes: ['one'], document: 'query A {\n  a\n}\n' },
  ])
  expect(examplesOf('type Query { only(id: ID!): Int }').examples.map(({ id }) => id)).toEqual(['Query.only'])
})

const named = fc.constantFrom('T0', 'T1', 'T2', 'T3', 'U', 'I', 'Page')
const leaf = fc.constantFrom('Int', 'Float', 'String', 'ID', 'Boolean', 'E', 'Custom')
const wrap = fc.constantFrom(
  (type: string) => type,
  (type: string) => `${type}!`,
  (type: string) => `[${type}!]!`,
)
const wrapped = (type: fc.Arbitrary<string>) => fc.tuple(type, wrap).map(([name, by]) => by(name))
const argument = wrapped(fc.oneof(leaf, fc.constantFrom('In', 'OneIn')))
const field = fc
  .tuple(wrapped(fc.oneof(named, leaf)), fc.array(argument, { maxLength: 2 }), fc.boolean())
  .map(([type, args, old]) => {
    const list = args.map((each, index) => `${index === 0 ? 'first' : 'by'}: ${each}`).join(' ')
    return `${list === '' ? '' : `(${list})`}: ${type}${old ? ' @deprecated' : ''}`
  })
const fields = fc
  .array(field, { minLength: 1, maxLength: 6 })
  .map((list) => list.map((text, index) => `f${index}${text}`).join('\n'))

test('for any schema, an operation for any root field is valid and of a bounded size', () => {
  fc.assert(
    fc.property(fields, fc.array(fields, { minLength: 4, maxLength: 4 }), (query, types) => {
      const schema = buildSchema(`
        type Query { ${query} }
        ${types.map((text, index) => `type T${index} { ${text} }`).join('\n')}
        interface I { name: String }
        type N implements I { name: String }
        union U = T0 | T1
        type Page { nodes: [T0] pageInfo: Info }
        type Info { endCursor: String }
        enum E { A B }
        scalar Custom
        directive @oneOf on INPUT_OBJECT
        input In { a: String! b: In c: [In!] d: [E!]! }
        input OneIn @oneOf { a: String b: Int }
      `)
      for (const name of Object.keys(schema.getQueryType()!.getFields())) {
        const written = operationFor(schema, 'Query', name)!
        expect(faultsOf(schema, written)).toEqual([])
        expect(written.document.length).toBeLessThan(6000)
      }
    }),
    { numRuns: 150 },
  )
})
