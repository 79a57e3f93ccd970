/** The graph inside of Apollo Server: the same answers and the same refusals, over real HTTP. */
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tesseraGateway } from '../../gateway/apollo.ts'
import { readConfig } from '../../gateway/config.ts'
import { mintSandboxToken, sandboxAuthenticator } from '../../gateway/sandbox-token.ts'
import { type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { sampleVideos } from '../../sandbox/videos.ts'

let sandbox: Sandbox
let server: ApolloServer
let url: string

beforeAll(async () => {
  sandbox = await startSandbox()
  const { config, faults } = readConfig({
    TESSERA_LOG_LEVEL: 'silent',
    TESSERA_MAX_LIST_ITEMS: '60',
  })
  if (faults !== undefined) throw new Error(faults.join('\n'))
  const serviceUrls = {
    videos: sandbox.url,
    agents: sandbox.url,
    messages: sandbox.url,
    metrics: sandbox.url,
  }
  server = new ApolloServer({
    gateway: tesseraGateway({ config, serviceUrls, authenticator: await sandboxAuthenticator({}) }),
    includeStacktraceInErrorResponses: false,
  })
  url = (await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } })).url
})

afterAll(async () => {
  await server.stop()
  await sandbox.close()
})

async function ask(query: string, variables: object, scope?: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (scope !== undefined) {
    const token = await mintSandboxToken({ scope, subject: 'demo', expires: '1h' })
    headers.authorization = `Bearer ${token}`
  }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the test looks at
  return response.json() as Promise<any>
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

  test('refuses a token that nobody signed', async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer a.b.c' },
      body: JSON.stringify({ query: '{ metrics { buildInfo { version } } }' }),
    })
    const answer = (await response.json()) as { errors: { extensions: { code: string } }[] }
    expect(answer.errors[0]?.extensions.code).toBe('UNAUTHENTICATED')
  })

  test('holds variables against the limits before anything is called', async () => {
    const before = sandbox.journal.length
    const answer = await ask('query ($ids: [ID!]!) { videos(videoIds: $ids) { videoId } }', {
      ids: Array.from({ length: 61 }, (_, at) => `v${at}`),
    })
    expect(answer.errors[0].extensions.code).toBe('OPERATION_TOO_LARGE')
    expect(sandbox.journal).toHaveLength(before)
  })
})
