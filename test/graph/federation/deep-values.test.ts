/** Values of subgraphs with thousands of levels, which no text can be made of, fail at their places alone. */
import { GraphQLError, GraphQLScalarType } from 'graphql'
import { expect, test } from 'vitest'
import { type Service, startFederation, type Way } from '../../support/federation.ts'

const Any = new GraphQLScalarType({ name: 'Any', serialize: (value) => value, parseValue: (value) => value })
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

const services = (deep: unknown): Record<string, Service> => ({
  shop: {
    sdl: `
      scalar Any
      type Query { items: [Item!]! item: Item plain: Int broken: Int }
      type Item @key(fields: "id") { id: ID! box: Any }`,
    resolvers: {
      Any,
      Query: {
        items: () => [
          { id: '1', box: deep },
          { id: '2', box: 1 },
        ],
        item: () => ({ id: '1', box: deep }),
        plain: () => 3,
        broken: () => {
          throw new GraphQLError('broken', { extensions: { code: 'CODE', deep } })
        },
      },
    },
  },
  costs: {
    sdl: `
      scalar Any
      type Item @key(fields: "id") { id: ID! box: Any @external cost: Int @requires(fields: "box") }`,
    resolvers: { Any, Item: { __resolveReference: (key: object) => key, cost: () => 7 } },
  },
})

// The server of a subgraph could not print more.
test.each<[Way, number]>([
  ['over HTTP', 3000],
  ['in process', 50_000],
])('%s', async (way, levels) => {
  await using federation = await startFederation(services(nested(levels)), { way })
  const run = (query: string) => federation.run(query, {}, { once: true })

  const required = await run('{ plain items { cost } item { cost } }')
  expect(required.data).toEqual({ plain: 3, items: [{ cost: null }, { cost: 7 }], item: { cost: null } })
  expect(required.errors.map(({ message, path }) => [message, path])).toEqual([
    ['A value that the subgraph costs requires has too many levels.', ['items', 0]],
    ['A value that the subgraph costs requires has too many levels.', ['item']],
  ])
  expect(required.errors.map(({ extensions }) => extensions.code)).toEqual(
    Array(2).fill('UPSTREAM_BAD_RESPONSE'),
  )

  const broken = await run('{ plain broken }')
  expect(broken.data).toEqual({ plain: 3, broken: null })
  expect(broken.errors.map(({ message, extensions }) => [message, extensions.code])).toEqual([
    ['broken', 'CODE'],
  ])
})

test('an object that lacks a required value for another reason has no error about levels', async () => {
  const key = (object: object) => object
  await using federation = await startFederation(
    {
      shop: {
        sdl: `
          scalar Any
          type Query { item: Item }
          type Item @key(fields: "id") { id: ID! box: Any }`,
        resolvers: { Any, Query: { item: () => ({ id: '1', box: nested(3000) }) } },
      },
      sizes: {
        sdl: 'type Item @key(fields: "id") { id: ID! size: Int! }',
        resolvers: {
          Item: {
            __resolveReference: key,
            size: () => {
              throw new GraphQLError('no size')
            },
          },
        },
      },
      costs: {
        sdl: `
          scalar Any
          type Item @key(fields: "id") { id: ID! box: Any @external cost: Int @requires(fields: "box") }`,
        resolvers: { Any, Item: { __resolveReference: key, cost: () => 7 } },
      },
      weights: {
        sdl: 'type Item @key(fields: "id") { id: ID! size: Int! @external weight: Int @requires(fields: "size") }',
        resolvers: { Item: { __resolveReference: key, weight: () => 9 } },
      },
    },
    { way: 'in process' },
  )
  const { data, errors } = await federation.run('{ item { cost weight } }', {}, { once: true })
  expect(data).toEqual({ item: { cost: null, weight: null } })
  expect(errors.map(({ message }) => message).sort()).toEqual([
    'A value that the subgraph costs requires has too many levels.',
    'no size',
  ])
})
