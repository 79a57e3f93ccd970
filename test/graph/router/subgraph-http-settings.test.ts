/** The settings for subgraphs over HTTP in the configuration file: a real process with real servers. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import {
  createServer as createHttp2Server,
  createSecureServer,
  type Http2SecureServer,
  type Http2Session,
} from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { makeCertificate } from '../../support/certificate.ts'
import type { MakeServer } from '../../support/http-subgraph.ts'
import {
  onlyProducts,
  shop,
  startInFront,
  startRouter,
  startService,
  supergraphOf,
  until,
  withCache,
} from '../../support/router.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const data = '{"data":{"products":[{"name":"Table"}]}}'
const query = '{ products { name } }'

test('addresses in the configuration win over those in the supergraph, and a subgraph has its own timeout', async () => {
  await using products = await startService('products', shop.products)
  await using reviews = await startService('reviews', shop.reviews)
  await using router = await startRouter({
    supergraph: supergraphOf([{ ...products, url: 'http://127.0.0.1:1/graphql' }, reviews]),
    config: {
      traffic: {
        all: { timeoutMs: 20_000 },
        subgraphs: { products: { url: products.url }, reviews: { timeoutMs: 500 } },
      },
    },
  })
  // The first time may take longer than that if much else runs.
  await expect
    .poll(async () => (await router.ask('{ products { name stars } }')).body.data.products[0])
    .toEqual({ name: 'Table', stars: 4 })
  reviews.intercept = () => true
  const late = await router.ask('{ products { name stars } }')
  expect(late.body.data.products[0]).toEqual({ name: 'Table', stars: null })
  expect(late.body.errors[0].extensions).toMatchObject({ code: 'UPSTREAM_TIMEOUT', service: 'reviews' })
})

test('queries are repeated within a budget, mutations never', async () => {
  const { router, products } = await startInFront(onlyProducts, {
    config: { traffic: { all: { retries: { most: 2, budget: 0, delayMs: 1 } } } },
  })
  let failures = 2
  products.intercept = (_, response) => {
    if (failures === 0) return false
    failures -= 1
    return response.writeHead(503).end()
  }
  expect((await router.ask(query)).body.data.products).toHaveLength(2)
  expect(products.asked).toHaveLength(3)
  failures = Number.POSITIVE_INFINITY
  products.asked.length = 0
  const mutation = await router.ask('mutation { rename(id: "1", name: "x") { id } }')
  expect(mutation.body.errors[0].extensions.code).toBe('UPSTREAM_UNAVAILABLE')
  expect(products.asked).toHaveLength(1)
  products.asked.length = 0
  for (let times = 0; times < 20; times++) await router.ask(query)
  // Ten retries were saved up, two of which are used; nothing is added to them.
  expect(products.asked).toHaveLength(20 + 8)
})

test('a subgraph that fails is not asked for a while, which health tells', async () => {
  const { router, products } = await startInFront(onlyProducts, {
    config: { traffic: { subgraphs: { products: { breaker: { consecutive: 3, pauseMs: 600_000 } } } } },
  })
  products.intercept = (_, response) => void response.writeHead(500).end()
  for (let times = 0; times < 3; times++) await router.ask(query)
  expect(products.asked).toHaveLength(3)
  const refused = await router.ask(query)
  expect(refused.body.errors[0].extensions).toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    service: 'products',
    retryAfter: expect.any(Number),
  })
  expect(products.asked).toHaveLength(3)
  expect((await router.ready()).services).toMatchObject([
    { service: 'products', ready: false, state: 'open' },
  ])
  products.intercept = undefined
  const now = performance.now.bind(performance)
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => now() + 600_000)
  expect((await router.ask(query)).body.errors).toBeUndefined()
  expect((await router.ready()).services).toMatchObject([{ service: 'products', ready: true }])
})

test('a subgraph gets no more concurrent requests than its limit; beyond the line they are refused', async () => {
  const { router, products } = await startInFront(onlyProducts, {
    config: { traffic: { all: { concurrency: { most: 2, waiting: 1 } } }, TESSERA_SHARE_EQUAL: false },
  })
  await router.ask(query)
  products.asked.length = 0
  const opened = Promise.withResolvers<void>()
  products.intercept = async () => {
    await opened.promise
    return false
  }
  const running = [router.ask(query), router.ask(query), router.ask(query)]
  await until(() => products.asked.length === 2, 'two fetches')
  await until(
    async () => JSON.stringify((await router.ready()).services).includes('"active":2,"waiting":1'),
    'one that waits',
  )
  expect((await router.ask(query)).body.errors[0].extensions.code).toBe('UPSTREAM_UNAVAILABLE')
  opened.resolve()
  for (const { body } of await Promise.all(running)) expect(body.data.products).toHaveLength(2)
})

/** The usual quality takes seconds for what is long. */
const quickBrotli = (data: Buffer): Buffer =>
  brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

test.each([
  ['gzip', gzipSync],
  ['br', quickBrotli],
  ['zstd', zstdCompressSync],
] as const)(
  'answers of subgraphs and bodies of clients may come as %s, and neither as a bomb',
  async (coding, compress) => {
    const { router, products } = await startInFront(onlyProducts, {
      config: { traffic: { all: { compressed: true } }, TESSERA_MAX_BODY_BYTES: 2000 },
    })
    products.intercept = ({ headers }, response) => {
      expect(headers['accept-encoding']).toBe('zstd, br, gzip')
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
      response.end(compress(Buffer.from(data)))
    }
    const send = async (body: Buffer, name: string = coding) => {
      const answer = await fetch(`${router.origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': name },
        body: new Uint8Array(body),
      })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    }
    expect((await send(compress(Buffer.from(JSON.stringify({ query }))))).body).toEqual(JSON.parse(data))
    const bomb = await send(compress(Buffer.alloc(20_000_000, ' ')))
    expect(bomb).toMatchObject({
      status: 413,
      body: { errors: [{ extensions: { code: 'REQUEST_TOO_LARGE' } }] },
    })
    expect((await send(Buffer.from('no such coding'))).status).toBe(400)
    const unknown = await send(Buffer.from('x'), 'deflate')
    expect([unknown.status, unknown.headers.get('accept-encoding')]).toEqual([415, 'zstd, br, gzip'])
    // Made before it is asked for, as that takes a while.
    const large = compress(Buffer.alloc(70 * 1024 * 1024, ' '))
    products.intercept = (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(large)
    expect((await router.ask(query)).body.errors[0].extensions.code).toBe('UPSTREAM_BAD_RESPONSE')
  },
)

test('queries go by GET with the hash of their document, which follows on request', async () => {
  const { router, products } = await startInFront(onlyProducts, {
    config: { traffic: { all: { persisted: true } } },
  })
  const known = new Set<string>()
  products.intercept = ({ method, url, body }, response) => {
    response.setHeader('content-type', 'application/json')
    const { searchParams } = new URL(url, 'http://localhost')
    const sent =
      method === 'GET'
        ? { extensions: JSON.parse(searchParams.get('extensions') ?? '') }
        : JSON.parse(body.toString())
    const hash = sent.extensions.persistedQuery.sha256Hash as string
    if (method === 'POST') {
      expect(createHash('sha256').update(sent.query).digest('hex')).toBe(hash)
      known.add(hash)
    }
    response.end(
      known.has(hash)
        ? '{"data":{"product":{"name":"Table"}}}'
        : '{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}',
    )
  }
  for (const id of ['1', '2', '3']) {
    expect((await router.ask(`query Named { product(id: "${id}") { name } }`)).body).toEqual({
      data: { product: { name: 'Table' } },
    })
  }
  expect(products.asked.map(({ method }) => method).slice(0, 2)).toEqual(['GET', 'POST'])
  expect(products.asked.filter(({ method }) => method === 'POST').length).toBe(known.size)
})

test('a query by GET remains one, with its condition, when it is sent once more', async () => {
  const { router, products } = await startInFront(onlyProducts, {
    env: withCache,
    config: { traffic: { all: { persisted: true } } },
  })
  const kept = { 'cache-control': 'public, max-age=0', etag: '"v1"' }
  products.intercept = ({ method, headers }, response) => {
    const isLost = products.asked.length === 2
    // A condition has another meaning for POST.
    if (isLost) response.destroy()
    else if (headers['if-none-match'] !== undefined)
      response.writeHead(method === 'GET' ? 304 : 412, kept).end()
    else
      response
        .writeHead(200, { ...kept, 'content-type': 'application/json' })
        .end('{"data":{"products":[{"name":"Table"}]}}')
  }
  for (const _ of [1, 2])
    expect((await router.ask(query)).body).toEqual({ data: { products: [{ name: 'Table' }] } })
  expect(products.asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET'])
})

test('HTTP/2 without TLS carries all requests on one connection', async () => {
  const sessions = new Set<unknown>()
  const make: MakeServer = (listener) => {
    const server = createHttp2Server((request, response) => listener(request as never, response as never))
    server.on('session', (session) => sessions.add(session))
    return server as never
  }
  const served = { products: { ...shop.products, make } }
  const { router } = await startInFront(served, {
    config: { traffic: { all: { http2: true, connections: 1 } }, TESSERA_SHARE_EQUAL: false },
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => router.ask(query)))
  for (const { body } of answers) expect(body.data.products).toHaveLength(2)
  expect(sessions.size).toBe(1)
})

/** Makes an authority in a folder, and certificates of it for a server and a client. */
function makeCertificates(folder: string): void {
  makeCertificate(folder, 'ca')
  for (const name of ['server', 'client']) makeCertificate(folder, name, 'ca')
}

/** What a server needs that shows such a certificate and wants one. */
const serverFiles = (folder: string) => ({
  key: readFileSync(join(folder, 'server.key')),
  cert: readFileSync(join(folder, 'server.pem')),
  ca: readFileSync(join(folder, 'ca.pem')),
  requestCert: true,
  rejectUnauthorized: true,
})

test('a subgraph proves itself by a certificate of our own authority, and we prove ourselves to it', async () => {
  const folder = temporaryFolder()
  makeCertificates(folder)
  const file = (name: string): string => join(folder, name)
  const callers = new Set<unknown>()
  const make: MakeServer = (listener) =>
    createHttpsServer(serverFiles(folder), (request, response) => {
      callers.add((request.socket as TLSSocket).getPeerCertificate().subject.CN)
      listener(request, response)
    }) as never
  const served = { products: { ...shop.products, scheme: 'https' as const, make } }
  const { router } = await startInFront(served, {
    config: {
      traffic: {
        subgraphs: {
          products: { tls: { ca: file('ca.pem'), certificate: file('client.pem'), key: file('client.key') } },
        },
      },
    },
  })
  expect((await router.ask(query)).body.data.products).toHaveLength(2)
  expect([...callers]).toEqual(['client'])
  // A file that is being written is empty first, and files are exchanged one after the other.
  writeFileSync(file('empty.pem'), '')
  for (const [tls, reason] of [
    [{ ca: file('empty.pem') }, 'it has no certificate'],
    [{ ca: file('ca.pem'), certificate: file('client.pem'), key: file('server.key') }, 'do not match'],
  ] as const) {
    const { refused } = await router.reload({ traffic: { subgraphs: { products: { tls } } } })
    expect(refused?.reasons.join()).toContain(reason)
    expect((await router.ask(query)).body.data.products).toHaveLength(2)
  }
  await router.reload({})
  // Without the authority.
  expect((await router.ask(query)).body.errors?.[0]?.extensions.code).toBe('UPSTREAM_UNAVAILABLE')
})

test('HTTP/2 over TLS carries all requests on one connection, and a certificate that is exchanged is taken over', async () => {
  const [folder, next] = [0, 1].map(() => temporaryFolder()) as [string, string]
  makeCertificates(folder)
  makeCertificates(next)
  const sessions = new Set<Http2Session>()
  const protocols = new Set<unknown>()
  let server: Http2SecureServer | undefined
  const make: MakeServer = (listener) => {
    server = createSecureServer(serverFiles(folder), (request, response) => {
      protocols.add(request.httpVersion)
      listener(request as never, response as never)
    })
    server.on('session', (session) => sessions.add(session))
    return server as never
  }
  const served = { products: { ...shop.products, scheme: 'https' as const, make } }
  const files = {
    ca: join(folder, 'ca.pem'),
    certificate: join(folder, 'client.pem'),
    key: join(folder, 'client.key'),
  }
  const { router } = await startInFront(served, {
    config: { traffic: { all: { http2: true, connections: 1, tls: files } }, TESSERA_SHARE_EQUAL: false },
    env: { TESSERA_WATCH_MS: '50' },
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => router.ask(query)))
  for (const { body } of answers) expect(body.data.products).toHaveLength(2)
  expect([[...protocols], sessions.size]).toEqual([['2.0'], 1])

  // The subgraph moves to another authority: it takes our new certificate alone, and shows one of its own.
  server?.setSecureContext(serverFiles(next))
  for (const session of sessions) session.destroy()
  await until(
    async () => (await router.ask(query)).body.errors !== undefined,
    'a refusal of the old certificates',
  )
  for (const name of ['ca.pem', 'client.pem', 'client.key'])
    writeFileSync(join(folder, name), readFileSync(join(next, name)))
  await until(async () => (await router.ask(query)).body.errors === undefined, 'the new certificates')
  expect((await router.ready()).generation.number).toBeGreaterThan(1)
})

test('health knows of a subgraph without requests, by probes', async () => {
  await using products = await startService('products', shop.products)
  await using router = await startRouter({
    supergraph: supergraphOf([
      products,
      { ...shop.reviews, name: 'reviews', url: 'http://127.0.0.1:1/graphql' },
    ]),
    config: { traffic: { all: { probeMs: 100 } } },
  })
  await until(
    async () =>
      JSON.stringify((await router.ready()).services) ===
      JSON.stringify([
        { service: 'products', ready: true, state: 'reachable' },
        { service: 'reviews', ready: false, state: 'unreachable' },
      ]),
    'what the probes found',
  )
  expect(JSON.parse(products.asked[0]?.body.toString() ?? '')).toEqual({
    query: '{ __typename }',
    variables: {},
  })
})
