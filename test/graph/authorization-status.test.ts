/**
 * The HTTP status of operations of which authorization refuses every field, by default and if the operator sets 200.
 */
import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { answerFrom, type Graph, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { postJson } from '../support/post-json.ts'
import { startService, supergraphOf } from '../support/router.ts'

const refused = '{ metrics { query(query: "up") { resultType } } }'

const graph = keepForFile(await startGraph({ env: { TESSERA_REFUSED_STATUS: '200' } }))

async function send(
  { url }: Pick<Graph, 'url'>,
  query: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await postJson(url, { query }, headers)
  return { challenge: response.headers.get('www-authenticate'), ...(await answerFrom(response)) }
}

const types = ['application/json', 'application/graphql-response+json']

test.each(types)('an operation that is wholly refused is 200 with null data, as %s', async (accept) => {
  const { status, data, errors, challenge } = await send(graph, refused, { accept })
  expect([status, data]).toEqual([200, null])
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHORIZED_FIELD_OR_TYPE'])
  expect(challenge).toContain('scope="metrics.read"')
})

test('a caller who lacks a scope gets the same', async () => {
  const authorization = `Bearer ${await graph.token('rules.read')}`
  const { status, data, errors } = await send(graph, refused, { authorization })
  expect([status, data]).toEqual([200, null])
  expect(errors[0]?.extensions.authorization).toMatchObject({ missing: ['metrics.read'] })
})

test('a token that is refused stays 401', async () => {
  const { status, errors } = await send(graph, refused, { authorization: 'Bearer of-another-world' })
  expect([status, errors[0]?.extensions.code]).toEqual([401, 'UNAUTHENTICATED'])
})

test('an operation that is refused for another reason keeps its status', async () => {
  const { status } = await send(graph, '{', { accept: 'application/graphql-response+json' })
  expect(status).toBe(400)
})

test('a gateway that rejects whole operations answers 200 as well', async () => {
  await using strict = await startGraph({
    env: { TESSERA_REFUSED_STATUS: '200', TESSERA_AUTHORIZATION: 'reject' },
  })
  const query =
    '{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } metrics { query(query: "up") { resultType } } }'
  const { status, data } = await send(strict, query)
  expect([status, data]).toEqual([200, null])
})

const sdl = `
  type Query { open: Int }
  type Mutation {
    order: Order!
    pay: Order!
    audit: Order! @requiresScopes(scopes: [["audit"]])
    "Refused by the service."
    cancel: Order!
    "Fails, perhaps after it was made."
    broken: Order!
  }
  type Order {
    id: Int
    lost: Int!
    total: Int! @requiresScopes(scopes: [["prices"]])
    note: Int @requiresScopes(scopes: [["notes"]])
  }
`

/** A graph of one service with mutations; `mutate` also returns those that were made. */
async function startShop(env: Readonly<Record<string, string>> = {}) {
  let made: string[] = []
  const make = (name: string) => () => {
    made.push(name)
    return { id: 1, total: 2, note: 3, lost: null }
  }
  const cancel = () => {
    const authorization = { required: [['orders']], missing: ['orders'] }
    const inWordsOfTheGateway = 'Order.note requires `notes`. This caller lacks it.'
    throw new GraphQLError(inWordsOfTheGateway, {
      extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE', authorization },
    })
  }
  const broken = () => {
    made.push('broken')
    throw new Error('broken')
  }
  const Mutation = { order: make('order'), pay: make('pay'), audit: make('audit'), cancel, broken }
  const service = await startService('shop', { sdl, resolvers: { Mutation } })
  const shop = await startGraph({
    graph: { supergraph: supergraphOf([service]) },
    env: { TESSERA_SUBGRAPH_ERRORS: 'shop', ...env },
  })
  const authorization = `Bearer ${await shop.token('other')}`
  return {
    async mutate(query: string, accept: string) {
      made = []
      return { ...(await send(shop, query, { accept, authorization })), made }
    },
    async [Symbol.asyncDispose]() {
      await shop[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}

describe.each(types)('a mutation whose data is taken away, as %s', (accept) => {
  test.each([
    'mutation { order { id total } }',
    'mutation { order { note } pay { id } }',
    'mutation ($on: Boolean = true) { order { note } pay @include(if: $on) { id } }',
  ])('asks nobody to make it again if it was made: %s', async (query) => {
    await using shop = await startShop()
    const { status, data, challenge, errors, made } = await shop.mutate(query, accept)
    expect([status, data, challenge, made.length]).toEqual([200, null, null, 1])
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHORIZED_FIELD_OR_TYPE'])
  })

  test('asks nobody to make it again if it may have been made', async () => {
    await using shop = await startShop()
    const { status, challenge, made } = await shop.mutate('mutation { broken { id } audit { id } }', accept)
    expect([status, challenge, made]).toEqual([502, null, ['broken']])
  })

  test('asks nobody to make it again if refusals are only reported', async () => {
    await using shop = await startShop({ TESSERA_AUTHORIZATION: 'dry-run' })
    const { status, challenge, made } = await shop.mutate('mutation { audit { lost } }', accept)
    expect([status, challenge, made]).toEqual([502, null, ['audit']])
  })

  test.each([
    ['notes', 'mutation { order { note } }'],
    ['audit', 'mutation { audit { id } __typename }'],
    ['audit', 'mutation { audit { id } pay @skip(if: true) { id } }'],
    ['orders', 'mutation { cancel { id } __typename }'],
    ['orders notes', 'mutation { cancel { id note } __typename }'],
  ])('asks for the scope %s if nothing of it was made: %s', async (scope, query) => {
    await using shop = await startShop()
    const { status, challenge, made } = await shop.mutate(query, accept)
    expect([status, challenge, made]).toEqual([403, expect.stringContaining(`scope="${scope}"`), []])
  })
})

test('without the setting the status is 401', async () => {
  await using usual = await startGraph()
  expect((await send(usual, refused)).status).toBe(401)
})
