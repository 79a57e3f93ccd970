/** The graph inside of Apollo Server: the same answers and the same refusals, over real HTTP. */

import { ApolloServer, type ApolloServerOptions, type BaseContext } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { describe, expect, test } from 'vitest'
import type { Authenticator } from '../../../gateway/auth/authenticate/index.ts'
import { mintSandboxToken, sandboxAuthenticator } from '../../../gateway/cli/sandbox-token.ts'
import { readConfig } from '../../../gateway/config/index.ts'
import { type TesseraGateway, tesseraGateway } from '../../../gateway/hosts/apollo.ts'
import { startSandbox } from '../../../sandbox/index.ts'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { forEachService } from '../../../subgraphs/index.ts'
import { keepForFile } from '../../support/keep.ts'
import { postJson } from '../../support/post-json.ts'
import { temporaryFile } from '../../support/temporary.ts'

const sandbox = keepForFile(await startSandbox())

function gatewayOf(env: Record<string, string>, authenticator?: Authenticator): TesseraGateway {
  const { config, faults } = readConfig(env)
  if (faults !== undefined) throw new Error(faults.join('\n'))
  return tesseraGateway({ config, serviceUrls: forEachService(() => sandbox.url), authenticator })
}

/** Apollo Server at an address of its own. */
async function hosted(gateway: TesseraGateway, options: Partial<ApolloServerOptions<BaseContext>> = {}) {
  const settings = { gateway, includeStacktraceInErrorResponses: false, ...options }
  const server = new ApolloServer(settings as ApolloServerOptions<BaseContext>)
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } })
  return { url, [Symbol.asyncDispose]: () => server.stop() }
}

const file = temporaryFile(
  'tessera.yaml',
  'demand: { mode: measure }\nrateLimits: [{ name: few, limit: 2, windowSeconds: 3600, clients: [few] }]\n',
)
const gateway = gatewayOf(
  { TESSERA_CONFIG: file, TESSERA_MAX_LIST_ITEMS: '60' },
  await sandboxAuthenticator({}),
)
const { url } = keepForFile(await hosted(gateway))

// biome-ignore lint/suspicious/noExplicitAny: what comes back is what the test looks at
const jsonOf = async (response: Promise<Response>): Promise<any> => (await response).json()

async function ask(query: string, variables: object, scope?: string) {
  const token = scope && (await mintSandboxToken({ scope, subject: 'demo', expires: '1h' }))
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return jsonOf(postJson(url, { query, variables }, headers))
}

const [videoId] = Object.values(sampleVideos).flat() as string[]

describe('tesseraGateway in Apollo Server', () => {
  test('answers a query from the services', async () => {
    const before = sandbox.calls('videos.list').length
    const answer = await ask('query ($id: ID!) { video(videoId: $id) { videoId snippet { title } } }', {
      id: videoId,
    })
    expect(answer.errors).toBeUndefined()
    expect(answer.data.video).toMatchObject({ videoId, snippet: { title: expect.any(String) } })
    expect(sandbox.calls('videos.list')).toHaveLength(before + 1)
  })

  test('refuses a guarded field without its scope, and gives it with it', async () => {
    const query = 'query ($id: ID!) { video(videoId: $id) { videoId fileDetails { fileName } } }'
    const refused = await ask(query, { id: videoId })
    expect(refused.data.video).toEqual({ videoId, fileDetails: null })
    expect(refused.errors[0].extensions.code).toBe('UNAUTHORIZED_FIELD_OR_TYPE')
    const given = await ask(query, { id: videoId }, 'media.owner media.read')
    expect(
      (given.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code),
    ).not.toContain('UNAUTHORIZED_FIELD_OR_TYPE')
  })

  test('holds variables against the limits before anything is called', async () => {
    const before = sandbox.journal.length
    const answer = await ask('query ($ids: [ID!]!) { videos(videoIds: $ids) { videoId } }', {
      ids: Array.from({ length: 61 }, (_, at) => `v${at}`),
    })
    expect(answer.errors[0].extensions.code).toBe('OPERATION_TOO_LARGE')
    expect(sandbox.journal).toHaveLength(before)
  })

  test('takes `onError` of each request with its plugin, by POST, by GET and in a batch', async () => {
    const own = gatewayOf({})
    await using host = await hosted(own, {
      plugins: [own.plugin],
      allowBatchedHttpRequests: true,
      csrfPrevention: false,
    })
    const query = '{ __typename metrics { query(query: "up") { resultType } } }'
    const post = (body: unknown) => jsonOf(postJson(host.url, body))
    const left = { __typename: 'Query', metrics: null }
    expect((await post({ query })).data).toEqual(left)
    expect((await post({ query, onError: 'NULL' })).data).toEqual(left)
    expect((await post({ query, onError: 'HALT' })).data).toBeNull()
    const batch = await post([{ query, onError: 'HALT' }, { query }])
    expect(batch.map(({ data }: { data: unknown }) => data)).toEqual([null, left])
    const search = new URLSearchParams({ query, onError: 'HALT' })
    expect((await jsonOf(fetch(`${host.url}?${search}`))).data).toBeNull()
    expect((await post({ query, onError: 'IGNORE' })).errors[0]).toMatchObject({
      message: '`onError` must be one of NULL, PROPAGATE, HALT.',
      extensions: { code: 'BAD_REQUEST' },
    })
  })

  test('answers by the edition of 2026, if Apollo Server leaves the status to it', async () => {
    await using host = await hosted(gatewayOf({ TESSERA_HTTP_PROFILE: '2026' }))
    const accept = 'application/graphql-response+json'
    const post = (query: string) => postJson(host.url, { query }, { accept })
    const part = await post('{ __typename metrics { query(query: "up") { resultType } } }')
    expect(part.status).toBe(294)
    expect(await part.json()).toMatchObject({ data: { metrics: null } })
    expect((await post('{ metrics { query(query: "up") { resultType } } }')).status).toBe(401)
    // Apollo Server validates by itself, and has one status for that.
    expect((await post('{ nothing }')).status).toBe(400)
  })

  test('measures each request with the status that the client got and the codes of its errors', async () => {
    const query =
      'query Measured($id: ID!) { channel(channelId: $id) { title } video(videoId: $id) { videoId fileDetails { fileName } } }'
    const post = (variables: object, headers: Record<string, string> = {}) =>
      postJson(url, { query, variables }, headers)
    expect((await post({ id: videoId })).status).toBe(200)
    const refused = await post({ id: videoId }, { authorization: 'Bearer a.b.c' })
    expect(refused.status).toBe(401)
    expect(await refused.text()).not.toContain('http')
    const metrics = await gateway.metrics()
    expect(metrics).toMatch(/tessera_request_duration_seconds_count\{operation="Measured",status="200"\} 1/)
    expect(metrics).toMatch(
      /tessera_request_duration_seconds_count\{operation="Measured",status="401"\} [12]/,
    )
    expect(metrics).toMatch(/tessera_errors_total\{code="UNAUTHORIZED_FIELD_OR_TYPE"\} [12]/)
    expect(metrics).toMatch(/tessera_errors_total\{code="UNAUTHENTICATED"\} [12]/)
  })

  test('gives what a request cost, and explains without running it, as over HTTP of our own', async () => {
    const query = `{ video(videoId: "${videoId}") { etag } }`
    const post = (headers: Record<string, string>) => jsonOf(postJson(url, { query }, headers))
    expect((await post({ 'tessera-quota': '1' })).extensions).toMatchObject({ quota: { estimated: 1 } })
    const before = sandbox.journal.length
    expect((await post({ 'tessera-explain': '1' })).extensions).toMatchObject({ explain: { units: 1 } })
    expect(sandbox.journal).toHaveLength(before)
  })

  test('sends the headers of rate limits and costs', async () => {
    const query = `{ video(videoId: "${videoId}") { etag } }`
    const post = () => postJson(url, { query }, { 'graphql-client-name': 'few', 'tessera-cost': '1' })
    const first = await post()
    expect(first.headers.get('ratelimit-policy')).toBe('"few";q=2;w=3600')
    expect(first.headers.get('ratelimit')).toMatch(/^"few";r=1;t=\d+$/)
    expect(first.headers.get('tessera-cost')).toMatch(/^estimated=\d+, actual=\d+$/)
    await post()
    const refused = await post()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('ratelimit')).toMatch(/^"few";r=0;t=\d+$/)
  })
})
