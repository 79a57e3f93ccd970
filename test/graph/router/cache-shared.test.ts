/** The response cache of several gateways: processes with one Redis. */

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startRedis, startRedisCluster, withRedis } from '../../support/redis.ts'
import {
  purge,
  type Router,
  shop,
  startRouter,
  startService,
  supergraphOf,
  until,
  withAdmin,
  withCache,
} from '../../support/router.ts'

const open = withRedis('kept answers of several gateways')
const query = '{ products { name } }'
const away = 'the shared response cache is unreachable: each gateway uses its own until it is back'
const back = 'the shared response cache is back'
const countOf = (router: Router, text: string): number => router.command.output().split(text).length - 1

async function startTwo(urls: readonly string[], { apart = false } = {}) {
  const products = await startService('products', shop.products)
  products.answerHeaders = { 'cache-control': 'public, max-age=600', 'cache-tag': 'catalogue' }
  const options = {
    supergraph: supergraphOf([products]),
    env: {
      ...withCache,
      TESSERA_RESPONSE_CACHE_REDIS_URL: urls.join(','),
      ...withAdmin,
      TESSERA_LOG_LEVEL: 'info',
    },
  }
  const [one, other] = await Promise.all([
    startRouter({ ...options, apart }),
    startRouter({ ...options, apart: true }),
  ])
  /** Whether a gateway had to ask the subgraph. */
  const asks = async (router: Router, text = query): Promise<boolean> => {
    const before = products.asked.length
    const { body } = await router.ask(text)
    expect(body.errors).toBeUndefined()
    return products.asked.length > before
  }
  return {
    products,
    one,
    other,
    asks,
    async [Symbol.asyncDispose]() {
      await Promise.all([one, other, products].map((each) => each[Symbol.asyncDispose]()))
    },
  }
}

type Two = Awaited<ReturnType<typeof startTwo>>

/** Each uses what the other stored, and both fetch again what one of them changes or purges. */
async function shareAndChange({ one, other, asks }: Two): Promise<void> {
  let id = 0
  await until(async () => {
    id += 1
    const probe = `{ product(id: "probe ${id}") { name } }`
    await asks(one, probe)
    return !(await asks(other, probe))
  }, 'what one keeps the other uses')
  await until(async () => {
    await asks(one)
    return !(await asks(other))
  }, 'the list is shared')
  await one.ask('mutation { rename(id: "1", name: "Desk") { id name } }')
  expect(await asks(one)).toBe(true)
  expect((await purge(one, { tags: ['catalogue'] })).status).toBe(200)
  let isAnew = false
  await until(async () => {
    isAnew ||= await asks(other)
    return isAnew
  }, 'the other knows of the purge')
}

/** Each goes on by its memory, with its own changes, and has said once that it does. */
async function byThemselves({ one, other, asks }: Two): Promise<void> {
  // A machine that is busy may have found it away before.
  const noticed = (each: Router): boolean => countOf(each, away) > countOf(each, back)
  await until(() => noticed(one) && noticed(other), 'both notice')
  const said = [one, other].map((each) => countOf(each, away))
  // Memory is used on, and what is new is kept there.
  for (const each of [one, other]) {
    await asks(each, '{ product(id: "new") { name } }')
    expect(await asks(each, '{ product(id: "new") { name } }')).toBe(false)
  }
  await one.ask('mutation { rename(id: "new", name: "Desk") { id name } }')
  expect(await asks(one, '{ product(id: "new") { name } }')).toBe(true)
  expect([one, other].map((each) => countOf(each, away))).toEqual(said)
}

async function togetherAgain({ one, other, asks }: Two): Promise<void> {
  let isAnew = false
  await until(async () => {
    isAnew ||= await asks(other, '{ product(id: "new") { name } }')
    return isAnew
  }, 'the other knows of what was changed while Redis was away')
  let id = 0
  await until(async () => {
    id += 1
    const probe = `{ product(id: "again ${id}") { name } }`
    await asks(one, probe)
    return !(await asks(other, probe))
  }, 'what one keeps the other uses again')
}

test.runIf(open)(
  'gateways share answers over Redis; without it each keeps its own, and says so once',
  async () => {
    await using redis = await startRedis()
    await using two = await startTwo([redis.url])
    await shareAndChange(two)
    await redis.stop()
    await byThemselves(two)
    await redis.start()
    await togetherAgain(two)
  },
)

/** The node that has the changes: with it away no gateway can know what others have changed. */
function nodeOfChanges(urls: readonly string[]): number {
  return urls.findIndex((url) => {
    const asked = spawnSync('redis-cli', ['-p', new URL(url).port, 'EXISTS', 'tessera:answers:changes'])
    return String(asked.stdout).trim() === '1'
  })
}

test.runIf(open)(
  'the same over a cluster in which a node crashes and comes back without its keys',
  async () => {
    await using cluster = await startRedisCluster()
    await using two = await startTwo(cluster.urls, { apart: true })
    await shareAndChange(two)
    let id = 0
    await until(async () => {
      id += 1
      await two.asks(two.one, `{ product(id: "spread ${id}") { name } }`)
      const keys = cluster.urls.map((url) =>
        Number(spawnSync('redis-cli', ['-p', new URL(url).port, 'DBSIZE'], { encoding: 'utf8' }).stdout),
      )
      return keys.filter((count) => count > 0).length > 1
    }, 'more than one node has keys')
    const node = nodeOfChanges(cluster.urls)
    expect(node).toBeGreaterThanOrEqual(0)
    await cluster.stop(node)
    await byThemselves(two)
    await cluster.start(node)
    await togetherAgain(two)
  },
)
