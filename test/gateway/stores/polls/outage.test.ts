/**
 * Gateways that poll as one, when one or all of them lose Redis for a while: afterwards all subscribers have the newest
 * value, and none of them has gone back to an older one. The time of the pollers is held, so that the test decides who
 * asks the service when; each gateway reaches Redis by a proxy of its own.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRedisStores } from '../../../../gateway/stores/index.ts'
import { createLiveStore } from '../../../../gateway/stores/polls/index.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { startSandbox } from '../../../../sandbox/index.ts'
import { sampleVideos } from '../../../../sandbox/videos/index.ts'
import type { LiveStore } from '../../../../shared/polling.ts'
import type { Subgraph } from '../../../../shared/subgraph.ts'
import {
  eventually,
  type HeldClock,
  heldClock,
  type Subscription,
  subscribeTo,
} from '../../../support/live.ts'
import { type RedisServer, startRedis, urlThrough, withRedis } from '../../../support/redis.ts'
import { startProxy, type TcpProxy } from '../../../support/tcp-proxy.ts'
import { videosAt } from '../../../subgraphs/videos/kit.ts'

const [video, otherVideo] = sampleVideos.own as unknown as readonly [string, string]
const subscription =
  'subscription ($ids: [ID!]!) { videoChanged(videoIds: $ids) { videoId statistics { viewCount } } }'

interface Gateway {
  readonly proxy: TcpProxy
  readonly clock: HeldClock
  readonly subgraph: Subgraph
  readonly watching: Subscription
  /** Of the poller of the videos; undefined until it is decided. */
  readonly leading: boolean | undefined
  /** How often it heard what the others want. */
  wants(): number
  /** The view counts that the subscriber got, one after the other. */
  views(): readonly string[]
}

describe.skipIf(!withRedis('pollers after Redis was away'))('pollers after Redis was away', () => {
  let redis: RedisServer
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  let open: (() => Promise<unknown>)[]
  beforeEach(async () => {
    open = []
    redis = await startRedis()
    sandbox = await startSandbox()
  })
  afterEach(async () => {
    for (const close of open.reverse()) await close()
    await sandbox[Symbol.asyncDispose]()
    await redis[Symbol.asyncDispose]()
  })

  async function gateway(intervalMs = 5000): Promise<Gateway> {
    const proxy = await startProxy(redis.port)
    const store = createLiveStore(
      createRedisStores({ url: urlThrough(redis, proxy), log: createLogger({ level: 'silent' }) }),
    ) as LiveStore
    const clock = heldClock()
    let leading: boolean | undefined
    let wants = 0
    const observed: LiveStore = {
      join: (topic, member) =>
        store.join(topic, {
          ...member,
          lead(now) {
            if (!topic.includes('budget')) leading = now
            member.lead(now)
          },
          wants(all) {
            wants += 1
            member.wants(all)
          },
        }),
      close: () => store.close(),
    }
    const subgraph = videosAt(sandbox.url, {
      live: {
        store: observed,
        clock,
        pace: { defaultMs: intervalMs, leastMs: intervalMs, idleMs: intervalMs },
      },
    })
    const watching = await subscribeTo(subgraph, subscription, { ids: [video] })
    watching.read()
    open.push(async () => {
      await subgraph.close()
      await store.close()
      await proxy[Symbol.asyncDispose]()
    })
    return {
      proxy,
      clock,
      subgraph,
      watching,
      get leading() {
        return leading
      },
      wants: () => wants,
      views: () => watching.seen.map(({ data }) => data.videoChanged.statistics.viewCount).slice(1),
    }
  }

  /** The first one leads, and both have the first event. */
  async function pair(intervalMs?: number): Promise<readonly [leader: Gateway, follower: Gateway]> {
    const leader = await gateway(intervalMs)
    await eventually(async () => (await keys(redis, 'lease')).length > 0, 'the first gateway leads')
    const follower = await gateway(intervalMs)
    await eventually(() => follower.leading === false, 'the second one follows')
    await passUntil(
      leader,
      () => leader.watching.seen.length === 1 && follower.watching.seen.length === 1,
      'the first events',
    )
    // What it wants is announced again, without what it lacked when it began.
    const passing = await subscribeTo(follower.subgraph, subscription, { ids: [video, otherVideo] })
    await passing.close()
    const announced = leader.wants()
    follower.clock.pass(100)
    await eventually(() => leader.wants() > announced, 'the follower announces what it wants')
    return [leader, follower]
  }

  const change = (views: string): unknown =>
    sandbox.change('videos', { videoId: video, statistics: { viewCount: views } })

  /** Lets the time of one gateway pass, so that it alone polls, until something is so. */
  const passUntil = (polling: Gateway, holds: () => boolean, what: string): Promise<void> =>
    eventually(() => {
      if (holds()) return true
      polling.clock.pass(1000)
      return false
    }, what)

  test('a follower gets what the leader learned while it led alone', async () => {
    const [leader, follower] = await pair()
    for (const { proxy } of [leader, follower]) proxy.become({ kind: 'cut' })
    await eventually(() => follower.leading === true, 'each leads alone')
    change('5')
    await passUntil(leader, () => leader.views().length === 1, 'the leader learns the change')
    for (const key of await keys(redis, 'lease')) await redis.command('del', key)
    leader.proxy.become({ kind: 'sound' })
    await eventually(async () => (await keys(redis, 'lease')).length > 0, 'the leader holds a lease again')
    follower.proxy.become({ kind: 'sound' })
    await eventually(() => follower.leading === false, 'the other one follows again')
    expect(leader.leading).toBe(true)
    await passUntil(leader, () => follower.views().length === 1, 'the follower gets the change')
    expect(follower.views()).toEqual(['5'])
    expect(leader.views()).toEqual(['5'])
  })

  test('followers that noticed nothing get what the leader could not pass on', async () => {
    // A lease of 15 seconds, which the outage does not outlast.
    const [leader, follower] = await pair(10_000)
    leader.proxy.become({ kind: 'cut' })
    change('5')
    await passUntil(leader, () => leader.views().length === 1, 'the leader learns the change')
    leader.proxy.become({ kind: 'sound' })
    await passUntil(leader, () => follower.views().length === 1, 'the follower gets the change')
    expect(follower.views()).toEqual(['5'])
    expect(leader.views()).toEqual(['5'])
  })

  test('a follower hears of a log that begins again by a clock that is behind', async () => {
    const [leader, follower] = await pair()
    for (const key of await keys(redis, 'log'))
      await redis.command('xsetid', key, `${Date.now() + 3_600_000}-0`)
    change('5')
    await passUntil(leader, () => follower.views().length === 1, 'the follower gets the first change')
    for (const key of await keys(redis, 'log')) await redis.command('del', key)
    change('6')
    await passUntil(leader, () => follower.views().length === 2, 'the follower gets the second change')
    expect(follower.views()).toEqual(['5', '6'])
    expect(leader.views()).toEqual(['5', '6'])
  })

  test('a follower does not go back to what the leader passed on before it asked the service itself', async () => {
    const [leader, follower] = await pair()
    follower.proxy.become({ kind: 'cut' })
    await eventually(() => follower.leading === true, 'the follower leads alone')
    const before = await entries(redis)
    change('5')
    await passUntil(leader, () => leader.views().length === 1, 'the leader learns the first change')
    await eventually(async () => (await entries(redis)) > before, 'it is in the log')
    change('6')
    await passUntil(follower, () => follower.views().length === 1, 'the other one learns the second change')
    follower.proxy.become({ kind: 'sound' })
    await eventually(() => follower.leading === false, 'the other one follows again')
    await passUntil(leader, () => leader.views().length === 2, 'the leader learns the second change')
    change('7')
    await passUntil(leader, () => follower.views().includes('7'), 'the follower gets the third change')
    expect(follower.views()).toEqual(['6', '7'])
    expect(leader.views()).toEqual(['5', '6', '7'])
  })
})

async function keys(redis: RedisServer, kind: 'lease' | 'log'): Promise<readonly string[]> {
  return (await redis.command('keys', `*:${kind}`)).split('\n').filter((key) => key !== '')
}

/** How many entries the logs have. */
async function entries(redis: RedisServer): Promise<number> {
  let count = 0
  for (const key of await keys(redis, 'log')) count += Number(await redis.command('xlen', key))
  return count
}
