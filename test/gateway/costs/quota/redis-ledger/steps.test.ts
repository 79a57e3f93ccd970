/** The steps of the ledger in Redis one by one, and what a gateway does by itself while Redis is away. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../../../../gateway/costs/quota/index.ts'
import { calmMs } from '../../../../../gateway/stores/redis/index.ts'
import { outOfTurn, type RedisServer, startRedis, withRedis } from '../../../../support/redis.ts'
import { startProxy } from '../../../../support/tcp-proxy.ts'
import {
  away,
  awayLine,
  back,
  backLine,
  begin,
  freshAccount,
  type Opened,
  open,
  refusedSteps,
  spent,
  unspent,
} from './kit.ts'

const whyRefused =
  'operations that cost quota units are refused until Redis is reached: TESSERA_QUOTA_AWAY=refuse'
const granted = (used: number, reserved: number) => ({ granted: true, used, reserved, closed: false })
const denied = (used: number, reserved: number, closed = false) => ({
  granted: false,
  used,
  reserved,
  closed,
})
const timesSaidWhy = ({ lines }: Opened): number => lines.filter((line) => line === whyRefused).length

describe.skipIf(!withRedis('the steps of the quota ledger in Redis'))('the ledger in Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  test('reserves what fits under the limit, and counts what others have reserved', async () => {
    await using ledger = await open(redis.port)
    const account = freshAccount()
    expect(await ledger.read(account)).toEqual(unspent)
    expect(await ledger.reserve(account, 'a', 6, 10)).toEqual(granted(0, 0))
    expect(await ledger.read(account)).toEqual({ ...unspent, reserved: 6 })
    expect(await ledger.reserve(account, 'b', 5, 10)).toEqual(denied(0, 6))
    expect(await ledger.reserve(account, 'c', 4, 10)).toEqual(granted(0, 6))
    expect(await ledger.reserve(account, 'd', 100, undefined)).toMatchObject({ granted: true, reserved: 10 })
    expect(await ledger.reserve(account, 'e', 0, 0)).toMatchObject({ granted: false, reserved: 110 })
    expect(await ledger.read(account)).toEqual({ ...unspent, reserved: 110 })
  })

  test('releases what was reserved when it is settled, and adds what was spent', async () => {
    await using ledger = await open(redis.port)
    await using other = await open(redis.port)
    const account = freshAccount()
    await ledger.reserve(account, 'a', 6, 10)
    const operations = { ...spent(2), ...spent(3, 2, 'search.list') }
    await ledger.settle(account, 'a', operations)
    expect(await other.read(account)).toEqual({ ...unspent, used: 5, operations })
    // Once more, and one of an id that is not known, with nothing spent: neither changes anything.
    await ledger.settle(account, 'a', {})
    await ledger.settle(account, 'unknown', {})
    expect(await other.read(account)).toEqual({ ...unspent, used: 5, operations })
    await other.reserve(account, 'b', 4, 10)
    await other.settle(account, 'b', spent(1))
    expect(await ledger.read(account)).toEqual({
      ...unspent,
      used: 6,
      operations: { ...operations, ...spent(3, 2) },
    })
    expect(await ledger.reserve(account, 'c', 5, 10)).toEqual(denied(6, 0))
  })

  test('releases what was reserved although nothing was spent', async () => {
    await using ledger = await open(redis.port)
    const account = freshAccount()
    await ledger.reserve(account, 'a', 6, 10)
    await ledger.settle(account, 'a', {})
    expect(await ledger.read(account)).toEqual(unspent)
  })

  test('asks Redis for nothing if an account has nothing reserved and nothing was spent', async () => {
    await using server = await startRedis()
    await using ledger = await open(server.port)
    const steps = async (): Promise<string | undefined> =>
      /cmdstat_eval:calls=(\d+)/.exec(await server.command('INFO', 'commandstats'))?.[1]
    const before = await steps()
    await ledger.settle(freshAccount(), 'unknown', {})
    expect(await steps()).toBe(before)
    await ledger.settle(freshAccount(), 'unknown', spent(1))
    expect(await steps()).not.toBe(before)
  })

  test('counts the reservations of a dead gateway as spent, and corrects them if it returns', async () => {
    await using dead = await open(redis.port, { promiseMs: 50 })
    await using other = await open(redis.port)
    const account = freshAccount()
    expect(await dead.reserve(account, 'r', 7, 10)).toMatchObject({ granted: true })
    await wait(100)
    expect(await other.reserve(account, 's', 4, 10)).toMatchObject({ granted: false, used: 7, reserved: 0 })
    expect((await other.read(account)).operations).toEqual({ unknown: { units: 7, calls: 0 } })
    await dead.settle(account, 'r', { ...spent(2), ...spent(0, 1, 'free.list') })
    expect((await other.read(account)).operations).toEqual({ ...spent(2), ...spent(0, 1, 'free.list') })
    expect(await other.reserve(account, 's', 8, 10)).toMatchObject({ granted: true })
  })

  test('shows the reservations of a dead gateway as spent although nobody reserves anything', async () => {
    await using dead = await open(redis.port, { promiseMs: 50 })
    await using other = await open(redis.port)
    const account = freshAccount()
    await dead.reserve(account, 'r', 7, 10)
    await expect
      .poll(() => other.read(account))
      .toEqual({ ...unspent, used: 7, operations: { unknown: { units: 7, calls: 0 } } })
    await dead.settle(account, 'r', spent(2))
    expect(await other.read(account)).toEqual({ ...unspent, used: 2, operations: spent(2) })
  })

  test('does not count on what no replica has', async () => {
    await using ledger = await open(redis.port, { replicas: 1, away: 'refuse' })
    const account = freshAccount()
    await expect(ledger.reserve(account, 'r', 1, 10)).rejects.toMatchObject({
      extensions: { code: 'SERVICE_BUSY' },
    })
    // It does not charge anybody for it either.
    await expect.poll(() => ledger.read(account)).toEqual(unspent)
  })

  test('grants nothing of a day that is closed, to any gateway', async () => {
    await using ledger = await open(redis.port)
    await using other = await open(redis.port)
    const account = freshAccount()
    await ledger.reserve(account, 'a', 3, 10)
    await ledger.shut(account)
    expect(await other.read(account)).toEqual({ ...unspent, reserved: 3, closed: true })
    for (const limit of [10, undefined])
      expect(await other.reserve(account, 'b', 1, limit)).toEqual(denied(0, 3, true))
    // What was spent before counts all the same.
    await ledger.settle(account, 'a', spent(2))
    expect(await other.read(account)).toMatchObject({ used: 2, reserved: 0, closed: true })
  })

  test('keeps days and credentials apart, and each for a day after its own has ended', async () => {
    await using ledger = await open(redis.port)
    const account = freshAccount()
    const tomorrow = { ...account, day: '2026-01-02' }
    await ledger.settle(account, '', spent(1))
    await ledger.reserve(account, 'a', 1, 10)
    expect(await ledger.read(tomorrow)).toEqual(unspent)
    expect(await ledger.read(freshAccount())).toEqual(unspent)
    const keys = (await redis.command('KEYS', `*${account.credential}}*`)).trim().split('\n')
    expect(keys).toHaveLength(2)
    for (const key of keys)
      expect(Number(await redis.command('PEXPIRETIME', key))).toBe(account.endsAt + 24 * 3_600_000)
  })

  test.each([
    ['used', '1e308'],
    ['used', '-5'],
    ['used', 'nan'],
    ['used', '9007199254740993'],
    ['used', 'x'],
    ['units:videos.list', '1e3'],
    ['calls:videos.list', '-1'],
  ])('counts by itself if the field %s is %s, and says why', async (field, value) => {
    await using ledger = await open(redis.port)
    const account = freshAccount()
    await ledger.settle(account, '', spent(4))
    await redis.command('HSET', `tessera:quota:{${account.day}:${account.credential}}`, field, value)
    expect(await ledger.read(account)).toEqual({ ...unspent, used: 4, operations: spent(4) })
    if (field === 'used')
      expect(await ledger.reserve(account, 'a', 7, 10)).toMatchObject({ granted: false, closed: false })
    expect(ledger.lines).toContain(awayLine)
  })

  test('counts by itself if somebody else has made a reservation without units', async () => {
    await using ledger = await open(redis.port)
    const account = freshAccount()
    const promises = `tessera:quota:{${account.day}:${account.credential}}:promises`
    await redis.command('ZADD', promises, '9e15', 'no units')
    expect(await ledger.read(account)).toEqual(unspent)
    // The share of one of some gateways.
    expect(await ledger.reserve(account, 'a', 7, 1000)).toMatchObject({ granted: true })
    expect(ledger.lines).toContain(awayLine)
  })

  test('announces itself in Redis as long as it runs, and uses the clock of Redis', async () => {
    await using server = await startRedis()
    const present = async (): Promise<number> =>
      Number(await server.command('ZCARD', 'tessera:quota:gateways'))
    {
      await using ledger = await open(server.port, { presenceMs: 5 })
      expect(await present()).toBe(1)
      await using second = await open(server.port)
      expect(await present()).toBe(2)
      await server.command('DEL', 'tessera:quota:gateways')
      // The first says so again and again.
      while ((await present()) !== 1) await wait(5)
      const [at = 0] = (await server.command('TIME')).split('\n').map(Number)
      for (const each of [ledger, second])
        expect(Math.abs((each.now?.() ?? 0) - at * 1000)).toBeLessThan(60_000)
      const until = Number(
        (await server.command('ZRANGE', 'tessera:quota:gateways', '0', '-1', 'WITHSCORES')).split('\n')[1],
      )
      expect(Math.abs(until - at * 1000 - 60_000)).toBeLessThan(30_000)
    }
    // The client that asks is the only one.
    await expect.poll(() => server.command('INFO', 'clients')).toContain('connected_clients:1\r')
    await server.command('DEL', 'tessera:quota:gateways')
    await wait(50)
    expect(await present()).toBe(0)
  })

  test('takes the time of Redis from the answer of any step', async () => {
    await using server = await startRedis()
    // No gateway can say that it is there.
    await server.command('SET', 'tessera:quota:gateways', 'no set')
    await using ledger = begin(server.port)
    await ledger.settle(freshAccount(), '', {})
    expect(ledger.now?.()).toBeUndefined()
    await ledger.settle(freshAccount(), '', spent(1))
    expect(Math.abs((ledger.now?.() ?? 0) - Date.now())).toBeLessThan(60_000)
  })

  test('a failed announcement leaves no rejection unhandled', async () => {
    await using server = await startRedis()
    await using _ = await open(server.port, { presenceMs: 5 })
    const unhandled: unknown[] = []
    const take = (reason: unknown): unknown => unhandled.push(reason)
    const runners = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', take)
    try {
      await server.command('SET', 'tessera:quota:gateways', 'no set')
      await expect.poll(() => refusedSteps(server)).toBeGreaterThan(2)
    } finally {
      process.off('unhandledRejection', take)
      for (const runner of runners) process.on('unhandledRejection', runner)
    }
    expect(unhandled).toEqual([])
  })

  describe('that is unavailable', () => {
    test('leaves a gateway what was left when it last heard', async () => {
      await using server = await startRedis()
      await using proxy = await startProxy(server.port)
      await using other = await open(server.port)
      // The second of two gateways, so that it hears of both.
      await using ledger = await open(proxy.port)
      const account = freshAccount()
      await other.settle(account, '', spent(4))
      await other.reserve(account, 'theirs', 2, 20)
      await ledger.reserve(account, 'own', 3, 20)
      const refused = freshAccount()
      await other.settle(refused, '', spent(5))
      await ledger.settle(refused, '', spent(2))
      await ledger.reserve(refused, 'own', 100, 20)
      await away(proxy, ledger)
      // By a refusal it has heard as well, of what it had spent itself, too.
      expect(await ledger.read(refused)).toMatchObject({ used: 7, reserved: 0 })
      // Two gateways; 20 - 4 - 2 - 3 is 11, half of it is 5, beside the 3 that it has reserved.
      expect(await ledger.read(account)).toEqual({ ...unspent, used: 4, reserved: 5 })
      expect(await ledger.reserve(account, 'a', 6, 20)).toEqual(denied(15, 0))
      expect(await ledger.reserve(account, 'b', 4, 20)).toEqual(granted(15, 0))
      expect(await ledger.read(account)).toEqual({ ...unspent, used: 4, reserved: 9 })
      await ledger.settle(account, 'b', spent(3))
      await ledger.settle(account, 'own', spent(1))
      expect(await ledger.read(account)).toEqual({
        ...unspent,
        used: 8,
        reserved: 2,
        operations: spent(4, 2),
      })
      expect(await ledger.reserve(account, 'c', 5, 20)).toMatchObject({ granted: false })
      expect(await ledger.reserve(account, 'd', 4, 20)).toMatchObject({ granted: true, used: 16 })
      // Without a limit nothing is refused.
      expect(await ledger.reserve(account, 'e', 1_000, undefined)).toMatchObject({ granted: true })
      // It was not heard of this one: its share of all.
      const fresh = freshAccount()
      expect(await ledger.read(fresh)).toEqual(unspent)
      expect(await ledger.reserve(fresh, 'a', 11, 20)).toMatchObject({ granted: false, used: 10 })
      expect(await ledger.reserve(fresh, 'b', 10, 20)).toMatchObject({ granted: true, used: 10 })
      expect(ledger.lines.at(-1)).toBe(awayLine)
      expect(outOfTurn(ledger.lines, awayLine, backLine)).toEqual([])
    })

    test('learns what was reserved, settled and closed meanwhile as soon as it is back', async () => {
      await using proxy = await startProxy(redis.port)
      await using ledger = await open(proxy.port)
      await using other = await open(redis.port)
      const [held, settled] = [freshAccount(), freshAccount()]
      const [closed, refused] = [freshAccount(), freshAccount()]
      await ledger.reserve(settled, 'before', 4, 100)
      await away(proxy, ledger)
      await ledger.reserve(held, 'a', 5, 1_000)
      await ledger.reserve(held, 'b', 1, 1_000)
      await ledger.settle(settled, 'before', spent(3))
      await ledger.shut(closed)
      await ledger.reserve(refused, 'c', 1_000, 10)
      expect((await other.read(settled)).reserved).toBe(4)
      await back(proxy, ledger)
      await expect.poll(() => other.read(held)).toEqual({ ...unspent, reserved: 6 })
      await expect.poll(() => other.read(settled)).toEqual({ ...unspent, used: 3, operations: spent(3) })
      await expect.poll(() => other.read(closed)).toEqual({ ...unspent, closed: true })
      expect(await other.read(refused)).toEqual(unspent)
      await ledger.settle(held, 'a', spent(2))
      await ledger.settle(held, 'b', {})
      expect(await other.read(held)).toMatchObject({ used: 2, reserved: 0 })
      expect(outOfTurn(ledger.lines, awayLine, backLine)).toEqual([])
    })

    test('after a loss of data gets totals, reservations and closed days once more', async () => {
      await using proxy = await startProxy(redis.port)
      await using ledger = await open(proxy.port)
      const [spending, closed] = [freshAccount(), freshAccount()]
      await ledger.settle(spending, '', spent(2))
      await ledger.reserve(spending, 'a', 5, 10)
      await ledger.shut(closed)
      await using next = await startRedis()
      proxy.target = next.port
      await away(proxy, ledger)
      await back(proxy, ledger)
      await using other = await open(next.port)
      await expect
        .poll(() => other.read(spending))
        .toEqual({ ...unspent, used: 2, reserved: 5, operations: spent(2) })
      await expect.poll(() => other.read(closed)).toEqual({ ...unspent, closed: true })
    })

    test('refuses what is bounded if it is to, says why once, and again after it was back', async () => {
      await using proxy = await startProxy(redis.port)
      await using ledger = await open(proxy.port, { away: 'refuse' })
      const account = freshAccount()
      const refusal = {
        message:
          'The shared count of quota units cannot be reached, so no call was made. Send it again after `retryAfter` seconds.',
        extensions: { code: 'SERVICE_BUSY', retryAfter: 1 },
      }
      await away(proxy, ledger)
      await expect(ledger.reserve(account, 'a', 1, 10)).rejects.toMatchObject(refusal)
      await expect(ledger.reserve(account, 'a', 1, 10)).rejects.toMatchObject(refusal)
      expect(timesSaidWhy(ledger)).toBe(1)
      await back(proxy, ledger)
      await expect.poll(() => ledger.reserve(account, 'a', 1, 10)).toMatchObject({ granted: true })
      proxy.become({ kind: 'cut' })
      await expect(ledger.reserve(account, 'b', 1, 10)).rejects.toMatchObject(refusal)
      expect(timesSaidWhy(ledger)).toBe(2)
    })

    test('says why again if Redis was late once more on the same connection', async () => {
      await using server = await startRedis()
      await using ledger = await open(server.port, { away: 'refuse' })
      const reserve = (id: string) => ledger.reserve(freshAccount(), id, 1, 10)
      const isGranted = async (id: string): Promise<boolean> => {
        try {
          return (await reserve(id)).granted
        } catch {
          return false
        }
      }
      const connection = async (): Promise<string | undefined> =>
        /^id=(\d+) .*cmd=eval/m.exec(await server.command('CLIENT', 'LIST'))?.[1]
      while (!(await isGranted('first'))) await wait(calmMs)
      const connected = await connection()
      for (const id of ['a', 'b']) {
        const before = timesSaidWhy(ledger)
        await server.command('CLIENT', 'PAUSE', '60000', 'WRITE')
        await expect(reserve(id)).rejects.toMatchObject({ extensions: { code: 'SERVICE_BUSY' } })
        expect(timesSaidWhy(ledger)).toBe(before + 1)
        await server.command('CLIENT', 'UNPAUSE')
        do await wait(calmMs)
        while (!(await isGranted(`after ${id}`)))
      }
      expect(await connection()).toBe(connected)
    })

    test('from the beginning grants nothing that is bounded', async () => {
      await using proxy = await startProxy(redis.port)
      proxy.become({ kind: 'cut' })
      await using ledger = begin(proxy.port)
      const account = freshAccount()
      await expect(ledger.reserve(account, 'a', 1, 10)).rejects.toMatchObject({
        extensions: { code: 'SERVICE_BUSY' },
      })
      expect(ledger.lines.at(-1)).toBe(
        'operations that cost quota units are refused until Redis is reached: this gateway has not reached Redis since it started, and does not know what was spent: check TESSERA_REDIS_URL',
      )
      expect(ledger.now?.()).toBeUndefined()
      expect(await ledger.reserve(account, 'a', 1, undefined)).toMatchObject({ granted: true })
    })
  })

  describe('that takes no writes for a time', () => {
    const refuseWrites = (server: RedisServer): Promise<string> =>
      server.command('CONFIG', 'SET', 'maxmemory', '1')
    const takeWrites = (server: RedisServer): Promise<string> =>
      server.command('CONFIG', 'SET', 'maxmemory', '0')

    test('learns what it missed with the next successful step', async () => {
      await using server = await startRedis()
      await using ledger = await open(server.port)
      await using other = await open(server.port)
      for (const step of ['a reservation', 'a settlement'] as const) {
        const [account, next] = [freshAccount(), freshAccount()]
        await refuseWrites(server)
        await ledger.shut(account)
        expect(await other.read(account)).toEqual(unspent)
        await takeWrites(server)
        if (step === 'a reservation') await ledger.reserve(next, 'a', 1, 10)
        else await ledger.settle(next, '', spent(1))
        await expect.poll(() => other.read(account)).toEqual({ ...unspent, closed: true })
      }
    })

    test('as the next server after one that was lost, is given all of it once it takes writes', async () => {
      await using proxy = await startProxy(redis.port)
      await using ledger = await open(proxy.port)
      const accounts = [freshAccount(), freshAccount(), freshAccount()]
      for (const account of accounts) {
        await ledger.settle(account, '', spent(2))
        await ledger.reserve(account, `${account.credential} a`, 5, 10)
        await ledger.reserve(account, `${account.credential} b`, 1, 10)
      }
      await using next = await startRedis()
      await refuseWrites(next)
      proxy.target = next.port
      await away(proxy, ledger)
      await back(proxy, ledger)
      // That it is there, and the first account.
      await expect.poll(() => refusedSteps(next)).toBeGreaterThan(1)
      await takeWrites(next)
      await using other = await open(next.port)
      for (const account of accounts) expect(await other.read(account)).toEqual(unspent)
      await ledger.settle(accounts[1] as Account, `${accounts[1]?.credential} b`, {})
      const operations = spent(2)
      for (const [at, reserved] of [6, 5, 6].entries())
        await expect
          .poll(() => other.read(accounts[at] as Account))
          .toEqual({ ...unspent, used: 2, reserved, operations })
    })

    test('learns what it missed when the gateway says again that it is there', async () => {
      await using server = await startRedis()
      await using ledger = await open(server.port, { presenceMs: 5 })
      await using other = await open(server.port)
      const account = freshAccount()
      await refuseWrites(server)
      await ledger.shut(account)
      await takeWrites(server)
      await expect.poll(() => other.read(account)).toEqual({ ...unspent, closed: true })
    })

    test('learns it at the latest when the ledger is closed', async () => {
      await using server = await startRedis()
      await using other = await open(server.port)
      const account = freshAccount()
      const ledger = await open(server.port)
      await refuseWrites(server)
      await ledger.settle(account, '', spent(3))
      await takeWrites(server)
      await ledger.close()
      expect(await other.read(account)).toMatchObject({ used: 3 })
    })

    test('has nothing reserved of what it did not take, and this gateway its share', async () => {
      await using server = await startRedis()
      await using ledger = await open(server.port)
      const account = freshAccount()
      await refuseWrites(server)
      expect(await ledger.reserve(account, 'a', 4, 10)).toEqual(granted(0, 0))
      await takeWrites(server)
      await ledger.settle(account, 'a', spent(2))
      expect(await ledger.read(account)).toMatchObject({ used: 2, reserved: 0 })
    })
  })
})
