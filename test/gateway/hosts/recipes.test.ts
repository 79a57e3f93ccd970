/**
 * The recipes of docs/library.md, as they stand there, in the servers that they are for.
 * Needs the package express. Needs the package fastify. Needs the package hono.
 */
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createHandler } from '../../../gateway/hosts/library.ts'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'
import { root } from '../../support/deploy.ts'
import { configFrom } from '../../support/graph.ts'
import { type Ask, asking, post } from './web.ts'

const supergraph = readSchemaFile('supergraph')
const config = configFrom({ TESSERA_MAX_BODY_BYTES: '2000' })
const graph = createHandler({ supergraph, config })
afterAll(() => graph.close())

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

describe.each(Object.keys(asks))('in %s', (name) => {
  test('the graph answers GET and POST, and refuses invalid requests', async () => {
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

test('a response in Fastify has the headers that plugins have set', async () => {
  const { server } = (await recipe('Fastify')) as {
    server: {
      addHook(
        name: string,
        hook: (_: unknown, reply: { header(name: string, value: string): void }) => Promise<void>,
      ): void
      ready(): Promise<void>
      server: Server
    }
  }
  server.addHook('onRequest', async (_, reply) => {
    reply.header('access-control-allow-origin', 'https://a.test')
  })
  await server.ready()
  const ask = await asking(server.server)
  const { status, headers } = await ask(post({ query: '{ __typename }' }))
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://a.test'])
})

interface ExpressApp {
  use(...given: unknown[]): void
  all(...given: unknown[]): void
}

describe('a body that Express has parsed', () => {
  const query = { query: '{ __typename }' }
  test.each<[string, (app: ExpressApp) => void, ReturnType<typeof post>]>([
    ['is used as it is', (app) => app.all('/graphql', graph.listener), post(query)],
    [
      'is not decoded again',
      (app) => app.use(graph.listener),
      post(gzipSync(JSON.stringify(query)), { 'content-encoding': 'gzip' }),
    ],
  ])('%s', async (_, mount, init) => {
    const { default: express } = (await import('express' as string)) as { default: never }
    const make = express as unknown as (() => ExpressApp) & { json(): unknown }
    const app = make()
    app.use(make.json())
    mount(app)
    const ask = await asking(createServer(app as unknown as RequestListener))
    expect(await (await ask(init)).json()).toEqual({ data: { __typename: 'Query' } })
  })
})
