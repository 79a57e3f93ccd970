/** Token buckets: how much they let through, in one step over several of them, in memory and in Redis. */
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createRateLimiter,
  createRates,
  type RatedRequest,
  type RateRule,
  type RateStore,
} from '../../../../gateway/costs/rate/index.ts'
import { createRedisStores, memoryStores } from '../../../../gateway/stores/index.ts'
import { createRedis } from '../../../../gateway/stores/redis/index.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { anonymous } from '../../../../shared/identity.ts'
import { startRedis, withRedis } from '../../../support/redis.ts'
import { until } from '../../../support/wait.ts'

const rule: RateRule = { name: 'all', limit: 10, windowSeconds: 60, by: ['caller'], counts: 'requests' }
const createMemoryRates = (now: () => number, most?: number): RateStore =>
  createRates(memoryStores, { now, ...(most && { most }) })
const requestOf = (more: Partial<RatedRequest> = {}): RatedRequest => ({
  identity: anonymous,
  operation: { name: 'Q', type: 'query', hash: 'h' },
  header: () => undefined,
  address: '127.0.0.1',
  cost: () => 3,
  units: () => 100,
  ...more,
})
const signedIn = (subject: string | undefined, more: Partial<RatedRequest> = {}) =>
  requestOf({
    identity: {
      ...anonymous,
      authenticated: true,
      claims: { iss: 'me', plan: 'free' },
      ...(subject && { subject }),
    },
    ...more,
  })

test('a bucket lets through what it holds and what has come back since, and no more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.record({ pause: fc.nat(3000), tokens: fc.integer({ min: 0, max: 8 }) }), { maxLength: 60 }),
      (limit, burst, steps) => {
        let now = 1_000_000
        // Room for many buckets takes longer to make than the test of one.
        const rates = createMemoryRates(() => now, 1)
        const tokenMs = 60_000 / limit
        let held = burst
        for (const { pause, tokens } of steps) {
          now += pause
          held = Math.min(burst, held + pause / tokenMs)
          const taken = rates.take([{ key: 'k', costMs: tokens * tokenMs, capacityMs: burst * tokenMs }])
          if (taken instanceof Promise) throw new Error('the store in memory answers at once')
          // If it is a matter of rounding, either answer is right.
          if (Math.abs(held - tokens) > 1e-4) expect(taken.granted).toBe(held >= tokens)
          if (taken.granted) held -= tokens
          expect(taken.levels[0]).toBeCloseTo((burst - held) * tokenMs, 1)
        }
      },
    ),
  )
})

test('a bucket is filled in its time, whatever happens to the clock', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const rates = createRates(memoryStores)
  const take = () => rates.take([{ key: 'one', costMs: 1000, capacityMs: 1000 }])
  expect(take()).toMatchObject({ granted: true })
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(take()).toMatchObject({ granted: false })
  vi.advanceTimersByTime(1000)
  expect(take()).toMatchObject({ granted: true })
})

test('so many buckets are remembered, and those used least recently are forgotten', async () => {
  const rates = createMemoryRates(() => 0, 2)
  for (const key of ['a', 'b', 'a', 'c']) await rates.take([{ key, costMs: 1, capacityMs: 10 }])
  expect((await rates.take([{ key: 'b', costMs: 0, capacityMs: 10 }])).levels).toEqual([0])
  expect((await rates.take([{ key: 'a', costMs: 0, capacityMs: 10 }])).levels).not.toEqual([1])
})

test('each rule has its buckets by what it says, and counts what it says', async () => {
  const levelsOf = async (of: Partial<RateRule>, requests: readonly RatedRequest[]) => {
    const limiter = createRateLimiter(
      [{ ...rule, ...of }],
      createMemoryRates(() => 0),
    )
    const left: (string | undefined)[] = []
    for (const request of requests)
      left.push(/r=(\d+)/.exec((await limiter.take(request)).head[3] ?? '')?.[1])
    return left
  }
  const client = (name: string) =>
    requestOf({ header: (header) => (header === 'graphql-client-name' ? name : undefined) })
  const callers = [...['a', 'a', 'b'].map((name) => signedIn(name)), requestOf(), requestOf({ address: 'x' })]
  expect(await levelsOf({}, callers)).toEqual(['9', '8', '9', '9', '9'])
  const network = ['2001:db8:0:1::5', '2001:db8:0:1::6', '2001:db8:0:2::5'].map((address) =>
    requestOf({ address }),
  )
  for (const by of ['caller', 'address'] as const)
    expect(await levelsOf({ by: [by] }, network)).toEqual(['9', '8', '9'])
  const token = (text: string) => signedIn(undefined, { header: () => text })
  expect(await levelsOf({}, [token('t1'), token('t1'), token('t2')])).toEqual(['9', '8', '9'])
  // A renewed token of the same program or person begins no new rate.
  const renewed = (text: string, claims: Record<string, unknown>) => {
    const identity = { subject: undefined, scopes: new Set<string>(), claims, authenticated: true }
    return requestOf({ identity, header: () => text })
  }
  const iss = 'https://id.example.com'
  for (const who of [{ client_id: 'app' }, { username: 'ada' }]) {
    const tokens = [
      renewed('t1', { ...who, iss, jti: '1' }),
      renewed('t2', { ...who, iss, jti: '2' }),
      renewed('t3', { ...who, iss: 'https://other.example.com', jti: '3' }),
    ]
    expect(await levelsOf({}, tokens)).toEqual(['9', '8', '9'])
  }
  const clients = [client('web'), client('web'), client('app')]
  expect(await levelsOf({ by: ['client'] }, clients)).toEqual(['9', '8', '9'])
  expect(await levelsOf({ by: ['operation'] }, [signedIn('a'), signedIn('b')])).toEqual(['9', '8'])
  const ofPlan = [signedIn('a'), signedIn('b'), requestOf()]
  expect(await levelsOf({ by: [{ claim: 'plan' }] }, ofPlan)).toEqual(['9', '8', '9'])
  const twoClients = [client('web'), client('app')]
  expect(await levelsOf({ by: ['address', { header: 'graphql-client-name' }] }, twoClients)).toEqual([
    '9',
    '9',
  ])
  expect(await levelsOf({ counts: 'cost' }, [requestOf(), requestOf()])).toEqual(['7', '4'])
  expect(await levelsOf({ counts: 'units', limit: 1000 }, [requestOf()])).toEqual(['900'])
  expect(await levelsOf({ types: ['mutation'] }, [requestOf()])).toEqual([undefined])
  expect(await levelsOf({ operations: ['Other'] }, [requestOf()])).toEqual([undefined])
  const both = { 'graphql-client-name': 'app', 'apollographql-client-name': 'web' }
  const twice = requestOf({ header: (name) => both[name as keyof typeof both] })
  const named = [requestOf(), client('web'), twice]
  expect(await levelsOf({ clients: ['web'] }, named)).toEqual([undefined, '9', '8'])
})

test('a refusal says how long to wait, except if waiting is of no use', async () => {
  const limited: string[] = []
  const rules: RateRule[] = [{ ...rule, limit: 6, burst: 2, counts: 'cost' }]
  const limiter = createRateLimiter(
    rules,
    createMemoryRates(() => 0),
    (policy) => limited.push(policy),
  )
  const cost = (tokens: number) => limiter.take(requestOf({ cost: () => tokens }))
  expect((await cost(3)).refusal?.extensions).toEqual({
    code: 'RATE_LIMITED',
    rateLimit: { policy: 'all', limit: 6, windowSeconds: 60, remaining: 2 },
  })
  expect(await cost(2)).toEqual({
    refusal: undefined,
    head: ['ratelimit-policy', '"all";q=6;w=60', 'ratelimit', '"all";r=0;t=20'],
  })
  expect((await cost(1)).refusal?.extensions).toMatchObject({ retryAfter: 10, rateLimit: { remaining: 0 } })
  expect(limited).toEqual(['all', 'all'])
})

describe.skipIf(!withRedis('rate limits in Redis'))('in Redis', () => {
  const keptLog = () => {
    const lines: string[] = []
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
    return { lines, log }
  }

  test('replicas take from the same buckets, exactly, and count separately while it is unavailable', async () => {
    await using redis = await startRedis()
    const take = (key: string, costMs = 100_000) => ({ key, costMs, capacityMs: 1_000_000 })
    async function askTogether(one: string) {
      const { lines, log } = keptLog()
      const replicas = [1, 2, 3].map(() => createRates(createRedisStores({ url: redis.url, log })))
      const all = await Promise.all(
        Array.from({ length: 60 }, (_, n) => replicas[n % 3]?.take([take(one), take(`${one}-${n}`, 1)])),
      )
      const own = []
      for (const n of all.keys()) own.push(await replicas[0]?.take([take(`${one}-${n}`, 0)]))
      return { one, lines, replicas, all, own }
    }
    let asked = await askTogether('first')
    // A replica that Redis answers too late, as on a busy machine, counts by itself. Others ask for other buckets then.
    await until(async () => {
      if (asked.lines.length === 0) return true
      for (const replica of asked.replicas) await replica.close()
      asked = await askTogether(`${asked.one}+`)
      return false
    }, 'three replicas whom Redis answers in time')
    const { one, lines, replicas, all, own } = asked
    expect(all.filter((taken) => taken?.granted)).toHaveLength(10)
    // What was refused took nothing of the other bucket either.
    for (const [n, taken] of all.entries()) if (taken?.granted !== true) expect(own[n]?.levels).toEqual([0])
    await redis.stop()
    const alone = []
    for (let n = 0; n < 12; n++) alone.push(await replicas[0]?.take([take(one)]))
    expect(alone.filter((taken) => taken?.granted)).toHaveLength(10)
    expect(lines.filter((line) => line.includes('counting in this process'))).toHaveLength(1)
    await redis.start()
    await until(() => lines.some((line) => line.includes('limits are back')), 'the counts in Redis are back')
    expect((await replicas[0]?.take([take(one)]))?.granted).toBe(false)
    for (const replica of replicas) await replica.close()
  })

  test('a bucket is full again in its own time if the clock of Redis was set back', async () => {
    await using redis = await startRedis()
    const rates = createRates(createRedisStores({ url: redis.url, log: keptLog().log }))
    const take = () => rates.take([{ key: 'one', costMs: 200, capacityMs: 200 }])
    expect((await take()).granted).toBe(true)
    // A bucket that was emptied by a clock that was an hour ahead.
    await redis.command('SET', '{tessera:rate}:one', String(Date.now() + 3_600_000))
    expect((await take()).granted).toBe(false)
    await until(async () => (await take()).granted, 'the bucket is full again')
    await rates.close()
  })

  test('a process that counted separately because Redis was late reports the return, on the same connection', async () => {
    await using redis = await startRedis()
    const { lines, log } = keptLog()
    const rates = createRates(createRedisStores({ url: redis.url, log }))
    const said = (text: string): number => lines.filter((line) => line.includes(text)).length
    const take = () => rates.take([{ key: 'one', costMs: 1, capacityMs: 1_000_000 }])
    const operator = createRedis(redis.url, { commandMs: 60_000 })
    await operator.connect()
    const connections = async (): Promise<string> =>
      /total_connections_received:(\d+)/.exec(await operator.info('stats'))?.[1] ?? ''
    expect((await take()).granted).toBe(true)
    const connected = await connections()
    for (let times = 0; times < 2; times++) {
      await until(
        () => said('limits are back') === said('limits are unreachable'),
        'the counts in Redis are back',
      )
      const before = said('limits are unreachable')
      // Longer than a command may take, however long this process is held up; the operator can end it.
      await operator.call('CLIENT', 'PAUSE', '600000', 'WRITE')
      expect((await take()).granted).toBe(true)
      await operator.call('CLIENT', 'UNPAUSE')
      expect(said('limits are unreachable')).toBe(before + 1)
    }
    expect(await connections()).toBe(connected)
    operator.disconnect()
    await rates.close()
  })
})
