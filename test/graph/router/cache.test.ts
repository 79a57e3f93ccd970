/** The response cache in a real gateway, with real subgraphs whose requests are counted. */
import { once } from 'node:events'
import { get } from 'node:http'
import { expect, test } from 'vitest'
import {
  adminToken,
  onlyProducts,
  productsNamed,
  purge,
  type Router,
  shop,
  startInFront,
  until,
  withAdmin,
  withCache,
} from '../../support/router.ts'
import { signToken, tokenSecret } from '../../support/token.ts'

const tokenOf = (subject: string): Promise<string> => signToken({ sub: subject })

const countsOf = async (router: Router): Promise<Record<string, number>> =>
  Object.fromEntries(
    [
      ...(await router.metrics()).matchAll(
        /^tessera_response_cache_total\{subgraph="(\w+)",result="(\w+)"\} (\d+)/gm,
      ),
    ].map(([, subgraph, result, count]) => [`${subgraph} ${result}`, Number(count)]),
  )

test('root fields and entities are answered by what is kept, entity by entity, until it is stale', async () => {
  const { router, products, reviews } = await startInFront(shop, { env: withCache })
  products.answerHeaders = { 'cache-control': 'public, max-age=300' }
  reviews.answerHeaders = { 'cache-control': 'public, max-age=60' }

  const first = await router.ask('{ product(id: "1") { name stars } }')
  const all = await router.ask('{ products { name stars } }')
  const again = await router.ask('query Other { products { name stars } }')
  expect(first.body).toEqual({ data: { product: { name: 'Table', stars: 4 } } })
  expect(again.body).toEqual(all.body)
  expect(products.asked).toHaveLength(2)
  // Product 1 was known when both were asked for.
  expect(reviews.asked.map(({ body }) => JSON.parse(String(body)).variables.representations)).toEqual([
    [{ __typename: 'Product', id: '1' }],
    [{ __typename: 'Product', id: '2' }],
  ])
  expect(again.headers.get('cache-control')).toMatch(/^public, max-age=[1-5]?\d$/)
  expect(await countsOf(router)).toEqual({
    'products miss': 2,
    'products hit': 1,
    'reviews miss': 2,
    'reviews hit': 3,
  })
  expect(await router.metrics()).toMatch(/^tessera_response_cache_bytes [1-9]\d+/m)
})

test('without the variable nothing is kept, and our answers may not be kept', async () => {
  const { router, products } = await startInFront(onlyProducts)
  products.answerHeaders = { 'cache-control': 'public, max-age=300' }
  await router.ask('{ products { name } }')
  const again = await router.ask('{ products { name } }')
  expect(products.asked).toHaveLength(2)
  expect(again.headers.get('cache-control')).toBe('no-store')
})

test('answers without caching headers are fetched each time, unless the configuration gives a time', async () => {
  const { router, products, reviews } = await startInFront(shop, {
    env: withCache,
    config: { cache: { all: { maxAgeSeconds: 60 }, subgraphs: { reviews: { enabled: false } } } },
  })
  for (let time = 0; time < 2; time++) await router.ask('{ products { name stars } }')
  expect([products.asked.length, reviews.asked.length]).toEqual([1, 2])
})

test('a mutation makes what it changed be fetched again: the entity, and lists of its type', async () => {
  const { router, products, reviews } = await startInFront(shop, { env: withCache })
  products.answerHeaders = { 'cache-control': 'public, max-age=300' }
  reviews.answerHeaders = { 'cache-control': 'public, max-age=300' }
  const query = '{ products { name stars } reviewCount }'
  await router.ask(query)
  await router.ask(query)
  expect([products.asked.length, reviews.asked.length]).toEqual([1, 2])
  const changed = await router.ask('mutation { rename(id: "1", name: "Desk") { id name } }')
  expect(changed.headers.get('cache-control')).toBe('no-store')
  reviews.asked.length = 0
  await router.ask(query)
  expect(products.asked).toHaveLength(3)
  // The other product, and what has nothing to do with products, are still known.
  expect(reviews.asked.map(({ body }) => JSON.parse(String(body)).variables.representations)).toEqual([
    [{ __typename: 'Product', id: '1' }],
  ])
})

test('private answers are kept only for their caller, and answers that depend on a header for callers with the same', async () => {
  const named = productsNamed(
    (_, headers) => `${headers['x-user'] ?? 'nobody'} ${headers['accept-language'] ?? ''}`,
  )
  const { router, products } = await startInFront(named, {
    env: { ...withCache, TESSERA_JWT_SECRET: tokenSecret },
    config: {
      headers: {
        all: {
          request: [
            { insert: { name: 'x-user', claim: 'sub' } },
            { propagate: { named: 'accept-language' } },
          ],
        },
      },
    },
  })
  const ask = async (user: string | undefined, language: string): Promise<string> => {
    const headers: Record<string, string> = { 'accept-language': language }
    if (user !== undefined) headers.authorization = `Bearer ${await tokenOf(user)}`
    return (await router.ask('{ product(id: "1") { name } }', headers)).body.data.product.name
  }
  products.answerHeaders = { 'cache-control': 'private, max-age=300' }
  expect(await ask('ada', 'en')).toBe('ada en')
  expect(await ask('bob', 'en')).toBe('bob en')
  expect(await ask('ada', 'en')).toBe('ada en')
  expect(await ask(undefined, 'en')).toBe('nobody en')
  expect(products.asked).toHaveLength(3)
  products.answerHeaders = { 'cache-control': 'max-age=300' }
  expect(await ask('eve', 'de')).toBe('eve de')
  expect(await ask('eve', 'de')).toBe('eve de')
  expect(await ask('ada', 'de')).toBe('ada de')
  expect(products.asked).toHaveLength(5)
  const { headers } = await router.ask('{ product(id: "1") { name } }', { 'accept-language': 'de' })
  expect(headers.get('cache-control')).toMatch(/^private, max-age=/)
  expect(headers.get('vary')).toMatch(/\bauthorization, (?:.*, )?accept-language\b/)
})

test('a GET of a cacheable answer has an ETag, and is answered 304 if that is known', async () => {
  const { router, products } = await startInFront(onlyProducts, { env: withCache })
  products.answerHeaders = { 'cache-control': 'max-age=300' }
  const url = `${router.origin}/graphql?query=${encodeURIComponent('{ products { name } }')}`
  const first = await fetch(url, { headers: { origin: 'https://app.example' } })
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
  expect(first.headers.get('cache-control')).toMatch(/^public, max-age=(300|2\d\d)$/)
  expect(first.headers.get('vary')).toMatch(/accept, accept-encoding/)
  const known = await fetch(url, { headers: { 'if-none-match': `"other", ${etag}` } })
  expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag])
  const changed = await fetch(url, { headers: { 'if-none-match': '"other"' } })
  expect(changed.status).toBe(200)
  products.answerHeaders = {}
  const other = await fetch(
    `${router.origin}/graphql?query=${encodeURIComponent('{ product(id: 7) { name } }')}`,
  )
  expect([other.headers.get('cache-control'), other.headers.get('etag')]).toEqual(['no-store', null])
})

test('a cacheable answer has one line of Vary with each name once, compressed for a page or not', async () => {
  const { router, products } = await startInFront(onlyProducts, {
    env: { ...withCache, TESSERA_COMPRESSION: 'on', TESSERA_CORS_ORIGINS: 'https://app.example' },
  })
  products.answerHeaders = { 'cache-control': 'max-age=300' }
  const query = `{ products { name ${Array.from({ length: 99 }, (_, at) => `name${at}: name`).join(' ')} } }`
  const url = `${router.origin}/graphql?query=${encodeURIComponent(query)}`
  const linesFor = async (more: Record<string, string>): Promise<unknown> => {
    const [response] = await once(
      get(url, { headers: { 'apollo-require-preflight': '1', ...more } }),
      'response',
    )
    response.resume()
    return [response.headers['content-encoding'], response.headersDistinct.vary]
  }
  const names = ['accept, accept-encoding, Origin']
  expect(await linesFor({})).toEqual([undefined, names])
  expect(await linesFor({ origin: 'https://app.example' })).toEqual([undefined, names])
  expect(await linesFor({ 'accept-encoding': 'gzip' })).toEqual(['gzip', names])
})

test.each([
  ['https://app.example', [null, 'https://app.example', null], /\bOrigin\b/],
  ['*', ['*', '*', '*'], /^(?!.*\bOrigin\b)/],
] as const)(
  'what shared caches may keep says of CORS (%s) what every page needs, whether or not the request names an origin',
  async (origins, allowed, vary) => {
    const { router, products } = await startInFront(onlyProducts, {
      env: { ...withCache, TESSERA_CORS_ORIGINS: origins },
    })
    products.answerHeaders = { 'cache-control': 'max-age=300' }
    const kept = `${router.origin}/graphql?query=${encodeURIComponent('{ products { name } }')}`
    const resource = `${router.origin}/health/live`
    for (const url of [kept, resource]) {
      const seen: (string | null)[] = []
      for (const origin of [undefined, 'https://app.example', 'https://other.example']) {
        const headers: Record<string, string> = { 'apollo-require-preflight': '1' }
        if (origin !== undefined) headers.origin = origin
        for (const more of url === kept ? [{}, { 'accept-encoding': 'br' }] : [{}]) {
          const response = await fetch(url, { headers: { ...headers, ...more } })
          await response.text()
          expect(response.status).toBe(200)
          expect(response.headers.get('vary') ?? '').toMatch(vary)
          if (Object.keys(more).length === 0) seen.push(response.headers.get('access-control-allow-origin'))
        }
      }
      expect(seen).toEqual(allowed)
      const first = await fetch(kept, { headers: { 'if-none-match': '*' } })
      expect([first.status, first.headers.get('vary') ?? '']).toEqual([304, expect.stringMatching(vary)])
    }
    const refused = await fetch(kept, { method: 'OPTIONS' })
    expect(refused.status).toBe(405)
  },
)

test('stale answers serve while they are refreshed, and while the subgraph is down', async () => {
  const { router, products } = await startInFront(onlyProducts, { env: withCache })
  products.answerHeaders = { 'cache-control': 'max-age=0, stale-while-revalidate=300, stale-if-error=300' }
  const query = '{ products { name } }'
  const first = await router.ask(query)
  const stale = await router.ask(query)
  expect(stale.body).toEqual(first.body)
  await until(() => products.asked.length === 2, 'the stale answer is asked for anew')
  products.answerHeaders = { 'cache-control': 'max-age=0, stale-if-error=300' }
  await router.ask(query)
  await until(() => products.asked.length === 3, 'asked anew')
  await until(async () => {
    await router.ask(query)
    return products.asked.length > 3
  }, 'what came is kept')
  products.intercept = (_, response) => void response.writeHead(503).end('down')
  const down = await router.ask(query)
  expect(down.body).toEqual(first.body)
  expect(down.headers.get('cache-control')).toBe('no-store')
})

test('the admin port purges by object, type, subgraph and tag, and refuses requests without the token', async () => {
  const { router, products, reviews } = await startInFront(shop, { env: { ...withCache, ...withAdmin } })
  products.answerHeaders = { 'cache-control': 'public, max-age=300', 'cache-tag': 'catalogue, spring' }
  reviews.answerHeaders = { 'cache-control': 'public, max-age=300' }
  const admin = await router.command.said('admin')
  expect(new URL(admin).hostname).toBe('127.0.0.1')
  const askedAfter = async (what: unknown): Promise<number[]> => {
    await router.ask('{ products { name stars } }')
    products.asked.length = 0
    reviews.asked.length = 0
    if (what !== undefined) expect((await purge(router, what)).status).toBe(200)
    await router.ask('{ products { name stars } }')
    return [products.asked.length, reviews.asked.length]
  }
  expect(await askedAfter(undefined)).toEqual([0, 0])
  expect(await askedAfter({ objects: [{ type: 'Product', key: { id: 2 } }] })).toEqual([1, 1])
  expect(reviews.asked.map(({ body }) => JSON.parse(String(body)).variables.representations)).toEqual([
    [{ __typename: 'Product', id: '2' }],
  ])
  expect(await askedAfter({ types: ['Product'] })).toEqual([1, 1])
  expect(await askedAfter({ subgraphs: ['reviews'] })).toEqual([0, 1])
  expect(await askedAfter({ tags: ['spring'] })).toEqual([1, 0])
  expect(await askedAfter({ tags: ['autumn'] })).toEqual([0, 0])

  expect((await purge(router, { tags: ['spring'] }, 'Bearer wrong')).status).toBe(401)
  for (const wrong of ['', '{', '{}', '[]', { tags: [] }, { tags: [1] }, { other: ['x'] }])
    expect((await purge(router, wrong)).status, JSON.stringify(wrong)).toBe(400)
  expect((await purge(router, { tags: Array.from({ length: 1001 }, () => 'x') })).status).toBe(400)
  expect((await purge(router, 'x'.repeat(300_000))).status).toBe(413)
  const headers = { authorization: `Bearer ${adminToken}` }
  expect((await fetch(`${admin}/cache/purge`, { headers })).status).toBe(405)
  expect((await fetch(`${admin}/graphql`, { headers })).status).toBe(404)
  expect(await askedAfter(undefined)).toEqual([0, 0])
  expect(router.command.output()).not.toContain(adminToken)
})

test('a purge of an interface reaches its types, and what the graph does not have is named', async () => {
  const { sdl, resolvers } = shop.products
  const named = `${sdl.replace('type Product', 'type Product implements Named')} interface Named { name: String }`
  const { router, products } = await startInFront(
    { products: { sdl: named, resolvers } },
    { env: { ...withCache, ...withAdmin } },
  )
  products.answerHeaders = { 'cache-control': 'public, max-age=300' }
  const purged = async (what: object): Promise<unknown> => (await purge(router, what)).json()
  await router.ask('{ products { name } }')
  expect(
    await purged({
      types: ['Prodcut', 'ID'],
      subgraphs: ['product'],
      objects: [
        { type: 'Chair', key: { id: 1 } },
        { type: 'Product', key: { name: 'Chair' } },
      ],
      tags: ['anything'],
    }),
  ).toEqual({ purged: 6, unknown: ['product', 'Prodcut', 'ID', 'Chair', 'Product { name }'] })
  await router.ask('{ products { name } }')
  expect(products.asked).toHaveLength(1)
  expect(await purged({ types: ['Named'] })).toEqual({ purged: 1, unknown: [] })
  await router.ask('{ products { name } }')
  expect(products.asked).toHaveLength(2)
})
