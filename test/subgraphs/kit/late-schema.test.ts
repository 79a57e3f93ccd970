/** The schemas of our own files are made when an operation first needs them, and those of others at once. */
import { expect, test } from 'vitest'
import { createSubgraph } from '../../../subgraphs/kit/subgraph.ts'

const rest = { createContext: () => ({}), close: () => Promise.resolve() }

test('a schema of the package is made once, when it is first asked for', () => {
  let made = 0
  const resolvers = () => {
    made += 1
    return {}
  }
  const subgraph = createSubgraph({ name: 'nodes', resolvers, ...rest })
  expect(made).toBe(0)
  expect(subgraph.schema.getQueryType()?.getFields()).toHaveProperty('_service')
  expect(subgraph.schema).toBe(subgraph.schema)
  expect(made).toBe(1)
})

test('a wrong schema of somebody else is refused at once', () => {
  const typeDefs = 'type Query { a: Absent }'
  expect(() => createSubgraph({ name: 'theirs', typeDefs, resolvers: {}, ...rest })).toThrow(/Absent/)
})
