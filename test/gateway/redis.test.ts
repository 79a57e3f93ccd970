/** Which commands to Redis are late: those that it does not answer, not those whose answer this process could not read. */
import { once } from 'node:events'
import type { Cluster } from 'ioredis'
import { test as anyTest, expect } from 'vitest'
import { createRedis, createRedisOrCluster, type RedisOrCluster } from '../../gateway/redis/index.ts'
import { hold } from '../support/hold.ts'
import { startRedis, startRedisCluster, withRedis } from '../support/redis.ts'

const test = anyTest.skipIf(!withRedis('the time that commands to Redis may take'))
const commandMs = 200

/** Many commands, of which all are answered while this process is held up for longer than they may take. */
async function heldUp(redis: RedisOrCluster, together = false): Promise<void> {
  await redis.set('key', 'value')
  const answers = Promise.all(Array.from({ length: 50 }, () => redis.get('key')))
  // What is sent together is sent at the end of this turn.
  if (together) await new Promise(setImmediate)
  hold(3 * commandMs)
  expect(await answers).toEqual(Array(50).fill('value'))
}

for (const together of [false, true]) {
  const how = together ? 'commands that are sent together' : 'commands'

  test(`${how} whose answers came while this process was held up are not late`, async () => {
    await using server = await startRedis()
    const redis = createRedis(server.url, { commandMs, together })
    await redis.connect()
    await heldUp(redis, together)
    redis.disconnect()
  })

  test(`${how} that are not answered are rejected, and those after them are answered`, async () => {
    await using server = await startRedis()
    const redis = createRedis(server.url, { commandMs, together })
    await redis.connect()
    await server.command('CLIENT', 'PAUSE', '600')
    await expect(redis.get('key')).rejects.toThrow('Command timed out')
    await expect.poll(() => redis.get('key').catch(() => 'late')).toBe(null)
    await heldUp(redis, together)
    redis.disconnect()
  })
}

test('the same of a cluster', async () => {
  await using cluster = await startRedisCluster()
  const redis = createRedisOrCluster(cluster.urls, { commandMs })
  // Where its nodes have not met yet the first connection fails, and it is sought again.
  const ready = once(redis, 'ready')
  redis.connect().catch(() => {})
  await ready
  await heldUp(redis)
  for (const node of (redis as Cluster).nodes()) await node.call('CLIENT', 'PAUSE', '600')
  await expect(redis.get('key')).rejects.toThrow('Command timed out')
  await expect.poll(() => redis.get('key').catch(() => 'late')).toBe('value')
  redis.disconnect()
})
