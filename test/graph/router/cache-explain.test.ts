/**
 * Cache information for callers: by Tessera-Explain before an operation runs, and by Tessera-Cache afterwards.
 */
import { expect, test } from 'vitest'
import { onlyProducts, type RouterAnswer, shop, startInFront, withCache } from '../../support/router.ts'

const explain = { 'tessera-explain': '1' }
const report = { 'tessera-cache': '1' }
const explained = ({ body }: RouterAnswer): unknown => body.extensions.explain.cache
const reported = ({ body }: RouterAnswer): unknown => body.extensions.cache

/** One fetch; what is not named is 0. */
const fetched = (subgraph: string, counts: Readonly<Record<string, unknown>>): unknown => ({
  subgraph,
  fresh: 0,
  stale: 0,
  revalidated: 0,
  missing: 0,
  ...counts,
})
const age = { ageSeconds: expect.any(Number) }

test('explain says of each fetch what is kept, without a fetch; a run says what came of it', async () => {
  const { router, products, reviews } = await startInFront(shop, { env: withCache })
  products.answerHeaders = { 'cache-control': 'public, max-age=300' }
  reviews.answerHeaders = { 'cache-control': 'public, max-age=300', age: '40' }
  const query = '{ products { name stars } reviewCount }'
  const nothing = explained(await router.ask(query, explain)) as unknown[]
  // The lookups of reviews are not known before products are.
  expect(nothing).toHaveLength(2)
  expect(nothing).toEqual(
    expect.arrayContaining([fetched('products', { missing: 1 }), fetched('reviews', { missing: 1 })]),
  )
  expect([products.asked.length, reviews.asked.length]).toEqual([0, 0])

  await router.ask('{ product(id: "1") { stars } }')
  const first = await router.ask(query, report)
  expect(first.body.data.products).toHaveLength(2)
  expect(reported(first)).toEqual(
    expect.arrayContaining([
      fetched('products', { missing: 1 }),
      fetched('reviews', { missing: 1 }),
      fetched('reviews', { fresh: 1, missing: 1, ageSeconds: expect.any(Number) }),
    ]),
  )
  const asked = [products.asked.length, reviews.asked.length]

  const all = explained(await router.ask(query, explain))
  expect(all).toEqual(
    expect.arrayContaining([
      fetched('products', { fresh: 1, ...age }),
      fetched('reviews', { fresh: 2, ...age }),
    ]),
  )
  const [ofReviews] = (all as { subgraph: string; ageSeconds: number }[]).filter(
    ({ subgraph }) => subgraph === 'reviews',
  )
  expect(ofReviews?.ageSeconds, 'Age of the subgraph counts').toBeGreaterThanOrEqual(40)
  expect([products.asked.length, reviews.asked.length]).toEqual(asked)
  // Without the header there is nothing of it, and what is said is kept nowhere.
  expect((await router.ask(query)).body).not.toHaveProperty('extensions')
  expect((await router.ask(query, report)).headers.get('cache-control')).toBe('no-store')
  expect(
    (await router.ask('mutation { rename(id: "1", name: "Desk") { name } }', explain)).body.extensions
      .explain,
  ).not.toHaveProperty('cache')
})

test('what is stale is reported as it will be used, and what is asked about as revalidated', async () => {
  const head: Record<string, string> = { 'cache-control': 'public, max-age=0', etag: '"v1"' }
  const { router, products } = await startInFront(onlyProducts, {
    env: withCache,
    config: { traffic: { all: { persisted: true } } },
  })
  products.intercept = ({ headers }, response) => {
    if (headers['if-none-match'] === '"v1"') response.writeHead(304, head).end()
    else
      response
        .writeHead(200, { ...head, 'content-type': 'application/json' })
        .end('{"data":{"products":[{"name":"Table"}]}}')
  }
  const query = '{ products { name } }'
  expect(reported(await router.ask(query, report))).toEqual([fetched('products', { missing: 1 })])
  expect(explained(await router.ask(query, explain))).toEqual([
    fetched('products', { revalidated: 1, ...age }),
  ])
  expect(products.asked).toHaveLength(1)
  const again = await router.ask(query, report)
  expect(reported(again)).toEqual([fetched('products', { revalidated: 1, ...age })])
  expect(again.body.data).toEqual({ products: [{ name: 'Table' }] })
  expect(products.asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"'])
  expect(await router.metrics()).toMatch(/^tessera_response_cache_total.*result="revalidated"\} 1$/m)
  head['cache-control'] = 'public, max-age=0, stale-while-revalidate=600'
  await router.ask(query)
  const before = products.asked.length
  expect(explained(await router.ask(query, explain))).toEqual([fetched('products', { stale: 1, ...age })])
  expect(products.asked, 'explaining asks for nothing anew').toHaveLength(before)
  expect(reported(await router.ask(query, report))).toEqual([fetched('products', { stale: 1, ...age })])
})

test('if nothing is kept nothing is reported', async () => {
  const { router } = await startInFront(onlyProducts)
  expect((await router.ask('{ products { name } }', explain)).body.extensions.explain).not.toHaveProperty(
    'cache',
  )
  expect((await router.ask('{ products { name } }', report)).body).not.toHaveProperty('extensions')
})
