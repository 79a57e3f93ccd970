/** Headers by rule through a real gateway before real subgraphs. */
import { expect, test } from 'vitest'
import { readConfig } from '../../../gateway/config/index.ts'
import { onlyProducts, shop, startInFront } from '../../support/router.ts'
import { signToken, tokenSecret } from '../../support/token.ts'

const token = await signToken({ tenant: 'acme', sub: 'ada' })

const ours = [
  'x-a',
  'x-b',
  'x-c',
  'x-org',
  'x-user',
  'x-key',
  'authorization',
  'cookie',
  'x-reviews-authorization',
]
const sentTo = (headers: Record<string, unknown> | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => ours.includes(name)))

test('each subgraph gets what its rules and those for all say, and the client what rules take of the answers', async () => {
  const { router, products, reviews } = await startInFront(shop, {
    env: { TESSERA_JWT_SECRET: tokenSecret, PRODUCTS_KEY: 'of-the-environment' },
    config: {
      headers: {
        all: {
          request: [{ propagate: { matching: 'x-*' } }, { remove: { named: 'X-B' } }],
          answer: [{ propagate: { named: 'X-Served-By', algorithm: 'append' } }],
        },
        subgraphs: {
          products: {
            request: [
              { propagate: { named: 'Authorization' } },
              { insert: { name: 'X-User', claim: 'sub' } },
              { insert: { name: 'X-Org', claim: 'tenant' } },
              { insert: { name: 'X-Key', environment: 'PRODUCTS_KEY' } },
            ],
            answer: [{ propagate: { named: 'Set-Cookie', algorithm: 'append' } }],
          },
        },
      },
    },
  })
  products.answerHeaders = {
    'x-served-by': 'products',
    'x-hidden': '1',
    'set-cookie': ['session=1', 'other=2'],
  }
  reviews.answerHeaders = { 'x-served-by': 'reviews' }
  const answer = await router.ask('{ products { name stars } }', {
    'x-a': '1',
    'x-b': '2',
    'x-user': 'forged',
    'x-reviews-authorization': 'Bearer of-another',
    cookie: 'session=0',
    authorization: `Bearer ${token}`,
  })
  expect(answer.body.data.products[0].stars).toBe(4)
  expect(sentTo(products.asked[0]?.headers)).toEqual({
    'x-a': '1',
    'x-user': 'ada',
    'x-org': 'acme',
    'x-key': 'of-the-environment',
    authorization: `Bearer ${token}`,
  })
  expect(sentTo(reviews.asked[0]?.headers)).toEqual({ 'x-a': '1', 'x-user': 'forged' })
  expect(answer.headers.get('x-served-by')).toBe('products, reviews')
  expect(answer.headers.getSetCookie()).toEqual(['session=1', 'other=2'])
  expect(answer.headers.get('x-hidden')).toBeNull()
})

test('without rules nothing is forwarded', async () => {
  const { router, products } = await startInFront(onlyProducts)
  await router.ask('{ products { name } }', { 'x-a': '1', cookie: 'a=1', authorization: 'Bearer x' })
  expect(sentTo(products.asked[0]?.headers)).toEqual({})
})

test('equal queries of callers whose forwarded headers differ are each sent', async () => {
  const { router, products } = await startInFront(onlyProducts, {
    config: { headers: { all: { request: [{ propagate: { named: 'X-A' } }] } } },
  })
  await router.ask('{ products { name } }')
  products.asked.length = 0
  let waiting = 0
  const all = Promise.withResolvers<void>()
  products.intercept = async () => {
    waiting += 1
    if (waiting === 3) all.resolve()
    await all.promise
    return false
  }
  await Promise.all(['1', '2', '3'].map((value) => router.ask('{ products { name } }', { 'x-a': value })))
  expect(products.asked.map(({ headers }) => headers['x-a']).sort()).toEqual(['1', '2', '3'])
})

test('rules that would send a credential elsewhere are refused with their place', async () => {
  const { router } = await startInFront(onlyProducts)
  router.configure({
    headers: {
      all: { request: [{ propagate: { named: 'Authorization' } }, { propagate: { named: 'Connection' } }] },
      subgraphs: {
        products: {
          request: [
            { propagate: { named: 'X-Reviews-Authorization', rename: 'X-A' } },
            { propagate: { named: 'X-A', rename: 'Host' } },
            { insert: { name: 'X-Key', environment: 'NOT_THERE' } },
          ],
        },
      },
    },
  })
  const { faults = [] } = readConfig({ TESSERA_CONFIG: `${router.folder}/tessera.yaml` })
  expect(faults.map((fault) => fault.replace(/ \(\S+:\d+:\d+\)/, ''))).toEqual([
    'headers.all.request[0].propagate.named: a credential is sent only if a rule for one subgraph names it: put the rule under `subgraphs`',
    'headers.all.request[1].propagate.named: this header belongs to one connection and is never sent on',
    'headers.subgraphs.products.request[0].propagate.named: this is the credential of reviews: it goes to no other subgraph',
    'headers.subgraphs.products.request[1].propagate.rename: the gateway writes this header itself',
  ])
  for (const fault of faults) expect(fault).toMatch(/ \(\S+:\d+:\d+\)$/)
  router.configure({
    headers: { all: { request: [{ insert: { name: 'X-Key', environment: 'NOT_THERE' } }] } },
  })
  expect(readConfig({ TESSERA_CONFIG: `${router.folder}/tessera.yaml` }).faults).toEqual([
    expect.stringMatching(
      /^headers\.all\.request\[0\]\.insert\.environment: the environment has no variable NOT_THERE \(\S+:6:\d+\)$/,
    ),
  ])
})

test('if no key is configured, a subgraph checks what a rule passes on, and answers are not shared between callers', async () => {
  const { router, products } = await startInFront(shop, {
    config: {
      headers: { subgraphs: { products: { request: [{ propagate: { named: 'Authorization' } }] } } },
    },
  })
  const shown = ['Basic YTpi', 'Bearer opaque', 'ApiKey 123', undefined]
  const answers = await Promise.all(
    shown.map((authorization) => router.ask('{ products { name } }', authorization ? { authorization } : {})),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(products.asked.map(({ headers }) => headers.authorization).sort()).toEqual(shown.sort())
})
