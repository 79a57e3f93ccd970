/**
 * Clients of other projects over both editions of GraphQL over HTTP: their results must not depend on the status.
 */
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { describe, expect, test } from 'vitest'
import { createEnvironment, OperationError } from '../../examples/relay/src/environment.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { startAgent } from '../support/agent.ts'
import { allScopes, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { postJson } from '../support/post-json.ts'
import { serviceSecret, startServices } from '../support/services.ts'

const chart = 'query Chart { chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } }'
const refused = 'query Refused { metrics { query(query: "up") { resultType } } }'
const partial =
  'query Partial { chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } metrics { query(query: "up") { resultType } } }'
const invalid = 'query Invalid { nothing }'

/** What a client shows: the data, and the codes of the errors. */
interface ProfileRow {
  readonly data: unknown
  readonly codes: readonly unknown[]
}
type Ask = (text: string) => Promise<ProfileRow>

const codesOf = (errors: readonly { readonly extensions?: { readonly code?: unknown } }[] = []) =>
  errors.map(({ extensions }) => extensions?.code)

function apollo(uri: string, accept: string | undefined): Ask {
  const client = new ApolloClient({
    link: new HttpLink({ uri, ...(accept === undefined ? {} : { headers: { accept } }) }),
    cache: new InMemoryCache(),
  })
  return async (text) => {
    const { data, error } = await client.query({
      query: gql(text),
      errorPolicy: 'all',
      fetchPolicy: 'no-cache',
    })
    if (error !== undefined && !CombinedGraphQLErrors.is(error)) throw error
    return { data, codes: codesOf(error?.errors) }
  }
}

function urql(url: string): Ask {
  const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false })
  return async (text) => {
    const { data, error } = await client.query(text, {}).toPromise()
    if (error?.networkError !== undefined) throw error
    return { data, codes: codesOf(error?.graphQLErrors) }
  }
}

function relay(url: string): Ask {
  const heard: ProfileRow['codes'][] = []
  const environment = createEnvironment(url, {
    token: '',
    onErrors: (_, errors) => void heard.push(codesOf(errors)),
  })
  return async (text) => {
    const parameters = { operationKind: 'query', name: text.split(' ')[1], text, id: null, cacheID: null }
    try {
      const made = await environment
        .getNetwork()
        .execute(parameters as never, {}, {})
        .toPromise()
      return { data: (made as { data: unknown }).data, codes: heard.pop() ?? [] }
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      return { data: undefined, codes: codesOf(error.errors) }
    }
  }
}

function plain(url: string): Ask {
  return async (text) => {
    const response = await postJson(url, { query: text }, { accept: 'application/graphql-response+json' })
    const { data, errors } = (await response.json()) as { data?: unknown; errors?: never[] }
    return { data, codes: codesOf(errors) }
  }
}

const clients: readonly [name: string, make: (url: string) => Ask][] = [
  ['Apollo Client', (url) => apollo(url, undefined)],
  [
    'Apollo Client that takes the new media type alone',
    (url) => apollo(url, 'application/graphql-response+json'),
  ],
  ['urql', urql],
  ['the network of Relay', relay],
  ['plain fetch', plain],
]

describe.each(['2025', '2026'])('by the edition of %s', async (profile) => {
  const graph = keepForFile(await startGraph({ env: { TESSERA_HTTP_PROFILE: profile, TESSERA_MCP: 'true' } }))

  test.each(clients)('%s shows data, errors with data, and errors without', async (_, make) => {
    const ask = make(graph.url)
    expect(await ask(chart)).toMatchObject({
      data: { chartVideos: { totalCount: expect.any(Number) } },
      codes: [],
    })
    expect(await ask(partial)).toMatchObject({
      data: { chartVideos: { totalCount: expect.any(Number) } },
      codes: ['UNAUTHORIZED_FIELD_OR_TYPE'],
    })
    expect((await ask(refused)).codes).toEqual(['UNAUTHORIZED_FIELD_OR_TYPE'])
    expect((await ask(invalid)).codes).toEqual(['GRAPHQL_VALIDATION_FAILED'])
  })

  test('an agent by the official client gets the same answers', async () => {
    await using agent = await startAgent(graph, { scope: allScopes.replace('metrics.read', '') })
    const whole = await agent.call('execute_operation', { document: chart })
    expect([whole.isError, whole.json.data]).toEqual([
      false,
      { chartVideos: { totalCount: expect.any(Number) } },
    ])
    const part = await agent.call('execute_operation', { document: partial })
    expect(part.text).toContain('UNAUTHORIZED_FIELD_OR_TYPE')
    const wrong = await agent.call('execute_operation', { document: invalid })
    expect(wrong.isError).toBe(true)
  })
})

test('a subgraph service answers by the edition, and the gateway in front reads it', async () => {
  await using sandbox = await startSandbox()
  const env = { TESSERA_HTTP_PROFILE: '2026', TESSERA_SUBGRAPH_FRAMES: 'false' }
  await using services = await startServices(sandbox.url, env, ['videos'])
  await using graph = await startGraph({ env: { ...services.env, TESSERA_SUBGRAPH_FRAMES: 'false' } })
  const ask = (query: string) =>
    postJson(
      services.urls.videos,
      { query },
      { accept: 'application/graphql-response+json', 'router-authorization': `Bearer ${serviceSecret}` },
    )
  const some = '{ mediaQuota { used } chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } }'
  const failure = { operation: 'videos.list', kind: 'status', status: 403, body: '{}' } as const
  sandbox.fail(failure)
  const part = await ask(some)
  expect([part.status, await part.json()]).toEqual([
    294,
    { data: { mediaQuota: { used: 0 }, chartVideos: null }, errors: [expect.anything()] },
  ])
  expect((await ask('{ nothing }')).status).toBe(422)
  sandbox.fail(failure)
  const { status, data, errors } = await graph.ask(some)
  expect([status, data, errors.map(({ path }) => path)]).toEqual([
    200,
    { mediaQuota: { used: 0 }, chartVideos: null },
    [['chartVideos']],
  ])
})
