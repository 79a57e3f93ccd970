/** The recipes of docs/library.md, as they stand there, in the servers that they are for. */
import { getEventListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createHandler, type GraphHandler } from '../../../gateway/hosts/library.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'
import { root } from '../../support/deploy.ts'
import { configFrom } from '../../support/graph.ts'

const supergraph = readSchemaFile('supergraph')
const config = configFrom({ TESSERA_MAX_BODY_BYTES: '2000', TESSERA_LOG_LEVEL: 'silent' })
const graph = createHandler({ supergraph, config })
const servers: Server[] = []
afterAll(async () => {
  for (const server of servers) server.close()
  await graph.close()
})

/** What a recipe exports. */
async function recipe(name: string): Promise<Record<string, unknown>> {
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8')
  const code =
    page
      .slice(page.indexOf(`\n${name}`))
      .split('```js\n')[1]
      ?.split('```')[0] ?? ''
  const names = [...code.matchAll(/^export const (\w+)/gm)].map(([, name]) => name)
  const body = code
    .replace(/^import (\w+) from ('.+')$/gm, 'const { default: $1 } = await load($2)')
    .replace(/^import (\{.+\}) from ('.+')$/gm, 'const $1 = await load($2)')
    .replace(/^export /gm, '')
  const Code = Object.getPrototypeOf(async () => {}).constructor
  const load = (module: string): Promise<unknown> => import(/* @vite-ignore */ module)
  return new Code('graph', 'load', `${body}\nreturn { ${names} }`)(graph, load)
}

type Ask = (init: RequestInit & { path?: string }) => Promise<Response>

async function asking(server: Server): Promise<Ask> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return ({ path = '/graphql', ...init }) => {
    const { port } = server.address() as AddressInfo
    return fetch(`http://127.0.0.1:${port}${path}`, init)
  }
}

const asks: Readonly<Record<string, () => Promise<Ask>>> = {
  async "Node's `http`"() {
    return asking((await recipe("Node's `http`")).server as Server)
  },
  async Express() {
    return asking(createServer((await recipe('Express')).app as RequestListener))
  },
  async Fastify() {
    const { server } = (await recipe('Fastify')) as { server: { ready(): Promise<void>; server: Server } }
    await server.ready()
    return asking(server.server)
  },
  async Hono() {
    const { app } = (await recipe('Hono')) as { app: { fetch(request: Request): Promise<Response> } }
    return async ({ path = '/graphql', ...init }) => app.fetch(new Request(`http://a.test${path}`, init))
  },
  async 'Next.js'() {
    const route = (await recipe('Next.js')) as Record<string, (request: Request) => Promise<Response>>
    return async ({ path = '/graphql', ...init }) =>
      route[init.method ?? 'GET']?.(new Request(`http://a.test${path}`, init)) as Promise<Response>
  },
}

const json = { 'content-type': 'application/json' }
const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
})

describe.each(Object.keys(asks))('in %s', (name) => {
  test('the graph answers GET and POST, and refuses what is no request', async () => {
    const ask = (await asks[name]?.()) as Ask
    const answer = { data: { __typename: 'Query' } }
    const posted = await ask(post({ query: '{ __typename }' }))
    expect([posted.status, await posted.json()]).toEqual([200, answer])
    const got = await ask({ path: `/graphql?query=${encodeURIComponent('{ __typename }')}` })
    expect([got.status, await got.json()]).toEqual([200, answer])
    const compressed = gzipSync(JSON.stringify({ query: '{ __typename }' }))
    expect(await (await ask(post(compressed, { 'content-encoding': 'gzip' }))).json()).toEqual(answer)
    const statuses = [
      post('{'),
      post({ query: `{ __typename } # ${'x'.repeat(3000)}` }),
      post('x', { 'content-encoding': 'gzip' }),
      post('x', { 'content-encoding': 'lzma' }),
      post('x', { 'content-type': 'text/plain' }),
    ].map(async (init) => (await ask(init)).status)
    expect(await Promise.all(statuses)).toEqual([400, 413, 400, 415, 415])
  })
})

test('a body that Express has parsed is taken as it was', async () => {
  const { default: express } = (await import('express' as string)) as { default: never }
  const make = express as unknown as (() => {
    use(...given: unknown[]): void
    all(...given: unknown[]): void
  }) & {
    json(): unknown
  }
  const app = make()
  app.use(make.json())
  app.all('/graphql', graph.listener)
  const ask = await asking(createServer(app as unknown as RequestListener))
  const response = await ask(post({ query: '{ __typename }' }))
  expect(await response.json()).toEqual({ data: { __typename: 'Query' } })
})

test('a compressed body that Express has parsed is not decoded again', async () => {
  const { default: express } = (await import('express' as string)) as { default: never }
  const make = express as unknown as (() => { use(...given: unknown[]): void }) & { json(): unknown }
  const app = make()
  app.use(make.json())
  app.use(graph.listener)
  const ask = await asking(createServer(app as unknown as RequestListener))
  const compressed = gzipSync(JSON.stringify({ query: '{ __typename }' }))
  const response = await ask(post(compressed, { 'content-encoding': 'gzip' }))
  expect(await response.json()).toEqual({ data: { __typename: 'Query' } })
})

test('a response that the program around it has sent meanwhile stays', async () => {
  const ask = await asking(
    createServer((request, response) => {
      graph.listener(request, response)
      response.writeHead(503)
      response.write('late')
      setTimeout(() => response.end(), 200)
    }),
  )
  const response = await ask(post({ query: '{ __typename }' }))
  expect([response.status, await response.text()]).toEqual([503, 'late'])
})

test('a body that never ends is refused when its time is up', async () => {
  const hasty = createHandler({
    supergraph,
    config: configFrom({ TESSERA_BODY_TIMEOUT_MS: '50', TESSERA_LOG_LEVEL: 'silent' }),
  })
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"query":')) })
  const init = { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit
  const response = await hasty.fetch(new Request('http://a.test/graphql', init))
  expect([response.status, (await response.json()).errors[0].extensions.code]).toEqual([
    408,
    'REQUEST_TIMEOUT',
  ])
  await hasty.close()
})

test('a body that is compressed with too large a window is refused with that reason', async () => {
  const large = brotliCompressSync(JSON.stringify({ query: `{ __typename # ${'x'.repeat(120)}\n}` }), {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
  const response = await graph.fetch(new Request('http://a.test/', post(large, { 'content-encoding': 'br' })))
  expect([response.status, (await response.json()).errors[0].message]).toEqual([
    400,
    expect.stringContaining('window of more than 2^22 bytes'),
  ])
})

test('a signal that outlives a request is not listened to afterwards', async () => {
  const { signal } = new AbortController()
  for (let count = 0; count < 20; count++) await graph.execute({ query: '{ __typename }', signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a request that its client has given up is cancelled', async () => {
  const gone = AbortSignal.abort()
  const request = new Request('http://a.test/graphql', {
    ...post({ query: '{ video(videoId: "a") { title } }' }),
  })
  const cancelled = Object.defineProperty(request, 'signal', { value: gone })
  const { errors } = await (await graph.fetch(cancelled)).json()
  expect(errors).toHaveLength(1)
})

test('bodies type-check as those of a Response', async () => {
  const { body } = await graph.respond({
    ...{ method: 'GET', url: '/graphql?query={__typename}' },
    headers: {},
  })
  const bytes: Uint8Array<ArrayBuffer> = body
  expect(await new Response(bytes).json()).toEqual({ data: { __typename: 'Query' } })
})

describe('persisted operations', () => {
  const query = '{ __typename }'
  const hash = hashOf(query)
  const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }
  const ask = async (on: GraphHandler, body: object) => {
    const { data, errors } = await (await on.fetch(new Request('http://a.test/', post(body)))).json()
    return data ?? errors[0].extensions.code
  }

  test('are known by their hash once they came with it', async () => {
    expect(await ask(graph, persisted)).toBe('PERSISTED_QUERY_NOT_FOUND')
    expect(await ask(graph, { ...persisted, query })).toEqual({ __typename: 'Query' })
    expect(await ask(graph, persisted)).toEqual({ __typename: 'Query' })
  })

  test('that are trusted are all that is executed, if the configuration says so', async () => {
    const trusted = createHandler({
      supergraph,
      manifest: JSON.stringify({ operations: [{ id: hash, body: query }] }),
      config: configFrom({
        TESSERA_PERSISTED: 'trusted',
        TESSERA_PERSISTED_MANIFEST: 'manifest.json',
        TESSERA_LOG_LEVEL: 'silent',
      }),
    })
    expect(await ask(trusted, persisted)).toEqual({ __typename: 'Query' })
    expect(await ask(trusted, { query: '{ a: __typename }' })).toBe('PERSISTED_QUERY_ONLY')
    expect((await trusted.execute({ query: '{ a: __typename }' })).errors?.[0]?.extensions.code).toBe(
      'PERSISTED_QUERY_ONLY',
    )
    await trusted.close()
  })
})
