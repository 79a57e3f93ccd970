/** Which commands to Redis are late: those that it does not answer, not those whose answer this process could not read. */
import { once } from 'node:events'
import { test as anyTest, expect } from 'vitest'
import { untilReady } from '../../../../gateway/stores/redis/connection.ts'
import {
  createRedis,
  createRedisOrCluster,
  type RedisOrCluster,
} from '../../../../gateway/stores/redis/index.ts'
import { blockThread } from '../../../support/block-thread.ts'
import { startRedis, startRedisCluster, withRedis } from '../../../support/redis.ts'
import { startProxy } from '../../../support/tcp-proxy.ts'
import { longestWaitMs, until } from '../../../support/wait.ts'

const test = anyTest.skipIf(!withRedis('the time that commands to Redis may take'))
/** So long that no command is late because the machine is busy. */
const commandMs = 1000

const value = (redis: RedisOrCluster): Promise<string | null> => redis.get('key').catch(() => 'late')

/** Many commands, of which all are answered while this process is held up for longer than they may take. */
async function heldUp(redis: RedisOrCluster, together = false): Promise<void> {
  await redis.set('key', 'value')
  const answers = Promise.all(Array.from({ length: 50 }, () => redis.get('key')))
  // What is sent together is sent at the end of this turn.
  if (together) await new Promise(setImmediate)
  blockThread(commandMs * 1.2)
  expect(await answers).toEqual(Array(50).fill('value'))
}

test.for([false, true])(
  'commands whose answers came while this process was blocked are not late; sent together: %s',
  async (together) => {
    await using server = await startRedis()
    const redis = createRedis(server.url, { commandMs, pipelined: together })
    await redis.connect()
    await heldUp(redis, together)
    redis.disconnect()
  },
)

test.for([false, true])(
  'commands that are not answered are rejected, and those after them are answered; sent together: %s',
  async (together) => {
    await using server = await startRedis()
    await using proxy = await startProxy(server.port)
    const redis = createRedis(`redis://127.0.0.1:${proxy.port}`, { commandMs, pipelined: together })
    await redis.connect()
    proxy.become({ kind: 'silent' })
    await expect(redis.get('key')).rejects.toThrow('Command timed out')
    proxy.become({ kind: 'sound' })
    await expect.poll(() => value(redis)).toBe(null)
    redis.disconnect()
  },
)

test('a connection on which nothing is answered any more is left, and what waits on it is forgotten', async () => {
  await using server = await startRedis()
  await using proxy = await startProxy(server.port)
  const redis = createRedis(`redis://127.0.0.1:${proxy.port}`, { commandMs: 100 })
  await redis.connect()
  proxy.become({ kind: 'silent' })
  let isLeft = false
  redis.once('close', () => {
    isLeft = true
  })
  const asking = setInterval(() => void value(redis), 20)
  try {
    await until(() => isLeft, 'the connection is left')
    // A connection is made, but not ready before it is answered.
    expect(await value(redis)).toBe('late')
    proxy.become({ kind: 'sound' })
    await expect.poll(() => value(redis)).toBe(null)
  } finally {
    clearInterval(asking)
    redis.disconnect()
  }
})

test('a cluster is judged in the same way', async () => {
  await using cluster = await startRedisCluster()
  const redis = createRedisOrCluster(cluster.urls, { commandMs })
  // If its nodes have not met yet the first connection fails, and it is sought again.
  const ready = once(redis, 'ready')
  redis.connect().catch(() => {})
  await ready
  await heldUp(redis)
  const operators = cluster.urls.map((url) => createRedis(url, { commandMs: longestWaitMs }))
  for (const operator of operators) await operator.connect()
  // Until the operator ends it: a pause of a fixed time could be over before the command is late.
  for (const operator of operators) await operator.call('CLIENT', 'PAUSE', '600000', 'WRITE')
  await expect(redis.set('key', 'new value')).rejects.toThrow('Command timed out')
  for (const operator of operators) await operator.call('CLIENT', 'UNPAUSE')
  await expect.poll(() => value(redis)).toBe('new value')
  for (const client of [redis, ...operators]) client.disconnect()
})

test('a cluster gets a command once, also if its connection is closed before the answer', async () => {
  await using cluster = await startRedisCluster()
  const redis = createRedisOrCluster(cluster.urls, { commandMs: longestWaitMs })
  const ready = once(redis, 'ready')
  redis.connect().catch(() => {})
  await ready
  const operators = cluster.urls.map((url) => createRedis(url, { commandMs: longestWaitMs }))
  const all = (...words: [string, ...string[]]) =>
    Promise.all(operators.map((operator) => operator.call(...words)))
  for (const operator of operators) await operator.connect()
  await all('CLIENT', 'PAUSE', '600000', 'WRITE')
  const counted = redis.incr('key').catch(String)
  // Its node holds it back (flag b). A node that does not have the key has answered already, and named its node.
  await expect.poll(async () => String(await all('CLIENT', 'LIST'))).toMatch(/flags=\w*b.* cmd=incr/)
  await all('CLIENT', 'KILL', 'TYPE', 'normal')
  await all('CLIENT', 'UNPAUSE')
  expect(await counted).toContain('closed')
  await expect.poll(() => redis.incr('key').catch(String)).toBe(1)
  for (const client of [redis, ...operators]) client.disconnect()
})

test('waiting for a connection leaves no listeners behind, whether it is made or not', async () => {
  await using server = await startRedis()
  await using proxy = await startProxy(server.port)
  const redis = createRedis(`redis://127.0.0.1:${proxy.port}`)
  const listeners = () => [redis.listenerCount('ready'), redis.listenerCount('close')]
  const before = listeners()
  proxy.become({ kind: 'cut' })
  redis.connect().catch(() => {})
  await expect(untilReady(redis)).rejects.toThrow('closed the connection')
  expect(listeners()).toEqual(before)
  proxy.become({ kind: 'sound' })
  await expect.poll(() => untilReady(redis).then(() => 'ready', String)).toBe('ready')
  expect(listeners()).toEqual(before)
  redis.disconnect()
})
