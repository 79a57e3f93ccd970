/** The ledger in Redis: what becomes of the count when answers, gateways, clocks and primaries are lost. */
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { Ledger } from '../../../../gateway/costs/quota/index.ts'
import { type RedisServer, startRedis, withRedis } from '../../../support/redis.ts'
import { startProxy } from '../../../support/tcp-proxy.ts'
import { freshAccount, open, spent } from './redis-ledger/kit.ts'

/** Resolves when each of so many gateways has announced itself often enough to know the others. */
async function untilPresent(redis: RedisServer, count: number): Promise<void> {
  const said = async () =>
    (await redis.command('ZRANGE', 'tessera:quota:gateways', '0', '-1', 'WITHSCORES')).trim().split('\n')
  // Each time is another score; once it says so again, it has heard what the time before brought.
  for (let times = 0; times < 3; times++) {
    const before = await said()
    let now: string[]
    do {
      await wait(20)
      now = await said()
    } while (now.length !== 2 * count || now.some((line, at) => at % 2 === 1 && before.includes(line)))
  }
}

/** Redis is known to be away, so that a step does not wait for it. */
async function untilAway(ledger: Ledger): Promise<void> {
  const account = freshAccount()
  for (;;) {
    const began = performance.now()
    await ledger.read(account)
    if (performance.now() - began < 500) return
  }
}

describe.skipIf(!withRedis('the quota ledger in Redis'))('the ledger in Redis', () => {
  test('counts a settlement once, even if its answer was lost', async () => {
    await using redis = await startRedis()
    await using proxy = await startProxy(redis.port)
    await using ledger = await open(proxy.port)
    await using other = await open(redis.port)
    const account = freshAccount()
    await ledger.reserve(account, 'r', 5, 10)
    proxy.become({ kind: 'deaf' })
    await ledger.settle(account, 'r', spent(3))
    expect(await other.read(account)).toMatchObject({ used: 3, reserved: 0 })
    proxy.become({ kind: 'sound' })
    await ledger.settle(account, '', spent(1))
    await expect.poll(() => other.read(account)).toMatchObject({ used: 4 })
    // Whatever was written again by then.
    await wait(300)
    expect(await other.read(account)).toMatchObject({
      used: 4,
      operations: { 'videos.list': { units: 4, calls: 2 } },
    })
  })

  test('promises nothing twice if clocks differ, and uses the clock of Redis', async () => {
    await using redis = await startRedis()
    await using ledger = await open(redis.port)
    await using ahead = await open(redis.port)
    const account = freshAccount()
    await ledger.reserve(account, 'r', 7, 10)
    const right = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(right + 24 * 3_600_000)
    try {
      expect(await ahead.reserve(account, 's', 4, 10)).toMatchObject({ granted: false, reserved: 7 })
      expect(Math.abs((ahead.now?.() ?? 0) - right)).toBeLessThan(60_000)
    } finally {
      clock.mockRestore()
    }
  })

  test('loses nothing with a primary whose replica takes its place', async () => {
    await using primary = await startRedis()
    await using replica = await startRedis({ replicaOf: primary.port })
    await expect.poll(() => primary.command('INFO', 'replication')).toMatch(/state=online/)
    await using proxy = await startProxy(primary.port)
    await using ledger = await open(proxy.port, { replicas: 1 })
    const account = freshAccount()
    expect(await ledger.reserve(account, 'r', 5, 10)).toMatchObject({ granted: true })
    await ledger.settle(account, '', spent(2))
    await primary.stop()
    await replica.command('REPLICAOF', 'NO', 'ONE')
    proxy.target = replica.port
    await using other = await open(replica.port)
    await expect.poll(() => other.read(account)).toMatchObject({ used: 2 })
    expect(await other.read(account)).toMatchObject({ used: 2, reserved: 5 })
    expect(await other.reserve(account, 's', 4, 10)).toMatchObject({ granted: false })
  })

  test('leaves a primary that has become a replica', async () => {
    await using old = await startRedis()
    await using next = await startRedis()
    await using proxy = await startProxy(old.port)
    await using ledger = await open(proxy.port)
    const account = freshAccount()
    await ledger.settle(account, '', spent(2))
    proxy.target = next.port
    await old.command('REPLICAOF', '127.0.0.1', String(next.port))
    await ledger.settle(account, '', spent(1))
    await using other = await open(next.port)
    await expect.poll(() => other.read(account)).toMatchObject({ used: 3 })
  })

  test('shares the rest among the gateways while it is unavailable, in refusals as well', async () => {
    await using redis = await startRedis()
    await using first = await open(redis.port, { presenceMs: 20 })
    await using second = await open(redis.port, { presenceMs: 20 })
    const account = freshAccount()
    await first.settle(account, '', spent(4))
    await first.reserve(account, 'a', 0, 24)
    await second.reserve(account, 'b', 0, 24)
    await untilPresent(redis, 2)
    await redis.stop()
    await Promise.all([untilAway(first), untilAway(second)])
    let granted = 0
    for (const ledger of [first, second]) {
      for (let i = 0; i < 30; i += 1) {
        const id = `${i}`
        const answer = await ledger.reserve(account, id, 1, 24)
        if (answer.granted) {
          granted += 1
          await ledger.settle(account, id, spent(1))
        } else expect(24 - answer.used - answer.reserved).toBe(0)
      }
    }
    expect(granted).toBe(20)
    await redis.start()
    await expect.poll(() => first.read(account)).toMatchObject({ used: 24 })
  })
})
