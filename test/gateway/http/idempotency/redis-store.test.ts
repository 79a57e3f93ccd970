/** The bounds of what Redis keeps of one caller's idempotency keys. */
import { describe, expect, test } from 'vitest'
import { createRedisOutcomes } from '../../../../gateway/http/idempotency/index.ts'
import { createLogger } from '../../../../gateway/observe/log.ts'
import { type RedisServer, startRedis, withRedis } from '../../../support/redis.ts'

const finished = (text: string): string => `{"outcomes":{"a":{"kind":"done","data":"${text}"}}}`
const unknown = '{"outcomes":{"a":{"kind":"unknown","since":1}}}'

function open(redis: RedisServer, bounds: { mostCharacters?: number; mostOfCaller?: number }) {
  const log = createLogger({ level: 'fatal' })
  const store = createRedisOutcomes({ url: redis.url, log, replicas: 0, mostCharacters: 1e6, ...bounds })
  return {
    /** Keeps it, where nothing is kept under the key; what is. */
    put: (caller: string, key: string, value: string, forMs = 60_000) =>
      store.swap({ caller, key }, undefined, value, forMs),
    /** What is kept, which it leaves as it is. */
    read: (caller: string, key: string) => store.swap({ caller, key }, 'nothing equals this', undefined, 0),
    swap: store.swap,
    [Symbol.dispose]: store.close,
  }
}

describe.skipIf(!withRedis('bounds of idempotency keys in Redis'))('in Redis', () => {
  test('of one caller the oldest that are finished are forgotten, and what is unknown never', async () => {
    await using redis = await startRedis()
    using store = open(redis, { mostOfCaller: 3 })
    await store.put('a', '1', unknown)
    for (const key of ['2', '3', '4']) await store.put('a', key, finished(key))
    const kept = await Promise.all(['1', '2', '3', '4'].map((key) => store.read('a', key)))
    expect(kept).toEqual([unknown, undefined, finished('3'), finished('4')])
    for (const key of ['5', '6', '7']) await store.put('b', key, unknown)
    await expect(store.put('b', '8', unknown)).rejects.toMatchObject({
      extensions: { code: 'IDEMPOTENCY_UNAVAILABLE', retryAfter: 60 },
    })
    // What was begun can be finished, which makes room; and what is removed makes room.
    expect(await store.swap({ caller: 'b', key: '5' }, unknown, finished('5'), 60_000)).toBe(unknown)
    expect(await store.put('b', '8', unknown)).toBeUndefined()
    expect(await store.read('b', '5')).toBeUndefined()
    await store.swap({ caller: 'b', key: '6' }, unknown, undefined, 0)
    expect(await store.put('b', '9', unknown)).toBeUndefined()
    expect(await store.read('a', '1')).toBe(unknown)
  })

  test('one caller has no more bytes than are allowed, however often an entry is replaced', async () => {
    await using redis = await startRedis()
    using store = open(redis, { mostCharacters: 10_000 })
    const long = finished('x'.repeat(4000))
    for (const key of ['1', '2', '3', '4', '5']) {
      await store.put('a', key, unknown)
      await store.swap({ caller: 'a', key }, unknown, long, 60_000)
    }
    const kept = await Promise.all(['1', '2', '3', '4', '5'].map((key) => store.read('a', key)))
    expect(kept.filter((value) => value !== undefined).length).toBeLessThanOrEqual(3)
    expect(kept[4]).toBe(long)
    await store.swap({ caller: 'a', key: '5' }, long, undefined, 0)
    expect(await store.put('a', '6', unknown)).toBeUndefined()
  })

  test('what has ended takes no room', async () => {
    await using redis = await startRedis()
    using store = open(redis, { mostOfCaller: 2 })
    await Promise.all(['1', '2'].map((key) => store.put('a', key, unknown, 50)))
    await expect.poll(() => store.read('a', '2')).toBeUndefined()
    expect(await store.put('a', '3', unknown)).toBeUndefined()
    expect(await store.put('a', '4', unknown)).toBeUndefined()
    await expect(store.put('a', '5', unknown)).rejects.toMatchObject({
      extensions: { code: 'IDEMPOTENCY_UNAVAILABLE' },
    })
  })

  test('thousands of keys of one caller leave no more entries than are allowed', async () => {
    await using redis = await startRedis()
    using store = open(redis, { mostOfCaller: 500, mostCharacters: 1e8 })
    // On a busy machine Redis can take longer than a command may: then it is asked again.
    const put = async (key: string, tries = 20): Promise<void> => {
      await store.put('a', key, finished('done')).catch((error) => {
        if (tries === 1) throw error
        return put(key, tries - 1)
      })
    }
    for (let from = 0; from < 5000; from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, n) => put(String(from + n))))
    // And the two books of the caller.
    expect(Number(await redis.command('DBSIZE'))).toBe(502)
    expect(await store.read('a', '4999')).toBe(finished('done'))
    expect(await store.read('a', '0')).toBeUndefined()
  })
})
