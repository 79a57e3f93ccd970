/**
 * Random operations over a graph of four subgraphs with something of everything: keys of all kinds, `@requires`,
 * `@provides`, `@interfaceObject`, unions and interfaces across subgraphs, lists of lists, and fields that fail or are
 * null. The oracle is the same graph as one schema under graphql-js.
 */
import fc from 'fast-check'
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { campaignSize } from '../../support/campaign-size.ts'
import { errorLines, startFederation, ways } from '../../support/federation.ts'
import { keepForFile } from '../../support/keep.ts'
import { lenientAnswer } from '../../support/random-federation/index.ts'
import { randomOperation } from '../../support/random-operation.ts'
import { worldOf } from '../../support/world-of.ts'

const sdls = {
  items: `
    type Query {
      item(id: ID!): Item any: [Thing] search(kind: Kind): [Thing!]! product(id: ID!): Product hot: Product!
      shelf: [[Item]!]
    }
    enum Kind { PRODUCT BOOK }
    interface Item @key(fields: "id") { id: ID! name: String! related: [Item] }
    union Thing = Product | Book
    type Product implements Item @key(fields: "id") {
      id: ID! name: String! related: [Item] weight: Int dims: Dims shelves: [[Thing]]
    }
    type Dims { w: Int! h: Int! unit: String }
    type Book implements Item @key(fields: "isbn lang") @key(fields: "id") {
      id: ID! name: String! related: [Item] isbn: String! lang: String!
    }`,
  stock: `
    type Product @key(fields: "id") {
      id: ID! weight: Int @external dims: Dims @external
      shipping: Int @requires(fields: "weight dims { w h }")
      stock(unit: String): Int! price(currency: String): String
      reviews(first: Int): [Review!]
    }
    type Dims { w: Int! @external h: Int! @external }
    type Book @key(fields: "isbn lang") { isbn: String! lang: String! pages: Int! reviews(first: Int): [Review!] }
    type Review @key(fields: "id") { id: ID! stars: Int author: User @provides(fields: "name") }
    type User @key(fields: "id") { id: ID! name: String @external }`,
  ratings: 'type Item @key(fields: "id") @interfaceObject { id: ID! rating: Float }',
  users: `
    type Query { user(id: ID!): User }
    type User @key(fields: "id") { id: ID! name: String @shareable email: String! favourite: Product }
    type Review @key(fields: "id") { id: ID! about: Product }
    type Product @key(fields: "id", resolvable: false) { id: ID! }`,
}

const failing = new Set(['price', 'stock', 'pages', 'email'])
const faults = {
  throws: (_type: string, field: string, id: string) => failing.has(field) && Number(id) % 2 === 1,
}

describe.each(ways)('random operations %s', async (way) => {
  const { graph, services, oracle } = worldOf(sdls, 1, faults)
  const federation = keepForFile(await startFederation(services, { way, oracle }))

  test('answer what one schema would answer, with no error that it would not have', async () => {
    const { apiSchema } = federation.supergraph
    await fc.assert(
      fc.asyncProperty(
        fc.record({ seed: fc.integer({ min: 0 }), size: fc.integer({ min: 1, max: 40 }) }),
        async (options) => {
          const operation = randomOperation(apiSchema, options)
          fc.pre(operation !== undefined)
          const { query, variables } = operation!
          const [actual, expected] = [
            await federation.run(query, variables),
            await federation.expected(query, variables),
          ]
          expect(actual.data, query).toEqual(expected.data)
          expect(actual.errors.length > 0, query).toBe(expected.errors.length > 0)
          // If nothing must be there, every failure is reported: no null takes a sibling's error along.
          const possible = await lenientAnswer(graph, parse(query), variables, faults)
          const all = new Set(errorLines(possible.errors as typeof actual.errors))
          for (const error of errorLines(actual.errors)) expect(all, query).toContain(error)
        },
      ),
      { numRuns: campaignSize(way === 'over HTTP' ? 60 : 250) },
    )
  })
})
