/** Subgraphs that are made of SDL and resolvers, and the files of the package that they are made of. */
import { expect, test } from 'vitest'
import { createSubgraph, readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'

test('resolvers of types and fields that the schema does not have are refused, all of them', () => {
  const resolvers = {
    Qery: { book: () => null },
    Query: { book: () => null, boks: () => null },
    Book: { __resolveReference: () => null, titel: () => '' },
  }
  const parts = { name: 'books', createContext: () => ({}), close: async () => {} }
  const typeDefs = `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
    type Query { book: Book }
    type Book @key(fields: "id") { id: ID! title: String }
  `
  expect(() => createSubgraph({ ...parts, typeDefs, resolvers })).toThrow(
    'the subgraph books has resolvers of what is not in its schema: Qery, Query.boks, Book.titel',
  )
})

test('a file that a bundler left behind is named, with what to do', () => {
  expect(() => readSchemaFile('left-behind')).toThrow(
    /schema.left-behind\.graphql cannot be read: .+ must stay outside of bundles$/,
  )
})
