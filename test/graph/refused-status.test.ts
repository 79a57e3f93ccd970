/** Operations of which authorization leaves nothing, when the operator asks for status 200. */
import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
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

test.each(types)('a mutation that was made asks nobody to make it again, as %s', async (accept) => {
  const sdl = `
    type Query { open: Int }
    type Mutation {
      order: Order!
      pay: Order!
      cancel: Order!
      broken: Order!
      audit: Order! @requiresScopes(scopes: [["audit"]])
    }
    type Order { id: Int total: Int! @requiresScopes(scopes: [["prices"]]) note: Int @requiresScopes(scopes: [["notes"]]) }
  `
  const made: string[] = []
  const make = (name: string) => () => {
    made.push(name)
    return { id: 1, total: 2, note: 3 }
  }
  const cancel = () => {
    const authorization = { required: [['orders']], missing: ['orders'] }
    throw new GraphQLError('No.', { extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE', authorization } })
  }
  const broken = () => {
    made.push('broken')
    throw new Error('nobody knows whether it was made')
  }
  const Mutation = { order: make('order'), pay: make('pay'), cancel, broken }
  await using service = await startService('shop', { sdl, resolvers: { Mutation } })
  await using shop = await startGraph({
    graph: { supergraph: supergraphOf([service]) },
    env: { TESSERA_SUBGRAPH_ERRORS: 'shop' },
  })
  const authorization = `Bearer ${await shop.token('other')}`
  for (const query of [
    'mutation { order { id total } }',
    'mutation { pay { id } order { note } }',
    'mutation ($on: Boolean = true) { pay @include(if: $on) { id } order { note } }',
  ]) {
    made.length = 0
    const answer = await send(shop, query, { accept, authorization })
    expect(made.length, query).toBe(1)
    expect([answer.status, answer.data, answer.challenge], query).toEqual([200, null, null])
    expect(answer.errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHORIZED_FIELD_OR_TYPE'])
  }
  made.length = 0
  const unknown = await send(shop, 'mutation { broken { id } audit { id } }', { accept, authorization })
  expect([unknown.status, unknown.challenge, made]).toEqual([502, null, ['broken']])
  made.length = 0
  // Nothing of it was made: the service refuses `cancel`, and the gateway the others.
  for (const [query, scope] of [
    ['{ order { note } }', 'scope="notes"'],
    ['{ audit { id } __typename }', 'scope="audit"'],
    ['{ audit { id } pay @skip(if: true) { id } }', 'scope="audit"'],
    ['{ cancel { id } __typename }', 'scope="orders"'],
  ]) {
    const { status, challenge } = await send(shop, `mutation ${query}`, { accept, authorization })
    expect([status, challenge, made]).toEqual([403, expect.stringContaining(`${scope}`), []])
  }
})

test('without the setting the status is 401', async () => {
  await using usual = await startGraph()
  expect((await send(usual, refused)).status).toBe(401)
})
