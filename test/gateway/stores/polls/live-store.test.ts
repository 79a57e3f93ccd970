/** Pollers of several gateways over a real Redis: who polls, what the others get, and what happens when one is gone. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRedisStores } from '../../../../gateway/stores/index.ts'
import { createLiveStore } from '../../../../gateway/stores/polls/index.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { startSandbox } from '../../../../sandbox/index.ts'
import { sampleVideos } from '../../../../sandbox/videos/index.ts'
import type { LiveMark, LiveMember, LiveMembership, LiveStore } from '../../../../shared/polling.ts'
import type { Subgraph } from '../../../../shared/subgraph.ts'
import { eventually, type Subscription, subscribeTo } from '../../../support/live.ts'
import { type RedisServer, startRedis, urlThrough, withRedis } from '../../../support/redis.ts'
import { startProxy, type TcpProxy } from '../../../support/tcp-proxy.ts'
import { videosAt } from '../../../subgraphs/videos/kit.ts'

interface Witness extends LiveMember {
  leading: boolean | undefined
  readonly heard: unknown[]
  /** Those that may be older than what was learned here. */
  readonly older: unknown[]
  renewals: number
  wanted: readonly unknown[]
}

function witness(): Witness {
  const own: Witness = {
    leading: undefined,
    heard: [],
    older: [],
    renewals: 0,
    wanted: [],
    lead(leading) {
      own.leading = leading
    },
    hear: (message, older) => void (older ? own.older : own.heard).push(message),
    wants(wants) {
      own.wanted = wants
    },
    renew() {
      own.renewals += 1
    },
  }
  return own
}

/** The mark of a poll that knew no request. Without a message that was heard, none can be too old. */
const atFirst: LiveMark = { asked: 0, heard: undefined }

describe.skipIf(!withRedis('pollers of several gateways'))('pollers of several gateways over Redis', () => {
  let redis: RedisServer
  let stores: LiveStore[]
  const store = (url = redis.url): LiveStore => {
    // No step fails because this process was stopped for a second: it would be taken once more, and counted.
    const made = createLiveStore(
      createRedisStores({ url, log: createLogger({ level: 'silent' }), commandMs: 60_000 }),
    ) as LiveStore
    stores.push(made)
    return made
  }
  beforeEach(async () => {
    redis = await startRedis()
    stores = []
  })
  afterEach(async () => {
    await Promise.all(stores.map((each) => each.close()))
    await redis[Symbol.asyncDispose]()
  })

  /** `paceMs`: a lease lasts one and a half of it. With a long one a busy machine does not change who leads. */
  async function pair(
    paceMs = 10_000,
  ): Promise<{ members: Witness[]; memberships: LiveMembership[]; leader: number }> {
    const members = [witness(), witness()]
    const memberships = members.map((member) => store().join('a topic', member))
    for (const membership of memberships) membership.pace(paceMs)
    await eventually(() => members.every(({ leading }) => leading !== undefined))
    expect(members.map(({ leading }) => leading).sort()).toEqual([false, true])
    return { members, memberships, leader: members.findIndex(({ leading }) => leading === true) }
  }

  test('one leads, the others hear everything in order, and it knows what they want', async () => {
    const { members, memberships, leader } = await pair()
    const other = 1 - leader
    memberships[other]?.want({ ids: ['a'] })
    await eventually(() => members[leader]?.wanted.length === 1)
    expect(members[leader]?.wanted).toEqual([{ ids: ['a'] }])
    for (let i = 0; i < 250; i++) memberships[leader]?.tell({ i }, atFirst)
    await eventually(() => members[other]?.heard.length === 250)
    expect(members[other]?.heard).toEqual(Array.from({ length: 250 }, (_, i) => ({ i })))
    expect(members[leader]?.heard).toEqual([])
  })

  test('keeps every digit of a number', async () => {
    const { members, memberships, leader } = await pair()
    const { parseExactly } = await import('../../../../shared/json/exact-number.ts')
    memberships[leader]?.tell(parseExactly('{"id":12345678901234567890}'), atFirst)
    await eventually(() => members[1 - leader]?.heard.length === 1)
    expect(JSON.stringify(members[1 - leader]?.heard[0])).toBe('{"id":12345678901234567890}')
  })

  test('a leader that leaves lets another one lead immediately', async () => {
    const { members, memberships, leader } = await pair()
    memberships[leader]?.leave()
    await eventually(() => members[1 - leader]?.leading === true)
  })

  test('another one leads when the leader disappears, and continues after all its messages', async () => {
    const { members, memberships, leader } = await pair(1000)
    memberships[leader]?.tell('last words', atFirst)
    await eventually(() => members[1 - leader]?.heard.length === 1)
    await stores[leader]?.close()
    await eventually(() => members[1 - leader]?.leading === true)
    expect(members[1 - leader]?.heard).toEqual(['last words'])
  })

  test('each leads by itself while Redis is away, and one of them when it is back', async () => {
    const { members, memberships } = await pair(1000)
    await redis.stop()
    await eventually(() => members.every(({ leading }) => leading === true))
    expect(members.map(({ wanted }) => wanted)).toEqual([[], []])
    // The lease outlasts the server. If the other one is back first, what its holder tells before it is back is lost.
    members.forEach((member, i) => {
      member.renew = () => memberships[i]?.tell('again', memberships[i].mark, true)
    })
    await redis.start()
    await eventually(() => members.filter(({ leading }) => leading === true).length === 1)
    memberships[members.findIndex(({ leading }) => leading === true)]?.tell('again', atFirst)
    await eventually(() => members.find(({ leading }) => leading === false)?.heard.at(-1) === 'again')
  })

  /** Adds to the log as a gateway from before there were marks, without a message that tells of it. */
  async function add(text: string): Promise<void> {
    const [log = ''] = (await redis.command('keys', '*:log')).trim().split('\n')
    await redis.command('xadd', log, '*', 'from', 'a gateway of before', 'text', JSON.stringify(text))
  }

  /** A member that leads, and one that follows and reaches Redis by a proxy. */
  async function pairWithProxy(proxy: TcpProxy) {
    const near = witness()
    const far = witness()
    const leader = store().join('a topic', near)
    leader.pace(10_000)
    await eventually(() => near.leading === true)
    const follower = store(urlThrough(redis, proxy)).join('a topic', far)
    follower.pace(1000)
    await eventually(() => far.leading === false)
    return { near, far, leader, follower }
  }

  test('a member that learned by itself while it was cut off asks for the whole, and takes the rest for older', async () => {
    await using proxy = await startProxy(redis.port)
    const { near, far, leader, follower } = await pairWithProxy(proxy)
    const before = leader.mark
    proxy.become({ kind: 'cut' })
    leader.tell('before', leader.mark)
    await eventually(() => far.leading === true)
    follower.tell('learned alone', follower.mark)
    proxy.become({ kind: 'sound' })
    await eventually(() => far.leading === false)
    await eventually(() => near.renewals === 1)
    // Of a poll that had begun before it was asked for, and of one that began afterwards.
    leader.tell('late', before)
    leader.tell('whole', leader.mark, true)
    leader.tell('after', leader.mark)
    await eventually(() => far.heard.includes('after'))
    expect(far.heard).toEqual(['whole', 'after'])
    // The entry from before the request may have been read before it was made.
    expect(far.older.filter((message) => message !== 'before')).toEqual(['late'])
    expect(near.renewals).toBe(1)
  })

  test('a member that was cut off and learned nothing hears what was passed on meanwhile', async () => {
    await using proxy = await startProxy(redis.port)
    const { near, far, leader } = await pairWithProxy(proxy)
    proxy.become({ kind: 'cut' })
    leader.tell('meanwhile', leader.mark)
    await eventually(() => far.leading === true)
    proxy.become({ kind: 'sound' })
    await eventually(() => far.leading === false)
    // What Redis has lost, as if a replica took over, it would not find in the log.
    await eventually(() => near.renewals === 1)
    await eventually(() => far.heard.length === 1)
    expect(far.heard).toEqual(['meanwhile'])
    expect(far.older).toEqual([])
  })

  test('the next leader passes on the whole that the last one owed, and nothing if none was owed', async () => {
    await using proxy = await startProxy(redis.port)
    const { near, far, leader, follower } = await pairWithProxy(proxy)
    const next = witness()
    const third = store().join('a topic', next)
    third.pace(10_000)
    await eventually(() => next.leading === false)
    proxy.become({ kind: 'cut' })
    await eventually(() => far.leading === true)
    proxy.become({ kind: 'sound' })
    await eventually(() => near.renewals === 1)
    // Both may take the lease; the one that asked leads with what it learned.
    follower.leave()
    leader.leave()
    await eventually(() => next.leading === true && next.renewals === 1)
    third.tell('whole', third.mark, true)
    const last = witness()
    const fourth = store().join('a topic', last)
    await eventually(() => last.leading === false)
    third.tell('more', third.mark)
    await eventually(() => last.heard.includes('more'))
    third.leave()
    await eventually(() => last.leading === true)
    fourth.tell('on', fourth.mark)
    expect(last.renewals).toBe(0)
  })

  test('a member asks again if Redis has lost its request', async () => {
    await using proxy = await startProxy(redis.port)
    const { near, far, leader, follower } = await pairWithProxy(proxy)
    proxy.become({ kind: 'cut' })
    await eventually(() => far.leading === true)
    follower.tell('learned alone', follower.mark)
    proxy.become({ kind: 'sound' })
    await eventually(() => near.renewals === 1)
    await redis.command('del', ...(await redis.command('keys', '*:requests')).trim().split('\n'))
    await eventually(() => near.renewals === 2)
    leader.tell('whole', leader.mark, true)
    await eventually(() => far.heard.includes('whole'))
  })

  test('a leader whose message was lost passes on the whole, which the others hear', async () => {
    await using proxy = await startProxy(redis.port)
    const own = witness()
    const other = witness()
    const membership = store(urlThrough(redis, proxy)).join('a topic', own)
    membership.pace(10_000)
    await eventually(() => own.leading === true)
    store().join('a topic', other)
    await eventually(() => other.leading === false)
    proxy.become({ kind: 'cut' })
    membership.tell('lost', membership.mark)
    proxy.become({ kind: 'sound' })
    await eventually(() => own.renewals > 0)
    membership.tell('whole', membership.mark, true)
    await eventually(() => other.heard.length > 0)
    expect(other.heard).toEqual(['whole'])
  })

  test('a leader learns from a message that is refused that another one leads, and asks for the whole', async () => {
    const own = witness()
    const membership = store().join('a topic', own)
    await eventually(() => own.leading === true)
    await redis.command('set', (await redis.command('keys', '*:lease')).trim(), 'another')
    membership.tell('refused', membership.mark)
    await eventually(() => own.leading === false)
    await eventually(async () => (await redis.command('keys', '*:requests')).trim() !== '')
  })

  test('a leader whose poll began before a message of another leader does not pass on its result', async () => {
    const { members, memberships, leader } = await pair()
    const [own, other] = [members[leader] as Witness, members[1 - leader]]
    memberships[leader]?.tell('first', atFirst)
    await eventually(() => other?.heard.length === 1)
    const before = memberships[leader]?.mark ?? atFirst
    await add('newer')
    memberships[leader]?.tell('older', before)
    await eventually(() => own.renewals > 0)
    expect([...own.heard, ...own.older]).toEqual(['newer'])
    memberships[leader]?.tell('whole', memberships[leader].mark, true)
    await eventually(() => other?.heard.includes('whole') === true)
    expect(other?.heard).toEqual(['first', 'newer', 'whole'])
  })

  test('a member asks for the whole after its connection was lost, as Redis may have lost entries', async () => {
    await using proxy = await startProxy(redis.port)
    const { near, far } = await pairWithProxy(proxy)
    proxy.reset()
    await eventually(() => near.renewals === 1)
    expect(far.older).toEqual([])
  })

  test('a change without a message, for example after a failed read, is heard with the next step', async () => {
    await using proxy = await startProxy(redis.port)
    const { far, leader } = await pairWithProxy(proxy)
    leader.tell('told', leader.mark)
    await eventually(() => far.heard.length === 1)
    await add('not told')
    await eventually(() => far.heard.length === 2)
    expect(far.heard).toEqual(['told', 'not told'])
  })

  describe('entries of an older gateway, which have no mark', () => {
    test('are heard', async () => {
      const { members, memberships, leader } = await pair()
      memberships[leader]?.tell('with one', memberships[leader].mark)
      await eventually(() => members[1 - leader]?.heard.length === 1)
      await add('without')
      memberships[leader]?.tell('with another', atFirst)
      await eventually(() => members[1 - leader]?.heard.length === 3)
      expect(members[1 - leader]?.heard).toEqual(['with one', 'without', 'with another'])
      expect(members[1 - leader]?.older).toEqual([])
    })

    test('are left out by a member that learned by itself after them', async () => {
      await using proxy = await startProxy(redis.port)
      const { near, far, leader, follower } = await pairWithProxy(proxy)
      leader.tell('first', leader.mark)
      await eventually(() => far.heard.length === 1)
      proxy.become({ kind: 'cut' })
      await eventually(() => far.leading === true)
      await add('without')
      follower.tell('learned alone', follower.mark)
      proxy.become({ kind: 'sound' })
      await eventually(() => near.renewals === 1)
      await add('without, afterwards')
      leader.tell('whole', { ...leader.mark, heard: undefined }, true)
      await eventually(() => far.heard.includes('whole'))
      expect(far.heard).toEqual(['first', 'without, afterwards', 'whole'])
    })
  })

  describe('of the videos', () => {
    const [first, second] = sampleVideos.own as unknown as readonly [string, string]
    // A lease lasts one and a half of it: a process that is held up for a second or two still leads.
    const paceMs = 3000
    const gateway = (url: string): Subgraph =>
      videosAt(url, {
        live: { store: store(), pace: { defaultMs: paceMs, leastMs: paceMs, idleMs: paceMs } },
      })
    const watch = async (subgraph: Subgraph, ids: readonly string[]): Promise<Subscription> => {
      const watching = await subscribeTo(
        subgraph,
        'subscription ($ids: [ID!]!) { videoChanged(videoIds: $ids) { videoId statistics { viewCount } } }',
        { ids },
      )
      watching.read()
      return watching
    }

    test('are polled by one gateway for all, also after it is gone', async () => {
      await using sandbox = await startSandbox()
      const gateways = [gateway(sandbox.url), gateway(sandbox.url), gateway(sandbox.url)]
      const all = await Promise.all(gateways.map((each, at) => watch(each, at === 2 ? [second] : [first])))
      await Promise.all(all.map((each) => each.until(1)))
      const asked = () => sandbox.calls('videos.list')
      const united = () => asked().filter(({ query }) => query.get('id')?.includes(',')).length
      await eventually(() => united() > 2)
      const [from, at] = [asked().length, Date.now()]
      await eventually(() => asked().length >= from + 4)
      // One poll in that time, not three.
      expect(Date.now() - at).toBeGreaterThan(2.5 * paceMs)
      sandbox.change('videos', { videoId: first, statistics: { viewCount: '1' } })
      sandbox.change('videos', { videoId: second, statistics: { viewCount: '2' } })
      await Promise.all(all.map((each) => each.until(2)))
      expect(all.map(({ seen }) => seen[1]?.data.videoChanged.statistics.viewCount)).toEqual(['1', '1', '2'])
      // One of them is gone without a word; whichever it was, the others go on.
      await stores[0]?.close()
      sandbox.change('videos', { videoId: first, statistics: { viewCount: '3' } })
      await all[1]?.until(3)
      await stores[1]?.close()
      sandbox.change('videos', { videoId: second, statistics: { viewCount: '4' } })
      await all[2]?.until(3)
      const [, ...others] = all.map(({ seen }) =>
        seen.map(({ data }) => data.videoChanged.statistics.viewCount).slice(1),
      )
      expect(others).toEqual([
        ['1', '3'],
        ['2', '4'],
      ])
      await Promise.all(gateways.map((each) => each.close()))
    })

    test('continue without Redis, and after it is back', async () => {
      await using sandbox = await startSandbox()
      const gateways = [gateway(sandbox.url), gateway(sandbox.url)]
      const all = await Promise.all(gateways.map((each) => watch(each, [first])))
      await Promise.all(all.map((each) => each.until(1)))
      await redis.stop()
      sandbox.change('videos', { videoId: first, statistics: { viewCount: '5' } })
      await Promise.all(all.map((each) => each.until(2)))
      await redis.start()
      sandbox.change('videos', { videoId: first, statistics: { viewCount: '6' } })
      await Promise.all(all.map((each) => each.until(3)))
      expect(
        all.map(({ seen }) => seen.map(({ data }) => data.videoChanged.statistics.viewCount).slice(1)),
      ).toEqual([
        ['5', '6'],
        ['5', '6'],
      ])
      await Promise.all(gateways.map((each) => each.close()))
    })
  })
})
