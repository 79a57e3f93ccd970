/**
 * Reloading without a lost request: a gateway of its own process, whose supergraph comes from a file, from an
 * address or again at SIGHUP. Its subgraphs are real servers.
 */
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { startFaultyServer } from '../../support/faulty-server.ts'
import { startInProcess } from '../../support/in-process-command.ts'
import {
  type Router,
  shop,
  startInFront,
  startRouter,
  startService,
  supergraphOf,
  until,
} from '../../support/router.ts'
import { temporaryFile } from '../../support/temporary.ts'

const generationOf = async (router: Router) => (await router.ready()).generation

/** The products with one more field. */
const withColour = {
  sdl: shop.products.sdl.replace('name: String }', 'name: String colour: String }'),
  resolvers: { ...shop.products.resolvers, Product: { colour: () => 'red' } },
}

test('a supergraph file that changes is served; one that is wrong changes nothing and says why', async () => {
  await using products = await startService('products', withColour)
  await using reviews = await startService('reviews', shop.reviews)
  const small = supergraphOf([{ ...products, sdl: shop.products.sdl }, reviews])
  const large = supergraphOf([products, reviews])
  await using router = await startRouter({ supergraph: small, env: { TESSERA_WATCH_MS: '20' } })
  expect((await router.ask('{ products { colour } }')).body.errors[0].extensions.code).toBe(
    'GRAPHQL_VALIDATION_FAILED',
  )
  router.write('supergraph.graphql', large)
  await until(async () => (await generationOf(router)).number === 2, 'the second generation')
  expect((await router.ask('{ products { colour } }')).body.data.products[0].colour).toBe('red')

  router.write('supergraph.graphql', 'type Query { a: Int }')
  await until(async () => (await generationOf(router)).refused !== undefined, 'the refusal')
  const state = await generationOf(router)
  expect(state.number).toBe(2)
  expect(state.refused?.reasons.join()).toContain('This is not a supergraph')
  router.write(
    'supergraph.graphql',
    large.replace(
      'url: "https://specs.apollo.dev/link/v1.0"',
      'url: "https://example.com/spell/v1.0", for: SECURITY',
    ),
  )
  await until(
    async () => (await generationOf(router)).refused?.reasons.join().includes('spell') === true,
    'the refusal of an unknown feature',
  )
  router.write('supergraph.graphql', supergraphOf([{ ...products, url: '' }, reviews]))
  await until(
    async () => (await generationOf(router)).refused?.reasons.join().includes('no address') === true,
    'the refusal of a subgraph without an address',
  )
  expect((await router.ask('{ products { colour } }')).body.data.products[0].colour).toBe('red')
  expect(await router.metrics()).toMatch(/tessera_reloads_total\{result="refused"\} 3/)
  await until(
    () => router.command.output().includes('the reload was refused: nothing has changed'),
    'the line in the log',
  )

  router.write('supergraph.graphql', small)
  await until(async () => (await generationOf(router)).number === 3, 'the third generation')
  expect((await generationOf(router)).refused).toBeUndefined()
})

test('a supergraph at an address is polled by its ETag, with the key in its header', async () => {
  await using products = await startService('products', withColour)
  await using reviews = await startService('reviews', shop.reviews)
  let text = supergraphOf([{ ...products, sdl: shop.products.sdl }, reviews])
  let broken = false
  const statuses: number[] = []
  const keys = new Set<unknown>()
  await using registry = await startFaultyServer((response, { headers }) => {
    keys.add(headers['x-hive-cdn-key'])
    const etag = `"${hashOf(text)}"`
    const status = broken ? 500 : headers['if-none-match'] === etag ? 304 : 200
    statuses.push(status)
    response.writeHead(status, { etag }).end(status === 200 ? text : undefined)
  })
  await using router = await startRouter({
    supergraph: '',
    args: [],
    env: {
      TESSERA_SUPERGRAPH: `${registry.url}/artifacts/supergraph`,
      TESSERA_SUPERGRAPH_KEY: 'the-key-of-the-registry',
      TESSERA_SUPERGRAPH_POLL_MS: '20',
    },
  })
  await until(() => statuses.length > 5, 'polls')
  expect(statuses.slice(0, 5)).toEqual([200, 304, 304, 304, 304])
  expect([...keys]).toEqual(['the-key-of-the-registry'])
  broken = true
  await until(
    async () => (await generationOf(router)).refused?.reasons.join().includes('answered 500') === true,
    'the refusal',
  )
  expect((await router.ask('{ products { name } }')).body.data.products).toHaveLength(2)
  broken = false
  text = supergraphOf([products, reviews])
  await until(async () => (await generationOf(router)).number === 2, 'the second generation')
  expect((await router.ask('{ products { colour } }')).body.data.products[0].colour).toBe('red')
  expect(router.command.output()).not.toContain('the-key-of-the-registry')
  expect(router.command.output()).not.toContain('/artifacts/')
})

test('SIGHUP reads the configuration again: limits are taken over, what needs a restart is named', async () => {
  const { router } = await startInFront(shop, { apart: true })
  const config = { TESSERA_MAX_ALIASES: 1, TESSERA_CORS_ORIGINS: ['https://app.example.com'] }
  expect((await router.reload(config)).number).toBe(2)
  const refused = await router.ask('{ a: products { id } b: products { id } }')
  expect(refused.body.errors[0].extensions).toMatchObject({ code: 'OPERATION_TOO_LARGE', limit: 'aliases' })
  await until(
    () =>
      /need a restart/.test(router.command.output()) && /TESSERA_CORS_ORIGINS/.test(router.command.output()),
    'the names of what needs a restart',
  )
  expect((await router.reload({ TESSERA_MAX_ALIASES: 'none' })).refused?.reasons).toEqual([
    expect.stringMatching(/^TESSERA_MAX_ALIASES: expected a whole number .* \(.*:1:22\)/),
  ])
})

test('SIGHUP during the start reads everything again as soon as the gateway serves', async () => {
  const products = { name: 'products', url: 'http://127.0.0.1:9/graphql' }
  await using registry = await startFaultyServer((response, _, number) => {
    if (number === 0) command.hangUp()
    const { sdl } = number === 0 ? shop.products : withColour
    response.end(supergraphOf([{ ...products, sdl }]))
  })
  const env = { TESSERA_SUPERGRAPH: registry.url, TESSERA_SUPERGRAPH_POLL_MS: '0', TESSERA_WATCH_MS: '0' }
  await using command = startInProcess(['serve', '--port', '0'], env)
  const graph = await command.said('graph')
  const query = encodeURIComponent('{ __type(name: "Product") { fields { name } } }')
  await until(async () => {
    const answer = await fetch(`${graph}?query=${query}`, { headers: { 'apollo-require-preflight': 'true' } })
    return (await answer.text()).includes('colour')
  }, 'the supergraph of the second request')
})

test('a running request ends on its generation, whose connections are closed after it', async () => {
  await using elsewhere = await startService('products', withColour)
  const { router, products, reviews } = await startInFront(shop, { env: { TESSERA_WATCH_MS: '20' } })
  const held: ServerResponse[] = []
  products.intercept = (_, response) => void held.push(response)
  const running = router.ask('{ products { name } }')
  await until(() => held.length === 1, 'a fetch that is held')
  router.write('supergraph.graphql', supergraphOf([elsewhere, reviews]))
  await until(async () => (await generationOf(router)).number === 2, 'the second generation')
  expect((await router.ask('{ products { colour } }')).body.data.products[0].colour).toBe('red')
  const connections = (): Promise<number> =>
    new Promise((resolve) => products.server.getConnections((_, count) => resolve(count)))
  expect(await connections()).toBe(1)
  held[0]?.setHeader('content-type', 'application/json').end('{"data":{"products":[{"name":"held"}]}}')
  expect((await running).body).toEqual({ data: { products: [{ name: 'held' }] } })
  await until(async () => (await connections()) === 0, 'the end of the old connections')
})

test('a deferred part that is under way ends on its generation, even if others take over twice', async () => {
  const { router, reviews } = await startInFront(shop)
  const held: ServerResponse[] = []
  reviews.intercept = (_, response) => void held.push(response)
  const answer = await fetch(`${router.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
    body: JSON.stringify({ query: '{ products { id ... @defer { stars } } }' }),
  })
  await until(() => held.length === 1, 'the fetch of the deferred part')
  for (const number of [2, 3]) expect((await router.reload()).number).toBe(number)
  held[0]
    ?.setHeader('content-type', 'application/json')
    .end('{"data":{"_entities":[{"stars":3},{"stars":5}]}}')
  const text = await answer.text()
  expect(text.match(/"stars":\d/g)).toEqual(['"stars":3', '"stars":5'])
  expect(text).not.toContain('errors')
})

test('operations that were asked for most are prepared before a generation takes over', async () => {
  const { router, products, reviews } = await startInFront(shop, {
    config: { TESSERA_WARM_OPERATIONS: 3 },
    env: { TESSERA_WATCH_MS: '20' },
  })
  const fields = ['id', 'name', 'stars', 'id name', 'id stars']
  for (const [index, field] of fields.entries())
    for (let times = 0; times <= index; times++) await router.ask(`{ products { ${field} } }`)
  const misses = async (): Promise<number> =>
    Number(/tessera_operation_cache_total\{result="miss"\} (\d+)/.exec(await router.metrics())?.[1])
  expect(await misses()).toBe(5)
  router.write('supergraph.graphql', `# again\n${supergraphOf([products, reviews])}`)
  await until(async () => (await generationOf(router)).number === 2, 'the second generation')
  for (const field of fields.slice(2)) await router.ask(`{ products { ${field} } }`)
  expect(await misses()).toBe(5)
  for (const field of fields.slice(0, 2)) await router.ask(`{ products { ${field} } }`)
  expect(await misses()).toBe(7)
})

test('trusted operations are prepared at start', async () => {
  const body = '{ products { name stars } }'
  const manifest = JSON.stringify({ operations: [{ id: hashOf(body), body }] })
  const path = temporaryFile('manifest.json', manifest)
  const { router } = await startInFront(shop, {
    config: { TESSERA_PERSISTED: 'trusted', TESSERA_PERSISTED_MANIFEST: path },
  })
  expect((await router.ask(body)).body.data.products[0].stars).toBe(4)
  const metrics = await router.metrics()
  expect(metrics).toMatch(/tessera_operation_cache_total\{result="miss"\} 0/)
  expect(metrics).toMatch(/tessera_operation_cache_total\{result="hit"\} 1/)
})

test('a hundred generations take over under load, and no request fails', async () => {
  await using products = await startService('products', withColour)
  await using reviews = await startService('reviews', shop.reviews)
  const small = supergraphOf([{ ...products, sdl: shop.products.sdl }, reviews])
  const large = supergraphOf([products, reviews])
  await using router = await startRouter({ supergraph: small })
  let stopped = false
  const failures: unknown[] = []
  let answered = 0
  const client = async (query: string): Promise<void> => {
    while (!stopped) {
      try {
        const { status, body } = await router.ask(query)
        if (status !== 200 || body.errors !== undefined) failures.push(body)
      } catch (error) {
        failures.push(error)
      }
      answered += 1
    }
  }
  const clients = [
    '{ products { name stars } }',
    '{ products { id } }',
    '{ product(id: "1") { stars } }',
  ].map(client)
  for (let number = 2; number <= 101; number++) {
    router.write('supergraph.graphql', `# ${number}\n${number % 2 === 0 ? large : small}`)
    expect((await router.reload()).number).toBe(number)
  }
  stopped = true
  await Promise.all(clients)
  expect(failures).toEqual([])
  expect(answered).toBeGreaterThan(100)
  await delay(0)
})
