/** Subgraphs whose root types have other names than `Query`, `Mutation` and `Subscription`. */
import { describe, expect, test } from 'vitest'
import { compose } from '../../../../engine/supergraph/compose/index.ts'
import { startFederation, ways } from '../../../support/federation.ts'

const errorsOf = (typeDefs: string): string[] =>
  (compose([{ name: 'a', url: 'http://127.0.0.1:1', typeDefs }]).errors ?? []).map(({ message }) => message)

describe.each(ways)('%s', (way) => {
  test('fields that return a root type lead to the fields of the root', async () => {
    const services = {
      tables: {
        sdl: `
          schema { query: query_root mutation: mutation_root }
          type query_root { row: Row }
          type mutation_root { insert: Inserted }
          type Inserted { rows: Int query: query_root }
          type Row @key(fields: "id") { id: ID! }`,
        resolvers: {
          query_root: { row: () => ({ id: '1' }) },
          mutation_root: { insert: () => ({ rows: 2, query: {} }) },
        },
      },
      labels: {
        sdl: 'type Row @key(fields: "id") { id: ID! label: String }',
        resolvers: { Row: { label: () => 'a label' } },
      },
    }
    await using federation = await startFederation(services, { way })
    const { data } = await federation.run(
      'mutation { insert { rows query { __typename row { label } } } __typename }',
    )
    expect(data).toEqual({
      insert: { rows: 2, query: { __typename: 'Query', row: { label: 'a label' } } },
      __typename: 'Mutation',
    })
  })
})

test('the name may stand in an extension of the schema', () => {
  expect(
    errorsOf('extend schema { query: Root } type Root { n: Int } extend type Root { self: Root }'),
  ).toEqual([])
})

test('another type of the usual name is refused', () => {
  const [error, ...others] = errorsOf('schema { query: Root } type Root { n: Query } type Query { n: Int }')
  expect(error).toContain('has a type named "Query"')
  expect(others).toEqual([])
})
