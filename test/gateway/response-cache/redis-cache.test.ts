/** Answers that several gateways share, over a real Redis and a real cluster of three nodes. */
import { spawnSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { test as anyTest, expect } from 'vitest'
import {
  createChanges,
  createMemoryStore,
  createResponseCache,
  RedisCache,
  type ResponseCache,
} from '../../../gateway/response-cache/index.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import {
  messagesOf,
  outOfTurn,
  type RedisServer,
  startRedis,
  startRedisCluster,
  urlThrough,
  withRedis,
} from '../../support/redis.ts'
import { until } from '../../support/router.ts'
import { startProxy } from '../../support/tcp-proxy.ts'
import { answeredWith, type CacheTest, createCacheTest, requestOf } from './kit.ts'

const sdl = `
  type Query { product(id: ID!): Product }
  type Mutation { rename(id: ID!): Product }
  type Product @key(fields: "id") { id: ID! name: String }
`
const test = anyTest.skipIf(!withRedis('the cache of answers in Redis'))
const away = 'the shared response cache is unreachable: each gateway uses its own until it is back'
const back = 'the shared response cache is back'

const redisCli = (url: string, ...args: string[]): string =>
  spawnSync('redis-cli', ['-p', new URL(url).port, ...args], { encoding: 'utf8' }).stdout.trim()

const nameIn = (data: unknown): unknown => (data as { product: { name: unknown } }).product.name

interface SharingGateway extends AsyncDisposable {
  readonly lines: string[]
  readonly cache: ResponseCache
  readonly test: CacheTest
  /** The product's name, and whether the subgraph was asked. */
  name(id: string): Promise<{ name: unknown; asked: boolean }>
  rename(id: string, name: string): Promise<void>
}

function gatewayOver(urls: readonly string[], names: Record<string, string>): SharingGateway {
  const lines: string[] = []
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const memory = createMemoryStore(1_000_000, Date.now)
  const shared = new RedisCache({ urls, log, memory, changes: createChanges(), now: Date.now })
  const cache = createResponseCache(shared, shared, shared.close)
  const test = createCacheTest({ sdl, cache })
  test.now = Date.now()
  const product = test.prepare('query ($id: ID!) { product(id: $id) { id name } }')
  const rename = test.prepare('mutation ($id: ID!) { rename(id: $id) { id } }', 'mutation')
  test.answer = ({ variables: { id } }) => ({
    data: { product: { id, name: names[String(id)] } },
    answered: answeredWith({ 'cache-control': 'public, max-age=600' }),
  })
  return {
    lines,
    cache,
    test,
    async name(id) {
      const before = test.sent.length
      const { data } = await product({ id }, requestOf())
      return { name: nameIn(data), asked: test.sent.length > before }
    },
    async rename(id, name) {
      const answer = test.answer
      test.answer = () => {
        names[id] = name
        return { data: { rename: { id } } }
      }
      await rename({ id }, requestOf())
      test.answer = answer
    },
    [Symbol.asyncDispose]: () => cache.close(),
  }
}

/** Until an answer with this text has arrived there. */
const isInRedis = (url: string, text: string): Promise<void> =>
  until(
    () =>
      redisCli(url, 'KEYS', 'tessera:answer:1:*')
        .split('\n')
        .some((key) => redisCli(url, 'GET', key).includes(text)),
    `an answer with ${text} in Redis`,
  )

/** Until each knows what the other keeps. */
async function areShared(one: SharingGateway, other: SharingGateway): Promise<void> {
  let count = 0
  await until(async () => {
    count += 1
    await one.name(`probe ${count}`)
    return !(await other.name(`probe ${count}`)).asked
  }, 'what one keeps the other uses')
}

/** Two gateways that share what they keep. */
async function pairOver({ url }: RedisServer) {
  const names: Record<string, string> = { '1': 'Table' }
  const [one, other] = [gatewayOver([url], names), gatewayOver([url], names)]
  await areShared(one, other)
  return {
    ...{ names, one, other },
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]()
      await one[Symbol.asyncDispose]()
    },
  }
}

async function sharedByTwo(urls: readonly string[]): Promise<void> {
  const names: Record<string, string> = { '1': 'Table', '2': 'Chair' }
  await using one = gatewayOver(urls, names)
  await using other = gatewayOver(urls, names)
  await areShared(one, other)
  expect(await one.name('1')).toEqual({ name: 'Table', asked: true })
  await until(async () => !(await other.name('2')).asked || !(await other.name('1')).asked, 'shared')
  expect((await other.name('1')).asked).toBe(false)
  await one.rename('1', 'Desk')
  expect(await one.name('1')).toEqual({ name: 'Desk', asked: true })
  await until(async () => (await other.name('1')).name === 'Desk', 'the other knows of the change')
  expect((await other.name('2')).name).toBe('Chair')
  // One that comes later knows what has changed before.
  await using third = gatewayOver(urls, names)
  await areShared(other, third)
  expect((await third.name('1')).name).toBe('Desk')
}

test('gateways share answers and what has changed', async () => {
  await using redis = await startRedis()
  await sharedByTwo([redis.url])
})

test('the same over a cluster', async () => {
  await using cluster = await startRedisCluster()
  // Addresses of IPv6, which lead to the same nodes.
  await sharedByTwo(cluster.urls.map((url) => url.replace('127.0.0.1', '[::ffff:127.0.0.1]')))
  const counts = cluster.urls.map((url) => Number(redisCli(url, 'DBSIZE')))
  expect(counts.filter((count) => count > 0).length, `keys of the nodes: ${counts}`).toBeGreaterThan(1)
})

test('a cluster that is not ready at first is used as soon as it is', async () => {
  await using cluster = await startRedisCluster()
  const [first = ''] = cluster.urls
  // Without one of its slots no node takes commands.
  for (const url of cluster.urls) redisCli(url, 'CLUSTER', 'DELSLOTS', '0')
  const names = { '1': 'Table' }
  await using one = gatewayOver(cluster.urls, names)
  await using other = gatewayOver(cluster.urls, names)
  await until(() => [one, other].every(({ lines }) => lines.length > 0), 'both say that it is away')
  redisCli(first, 'CLUSTER', 'ADDSLOTS', '0')
  await areShared(one, other)
  expect((await other.name('1')).name).toBe('Table')
})

test('without Redis each gateway uses its memory, says so once, and reports its changes when Redis is back', async () => {
  await using redis = await startRedis()
  await using gateways = await pairOver(redis)
  const { one, other } = gateways
  await one.name('1')
  await other.name('1')
  await redis.stop()
  await until(() => [one, other].every(({ lines }) => lines.length > 0), 'both notice')
  for (const { lines } of [one, other])
    expect(lines[0]).toMatch(/"cause":"(?:the connection was closed|nothing listens there)"/)
  expect((await other.name('1')).asked).toBe(false)
  expect(await other.name('3')).toMatchObject({ asked: true })
  expect(await other.name('3')).toMatchObject({ asked: false })
  await one.rename('1', 'Desk')
  expect(await one.name('1')).toEqual({ name: 'Desk', asked: true })
  await redis.start()
  await until(async () => (await other.name('1')).name === 'Desk', 'the other knows of the change')
  await until(
    () => [one, other].every(({ lines }) => messagesOf(lines).at(-1) === back),
    'both say that it is back',
  )
  for (const { lines } of [one, other]) expect(outOfTurn(messagesOf(lines), away, back)).toEqual([])
})

test('if the record of changes is lost, no earlier answer is used', async () => {
  await using redis = await startRedis()
  await using gateways = await pairOver(redis)
  const { names, one, other } = gateways
  await one.name('1')
  await isInRedis(redis.url, 'Table')
  await one.rename('1', 'Desk')
  redisCli(redis.url, 'DEL', 'tessera:answers:changes')
  await using third = gatewayOver([redis.url], names)
  await areShared(other, third)
  expect((await third.name('1')).name).toBe('Desk')
  expect((await other.name('1')).name).toBe('Desk')
})

test('a gateway that comes later knows of all changes that Redis still has', async () => {
  await using redis = await startRedis()
  await using gateways = await pairOver(redis)
  const { names, one } = gateways
  await one.name('1')
  await isInRedis(redis.url, 'Table')
  names['1'] = 'Desk'
  // Redis keeps some more than it is told to keep.
  const changes = `
    redis.call('XADD', KEYS[1], '*', 'tags', ARGV[1])
    for n = 1, 20050 do redis.call('XADD', KEYS[1], '*', 'tags', '["other"]') end`
  await redis.command('EVAL', changes, '1', 'tessera:answers:changes', '["Product/id=\\"1\\""]')
  await using third = gatewayOver([redis.url], names)
  await areShared(one, third)
  expect(await third.name('1')).toEqual({ name: 'Desk', asked: true })
})

test('entries of Redis that cannot be read are not used', async () => {
  await using redis = await startRedis()
  await using gateways = await pairOver(redis)
  const { one, other } = gateways
  await one.name('1')
  const cli = (...args: string[]): string => redisCli(redis.url, ...args)
  const keys = (): string[] => cli('KEYS', 'tessera:answer:1:*').split('\n')
  await isInRedis(redis.url, 'Table')
  // Some answers may still be on their way there.
  await until(async () => {
    for (const key of keys()) cli('SET', key, '[1e15,{"json":"{","tags":[],"madeAt":1e15}]')
    const { name, asked } = await other.name('1')
    expect(name).toBe('Table')
    return asked
  }, 'what cannot be read is asked for anew')
  // A change that cannot be read is one of everything.
  cli('XADD', 'tessera:answers:changes', '*', 'tags', '{')
  await until(async () => (await one.name('1')).asked, 'everything is asked for anew')
})

test('changes that are made while a gateway connects reach the others', async () => {
  await using redis = await startRedis()
  await using slow = await startProxy(redis.port)
  slow.become({ kind: 'slow', ms: 30 })
  await using one = gatewayOver([redis.url], {})
  await using other = gatewayOver([redis.url], {})
  await areShared(one, other)
  await using late = gatewayOver([urlThrough(redis, slow)], {})
  const changed = Array.from({ length: 60 }, (_, count) => `"changed ${count}"`)
  for (const id of changed) {
    await late.rename(JSON.parse(id), 'Desk')
    await delay(5)
  }
  await areShared(one, late)
  const stream = (await redis.command('XRANGE', 'tessera:answers:changes', '-', '+')).replaceAll('\\', '')
  expect(changed.filter((id) => !stream.includes(id))).toEqual([])
})

test('a gateway whom Redis answers late follows the changes of others after one of its own', async () => {
  await using redis = await startRedis()
  let sent = ''
  await using slow = await startProxy(redis.port, (from, chunk) => {
    if (from === 'client') sent += String(chunk)
  })
  const names: Record<string, string> = { '1': 'Table', '2': 'Chair' }
  await using one = gatewayOver([redis.url], names)
  await using late = gatewayOver([urlThrough(redis, slow)], names)
  await areShared(one, late)
  slow.become({ kind: 'slow', ms: 150 })
  sent = ''
  await late.rename('1', 'Desk')
  // It ends the wait for changes that was under way.
  await one.rename('2', 'Stool')
  // The last command of reading what was missed, and the wait for more.
  await until(() => /xlen.*xread/s.test(sent), 'it waits for changes again')
  expect((await late.name('2')).name).toBe('Stool')
})

test('more changes than a millisecond can number are noticed if the clock of Redis was set back', async () => {
  await using redis = await startRedis()
  // A stream with a later number than that of the clock counts on from there.
  const later = Date.now() + 3_600_000
  await redis.command('XADD', 'tessera:answers:changes', `${later}-5000`, 'tags', '[]')
  await sharedByTwo([redis.url])
})

test('changes are noticed if Redis is replaced by an empty one whose clock is behind', async () => {
  await using redis = await startRedis()
  const later = Date.now() + 3_600_000
  await redis.command('XADD', 'tessera:answers:changes', `${later}-0`, 'tags', '[]')
  await using gateways = await pairOver(redis)
  const { one, other } = gateways
  await one.name('1')
  await redis.command('FLUSHALL')
  await redis.stop()
  await redis.start()
  await areShared(one, other)
  await until(async () => !(await other.name('1')).asked, 'the other has it')
  await one.rename('1', 'Desk')
  expect((await one.name('1')).name).toBe('Desk')
  await until(async () => (await other.name('1')).name === 'Desk', 'the other knows of the change')
})
