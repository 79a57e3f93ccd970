import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from '../../support/listen.ts'
import {
  onlyProducts,
  type Router,
  shop,
  startInFront,
  startRouter,
  startService,
  supergraphOf,
  type TestService,
  withCache,
} from '../../support/router.ts'

const query = '{ products { name } }'

/** Whether the second of two equal requests had to ask. */
async function isAskedTwice(router: Router, products: TestService, text: string): Promise<boolean> {
  await router.ask(text)
  const before = products.asked.length
  const { body } = await router.ask(text)
  expect(body.errors).toBeUndefined()
  return products.asked.length > before
}

test('what contradicts itself, cannot be read or has no end is kept for the shorter time, or not at all', async () => {
  const { router, products } = await startInFront(onlyProducts, { env: withCache })
  const many = (text: string, count: number): string =>
    Array.from({ length: count }, (_, n) => `${text}${n}`).join(', ')
  const never: [string, Record<string, string>][] = [
    ['no-store beside an age', { 'cache-control': 'max-age=600, public, no-store' }],
    ['no-store in a second field', { 'cache-control': 'public, max-age=600', pragma: 'no-cache', vary: '*' }],
    ['all headers', { 'cache-control': 'public, max-age=600', vary: 'Accept, *' }],
    ['an age that is none', { 'cache-control': 'public, max-age=soon' }],
    ['one that is negative', { 'cache-control': 'public, max-age=-600' }],
    ['two ages, one of nothing', { 'cache-control': 'public, max-age=600, max-age=0' }],
    ['nothing for shared caches', { 'cache-control': 'public, max-age=600, s-maxage=0' }],
    ['no-cache', { 'cache-control': 'public, max-age=600, no-cache' }],
    ['older than it may be', { 'cache-control': 'public, max-age=600', age: '99999999999999999999' }],
    ['directives without end', { 'cache-control': `max-age=600, public, ${many('x', 1500)}` }],
    [
      'no-store behind ten thousand commas',
      { 'cache-control': `public, max-age=600${','.repeat(10_000)}no-store` },
    ],
    ['an open quotation', { 'cache-control': 'public, private="x, max-age=600' }],
  ]
  for (const [what, headers] of never) {
    products.answerHeaders = headers
    const text = `{ product(id: "${what}") { name } }`
    expect([what, await isAskedTwice(router, products, text)]).toEqual([what, true])
  }
  const kept: [string, Record<string, string>][] = [
    ['for ever', { 'cache-control': 'public, max-age=99999999999999999999' }],
    ['a thousand tags', { 'cache-control': 'public, max-age=600', 'cache-tag': many('tag', 1000) }],
    ['a tag without end', { 'cache-control': 'public, max-age=600', 'cache-tag': 'x'.repeat(10_000) }],
    ['an ETag that is none', { 'cache-control': 'public, max-age=600', etag: 'W/"' }],
  ]
  for (const [what, headers] of kept) {
    products.answerHeaders = headers
    const text = `{ product(id: "${what}") { name } }`
    expect([what, await isAskedTwice(router, products, text)]).toEqual([what, false])
    const own = (await router.ask(text)).headers.get('cache-control')
    expect([what, own]).toEqual([what, expect.stringMatching(/^public, max-age=\d{1,10}$/)])
  }
})

test('one ETag of many answers leaves each of them as it is', async () => {
  const conditions: unknown[] = []
  const { router, products } = await startInFront(onlyProducts, {
    env: withCache,
    config: { traffic: { all: { persisted: true } } },
  })
  products.intercept = ({ method, url, headers }, response) => {
    if (method !== 'GET') return false
    const { id } = JSON.parse(new URL(url, 'http://x').searchParams.get('variables') ?? '{}')
    conditions.push(headers['if-none-match'])
    const head = { 'cache-control': 'public, max-age=0', etag: '"same"', 'content-type': 'application/json' }
    if (headers['if-none-match'] !== undefined) return response.writeHead(304, head).end()
    const data = { product: { name: `Product ${id}` } }
    return response.writeHead(200, head).end(JSON.stringify({ data }))
  }
  const byId = 'query ($id: ID!) { product(id: $id) { name } }'
  const nameOf = async (id: string): Promise<unknown> =>
    (await router.ask({ query: byId, variables: { id } })).body.data.product.name
  for (const id of ['1', '2', '1', '2', '3', '1']) expect(await nameOf(id)).toBe(`Product ${id}`)
  expect(conditions).toEqual([undefined, undefined, '"same"', '"same"', undefined, '"same"'])
})

test('our own ETags differ if the operations, the variables or the answers do', async () => {
  const { router, products } = await startInFront(onlyProducts, { env: withCache })
  products.answerHeaders = { 'cache-control': 'public, max-age=600' }
  const get = (text: string, headers: Record<string, string> = {}) =>
    fetch(`${router.origin}/graphql?query=${encodeURIComponent(text)}`, {
      headers: { 'apollo-require-preflight': '1', ...headers },
    })
  const texts = [
    '{ product(id: "1") { id } }',
    '{ product(id: "2") { id } }',
    '{ product(id: "1") { id name } }',
    '{ products { id } }',
  ]
  const etags = new Set<string>()
  for (const text of texts) etags.add((await get(text)).headers.get('etag') ?? '')
  expect(etags.size).toBe(texts.length)
  const [first = '', second = ''] = etags
  const of = async (text: string, condition: string) =>
    (await get(text, { 'if-none-match': condition })).status
  expect(await of(texts[0] ?? '', first)).toBe(304)
  expect(await of(texts[0] ?? '', second)).toBe(200)
  expect(await of(texts[0] ?? '', `${second}, ${first}`)).toBe(304)
  expect(await of('{ __typename }', '*')).toBe(200)
})

test('a 304 without a condition in the request is a failure of the subgraph, and is not kept', async () => {
  let isStrange = true
  const { router, products } = await startInFront(onlyProducts, { env: withCache })
  products.intercept = (_, response) => {
    if (isStrange) response.writeHead(304, { 'cache-control': 'public, max-age=600', etag: '"v1"' }).end()
    return isStrange
  }
  const { body } = await router.ask(query)
  expect(body.data?.products ?? null).toBeNull()
  expect(body.errors[0].extensions.service).toBe('products')
  isStrange = false
  expect((await router.ask(query)).body.data.products).toHaveLength(2)
})

test('headers without end end the fetch, and the gateway continues', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = (): void => {
        if (!socket.destroyed) socket.write(`x-more: ${'x'.repeat(1000)}\r\n`, () => setImmediate(more))
      }
      more()
    })
  })
  await using listening = await listen(server)
  const products = { name: 'products', sdl: shop.products.sdl, url: `${listening.url}/graphql` }
  await using reviews = await startService('reviews', shop.reviews)
  await using router = await startRouter({ supergraph: supergraphOf([products, reviews]), env: withCache })
  const { body } = await router.ask('{ reviewCount product(id: "1") { name } }')
  expect(body.data).toEqual({ reviewCount: 7, product: null })
  expect(body.errors[0].extensions).toMatchObject({ service: 'products' })
  expect((await router.ask('{ reviewCount }')).body).toEqual({ data: { reviewCount: 7 } })
})

test('a cookie that a rule lets through is for the caller who asked', async () => {
  let count = 0
  const { router, products } = await startInFront(onlyProducts, {
    env: withCache,
    config: { headers: { subgraphs: { products: { answer: [{ propagate: { named: 'Set-Cookie' } }] } } } },
  })
  products.intercept = () => {
    count += 1
    products.answerHeaders = { 'cache-control': 'public, max-age=600', 'set-cookie': `session=${count}` }
    return false
  }
  const cookies: (string | null)[] = []
  for (let n = 0; n < 3; n++) {
    const { headers } = await router.ask(query)
    expect(headers.get('cache-control')).toBe('no-store')
    cookies.push(headers.get('set-cookie'))
  }
  expect(cookies).toEqual(['session=1', 'session=2', 'session=3'])
})
