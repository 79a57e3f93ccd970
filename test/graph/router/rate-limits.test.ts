/** Rate limits of a gateway as it runs: answers, headers, workers, and replicas that share a Redis. */
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { startRedis, withRedis } from '../../support/redis.ts'
import {
  onlyProducts,
  shop,
  startInFront,
  startRouter,
  startService,
  supergraphOf,
  until,
} from '../../support/router.ts'

const query = '{ products { name } }'
const day = { limit: 5, windowSeconds: 86_400 }

/** The status over a connection of its own, which goes to the next worker. */
function statusOf(origin: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' }
    const asked = request(`${origin}/graphql`, { method: 'POST', agent: false, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    asked.once('error', reject)
    asked.end(JSON.stringify({ query }))
  })
}

test('callers with too many requests get 429 with the time to wait, and everybody learns what is left', async () => {
  const { router, products } = await startInFront(onlyProducts, {
    config: {
      demand: { mode: 'measure', listSize: 10 },
      rateLimits: [
        { name: 'clients', limit: 2, windowSeconds: 3600, by: ['client'] },
        { name: 'cost', limit: 1000, windowSeconds: 60, burst: 25, by: ['address'], counts: 'cost' },
      ],
    },
  })
  const web = { 'graphql-client-name': 'web' }
  const first = await router.ask(query, web)
  expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([
    200,
    '"clients";q=2;w=3600, "cost";q=1000;w=60',
  ])
  expect(first.headers.get('ratelimit')).toMatch(/^"clients";r=1;t=1800, "cost";r=15;t=1$/)
  expect((await router.ask('{ product(id: "1") { name } }', web)).status).toBe(200)
  products.asked.length = 0
  const refused = await router.ask(query, web)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([
    429,
    expect.stringMatching(/^1(800|7\d\d)$/),
  ])
  expect(refused.body.errors[0].extensions).toMatchObject({
    code: 'RATE_LIMITED',
    rateLimit: { policy: 'clients', limit: 2, windowSeconds: 3600, remaining: 0 },
  })
  expect(products.asked).toEqual([])
  expect((await router.ask('{ product(id: "1") { name } }', { 'graphql-client-name': 'app' })).status).toBe(
    200,
  )
  const dear = await router.ask('{ a: products { name } b: products { name } c: products { name } }', {
    'graphql-client-name': 'other',
  })
  expect([dear.status, dear.headers.get('retry-after')]).toEqual([429, null])
  expect(dear.body.errors[0].extensions.rateLimit.policy).toBe('cost')
  expect(await router.metrics()).toMatch(/tessera_rate_limited_total\{policy="clients"\} 1/)
})

test('clients behind a trusted proxy are told apart by the address that it passes on', async () => {
  const rateLimits = [{ name: 'addresses', ...day, limit: 1, by: ['address' as const] }]
  const passedOn = (address: string) => ({ 'x-forwarded-for': address })
  const trusting = await startInFront(onlyProducts, {
    config: { rateLimits, server: { trustedProxies: ['127.0.0.1'] } },
  })
  const statusBehind = async (address: string) => (await trusting.router.ask(query, passedOn(address))).status
  expect(await statusBehind('192.0.2.1')).toBe(200)
  expect(await statusBehind('192.0.2.1')).toBe(429)
  expect(await statusBehind('192.0.2.2')).toBe(200)
  expect(await statusBehind('192.0.2.3, 192.0.2.1')).toBe(429)
  const { router } = await startInFront(onlyProducts, { config: { rateLimits } })
  expect((await router.ask(query, passedOn('192.0.2.1'))).status).toBe(200)
  expect((await router.ask(query, passedOn('192.0.2.2'))).status).toBe(429)
})

describe.skipIf(!withRedis('rate limits over replicas'))('with Redis', () => {
  test('workers take from the same buckets', async () => {
    await using redis = await startRedis()
    const { router } = await startInFront(onlyProducts, {
      config: { rateLimits: [{ name: 'all', ...day, by: ['address'] }] },
      apart: true,
      env: { TESSERA_WORKERS: '2', TESSERA_REDIS_URL: redis.url },
    })
    const statuses: number[] = []
    const count = (status: number): number => statuses.filter((each) => each === status).length
    while (count(429) < 15 && count(200) <= day.limit) {
      statuses.push(...(await Promise.all(Array.from({ length: 4 }, () => statusOf(router.origin)))))
      expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
    }
    // A worker to which Redis is late refuses with 503, and what it asked for may have been taken.
    expect(count(200)).toBeLessThanOrEqual(day.limit)
    expect(count(200) + count(503)).toBeGreaterThanOrEqual(day.limit)
  })

  test('replicas take from the same buckets, also after a reload', async () => {
    await using products = await startService('products', shop.products)
    /** Whether Redis answered both in time: a replica to which it is late counts by itself, and says so. */
    const askTogether = async (): Promise<boolean> => {
      await using redis = await startRedis()
      const options = {
        supergraph: supergraphOf([products]),
        config: { rateLimits: [{ name: 'all', ...day, by: ['address'] as const }] },
        env: { TESSERA_REDIS_URL: redis.url },
      }
      await using one = await startRouter(options)
      await using other = await startRouter({ ...options, apart: true })
      const ask = () =>
        Promise.all(Array.from({ length: 10 }, (_, n) => statusOf((n % 2 === 0 ? one : other).origin)))
      const granted = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length
      const isAlone = () =>
        [one, other].some(({ command }) => command.output().includes('counting in this process'))
      const before = await ask()
      expect((await one.reload()).number).toBe(2)
      const after = await ask()
      if (granted(before) !== 5 || granted(after) !== 0) {
        const message = `${granted(before)} and ${granted(after)} were granted in place of 5 and 0`
        await expect.poll(isAlone, { message }).toBe(true)
        return false
      }
      expect(new Set(after)).toEqual(new Set([429]))
      return true
    }
    await until(askTogether, 'replicas whom Redis answers in time')
  })
})

test('a limit on cost needs the section that works it out', async () => {
  const config = { rateLimits: [{ name: 'dear', ...day, counts: 'cost' as const }] }
  await expect(startInFront(onlyProducts, { config })).rejects.toThrow(
    'rateLimits: dear counts cost, which requires the section demand',
  )
})

test.skipIf(!withRedis('documents of refused requests'))(
  'no document is stored of a request that is refused',
  async () => {
    await using redis = await startRedis()
    const { router } = await startInFront(onlyProducts, {
      config: {
        demand: { mode: 'enforce', max: 15, listSize: 10 },
        rateLimits: [{ name: 'clients', limit: 1, windowSeconds: 86_400, by: ['client'] }],
      },
      env: { TESSERA_REDIS_URL: redis.url },
    })
    /** The status of a request that teaches a document, and whether it is stored. */
    const teach = async (text: string, client: string): Promise<[number, string]> => {
      const sha256Hash = hashOf(text)
      const { status } = await router.ask(
        { query: text, extensions: { persistedQuery: { version: 1, sha256Hash } } },
        { accept: 'application/graphql-response+json', 'graphql-client-name': client },
      )
      return [status, (await redis.command('EXISTS', `tessera:document:${sha256Hash}`)).trim()]
    }
    expect(await teach('query Taught { products { name } }', 'web')).toEqual([200, '1'])
    expect(await teach('query TooOften { products { name } }', 'web')).toEqual([429, '0'])
    const [status, stored] = await teach('{ a: products { name } b: products { name } }', 'app')
    expect([status >= 400, stored]).toEqual([true, '0'])
    expect((await teach('{ nothingOfThatName }', 'third'))[1]).toBe('0')
  },
)
