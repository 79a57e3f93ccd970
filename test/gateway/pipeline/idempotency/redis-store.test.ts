/** The bounds of what Redis keeps of one caller's idempotency keys. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readEntry } from '../../../../gateway/pipeline/idempotency/entry.ts'
import { createOutcomes } from '../../../../gateway/pipeline/idempotency/index.ts'
import { createRedisStores } from '../../../../gateway/stores/index.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { type RedisServer, startRedis, withRedis } from '../../../support/redis.ts'
import { finished, read, unknown } from './kit.ts'

function open(redis: RedisServer, bounds: { mostCharacters?: number; mostKeys?: number }) {
  const log = createLogger({ level: 'fatal' })
  const store = createOutcomes(createRedisStores({ url: redis.url, log }), { mostCharacters: 1e6, ...bounds })
  return {
    /** Keeps it, if nothing is kept under the key; what is. */
    put: (caller: string, key: string, value: string, forMs = 60_000) =>
      store.swap({ caller, key }, undefined, value, forMs),
    read: (caller: string, key: string) => read(store, caller, key),
    swap: store.swap,
    now: store.now,
    [Symbol.dispose]: store.close,
  }
}

describe.skipIf(!withRedis('bounds of idempotency keys in Redis'))('in Redis', () => {
  test('a caller with the most keys gets no new ones, and none is forgotten', async () => {
    await using redis = await startRedis()
    using store = open(redis, { mostKeys: 3 })
    const own = ['1', '2', '3']
    for (const key of own) await store.put('a', key, finished(key))
    await expect(store.put('a', '4', unknown)).rejects.toMatchObject({
      extensions: { code: 'IDEMPOTENCY_UNAVAILABLE', retryAfter: 60 },
    })
    expect(await Promise.all(own.map((key) => store.read('a', key)))).toEqual(own.map(finished))
    expect(await store.put('b', '4', unknown)).toBeUndefined()
    // What is removed makes room.
    await store.swap({ caller: 'a', key: '2' }, finished('2'), undefined, 0)
    expect(await store.put('a', '4', unknown)).toBeUndefined()
  })

  test('one caller has no more bytes than are allowed: the oldest answers are forgotten, and not that the change was made', async () => {
    await using redis = await startRedis()
    using store = open(redis, { mostCharacters: 10_000 })
    const long = finished('x'.repeat(4000))
    for (const key of ['1', '2', '3', '4', '5']) {
      await store.put('a', key, unknown)
      await store.swap({ caller: 'a', key }, unknown, long, 60_000)
    }
    const kept = await Promise.all(['1', '2', '3', '4', '5'].map((key) => store.read('a', key)))
    expect(kept.map((value) => value?.length === long.length)).toEqual([false, false, false, true, true])
    for (const value of kept)
      expect(readEntry(value as string)?.outcomes.a).toMatchObject({ kind: 'done', errors: [] })
    expect(Number(await redis.command('PTTL', await entryOf(redis)))).toBeGreaterThan(1000)
  })

  test('an answer can be forgotten in the last moment of its key', async () => {
    await using redis = await startRedis()
    using store = open(redis, { mostCharacters: 10_000 })
    const long = finished('x'.repeat(4000))
    await store.put('a', '1', long)
    // Without an end, as in the last millisecond, the time that is left is none that can be set again.
    await redis.command('PERSIST', await entryOf(redis))
    await store.put('a', '2', long)
    expect(await store.put('a', '3', long)).toBeUndefined()
    expect(readEntry((await store.read('a', '1')) ?? '')?.outcomes.a).toMatchObject({ kind: 'done' })
  })

  test('the time is that of Redis also after the machine was suspended', async () => {
    await using redis = await startRedis()
    using store = open(redis, {})
    await store.put('a', '1', unknown)
    const { timeOrigin } = performance
    const lostMs = 3_600_000
    const stood = vi.spyOn(performance, 'now').mockImplementation(() => Date.now() - timeOrigin - lostMs)
    onTestFinished(() => stood.mockRestore())
    expect(Math.abs((await store.now()) - Date.now())).toBeLessThan(lostMs / 2)
  })

  test('what has ended takes no room', async () => {
    await using redis = await startRedis()
    using store = open(redis, { mostKeys: 2 })
    await Promise.all(['1', '2'].map((key) => store.put('a', key, unknown, 50)))
    await expect.poll(() => store.read('a', '2')).toBeUndefined()
    expect(await store.put('a', '3', unknown)).toBeUndefined()
    expect(await store.put('a', '4', unknown)).toBeUndefined()
    await expect(store.put('a', '5', unknown)).rejects.toMatchObject({
      extensions: { code: 'IDEMPOTENCY_UNAVAILABLE' },
    })
  })
})

async function entryOf(redis: RedisServer): Promise<string> {
  const keys = (await redis.command('KEYS', 'tessera:outcome:*')).split('\n')
  return keys.find((key) => /:[0-9a-f]{64}$/.test(key)) ?? ''
}
