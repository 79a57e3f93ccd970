/** Subscriptions to videos and comments, over the sandbox: what they send, and what they cost the service. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { QuotaState } from '../../../contract/quota.ts'
import type { Subgraph } from '../../../contract/subgraph.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { createVideosSubgraph } from '../../../subgraphs/videos/index.ts'
import { eventually, type HeldClock, heldClock, type LiveResult, subscribeTo } from '../../support/live.ts'
import { testRequest } from '../../support/request.ts'

let sandbox: Sandbox
let clock: HeldClock
let subgraph: Subgraph
let quota: QuotaState
const [first, second] = sampleVideos.own as unknown as readonly [string, string]
const unlimited: QuotaState = {
  limit: null,
  used: 0,
  remaining: null,
  resetsAt: new Date(Date.UTC(2026, 10, 23, 8)).toISOString(),
  operations: [],
}

function videosOver(url: string): Subgraph {
  return createVideosSubgraph({
    baseUrl: url,
    credential: { kind: 'none' },
    uploads: { secret: 'x'.repeat(32), publicUrl: () => 'http://127.0.0.1:1' },
    readQuota: async () => quota,
    live: { clock },
  })
}

beforeEach(async () => {
  sandbox = await startSandbox()
  clock = heldClock()
  quota = unlimited
  subgraph = videosOver(sandbox.url)
})
afterEach(async () => {
  await subgraph.close()
  await sandbox.close()
})

const calls = (operation = 'videos.list'): number => sandbox.calls(operation).length
/** Lets a poll become due, and waits until it was answered. */
async function polled(milliseconds: number, operation = 'videos.list', more = 1): Promise<void> {
  const before = calls(operation)
  clock.pass(milliseconds)
  await eventually(() => calls(operation) >= before + more, `a poll after ${milliseconds} ms`)
  await eventually(() => clock.waiting > 0, 'the next poll is planned')
}
const watch = (ids: readonly string[], selection = 'videoId statistics { viewCount }') =>
  subscribeTo(subgraph, `subscription ($ids: [ID!]!) { videoChanged(videoIds: $ids) { ${selection} } }`, {
    ids,
  })

describe('videoChanged', () => {
  test('sends each video once, and then what changed', async () => {
    const watching = await watch([first, second])
    watching.read()
    await polled(50)
    await watching.until(2)
    expect(watching.seen.map(({ data }) => data.videoChanged.videoId).sort()).toEqual([first, second].sort())
    await polled(15_000)
    sandbox.change('videos', { videoId: second, statistics: { viewCount: '123456' } })
    await polled(60_000)
    await watching.until(3)
    expect(watching.seen[2]?.data).toEqual({
      videoChanged: { videoId: second, statistics: { viewCount: '123456' } },
    })
    expect(watching.seen[2]?.key).toBe(second)
    expect(watching.seen[0]?.extensions.live).toEqual({
      intervalSeconds: 15,
      unitsPerPoll: 1,
      unitsPerHour: 240,
    })
    expect(watching.seen[1]?.extensions).toBeUndefined()
    expect(sandbox.ledger.units).toBe(calls())
  })

  test('sends nothing for a change that is not selected', async () => {
    const titles = await watch([first], 'snippet { title }')
    const views = await watch([first])
    titles.read()
    views.read()
    await polled(50)
    await Promise.all([titles.until(1), views.until(1)])
    sandbox.change('videos', { videoId: first, statistics: { viewCount: '77' } })
    await polled(60_000)
    await views.until(2)
    expect(titles.seen).toHaveLength(1)
  })

  test('sends null for a video that is gone, and names it', async () => {
    const watching = await watch([first])
    watching.read()
    await polled(50)
    await watching.until(1)
    sandbox.change('videos', { deleteVideo: first })
    await polled(60_000)
    const [, gone] = await watching.until(2)
    expect(gone?.data).toEqual({ videoChanged: null })
    expect(gone?.extensions).toEqual({ absent: first })
  })

  test('gives a newcomer what is known at once, without a call', async () => {
    const one = await watch([first])
    one.read()
    await polled(50)
    await one.until(1)
    const before = calls()
    const other = await watch([first])
    expect((await other.next()).data.videoChanged.videoId).toBe(first)
    expect(calls()).toBe(before)
  })

  test('asks for the ids of all subscribers in pages of 50, and for new ones soon', async () => {
    await sandbox.close()
    await subgraph.close()
    sandbox = await startSandbox({ synthetic: true })
    subgraph = videosOver(sandbox.url)
    const ids = (from: number, to: number): string[] =>
      Array.from({ length: to - from }, (_, i) => `syn${String(from + i).padStart(8, '0')}`)
    const one = await watch(ids(0, 60))
    const two = await watch(ids(40, 120))
    one.read()
    two.read()
    await polled(50, 'videos.list', 3)
    await one.until(60)
    await two.until(80)
    expect(calls()).toBe(3)
    const three = await watch(ids(120, 121))
    three.read()
    await polled(100)
    await three.until(1)
    expect(calls()).toBe(4)
    expect(sandbox.calls('videos.list')[3]?.query.get('id')).toBe('syn00000120')
  })

  test('ends the polls after the last subscriber', async () => {
    const one = await watch([first])
    const two = await watch([first])
    one.read()
    two.read()
    await polled(50)
    await one.close()
    expect(clock.waiting).toBe(1)
    await two.close()
    expect(clock.waiting).toBe(0)
    const before = calls()
    clock.pass(3_600_000)
    expect(calls()).toBe(before)
  })

  test('asks on condition, and slows down while nothing changes', async () => {
    const watching = await watch([first])
    watching.read()
    await polled(50)
    await polled(15_000)
    expect(sandbox.calls('videos.list')[1]?.headers['if-none-match']).toBeDefined()
    expect(sandbox.calls('videos.list')[1]?.status).toBe(304)
    const before = calls()
    clock.pass(15_000)
    expect(calls()).toBe(before)
    await polled(15_000)
  })

  test('is refused where ids are malformed, missing or too many', async () => {
    await expect(watch(['not an id!'])).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
    await expect(watch([])).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
    const many = Array.from({ length: 501 }, (_, i) => `v${i}`)
    await expect(watch(many)).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
    expect(calls()).toBe(0)
    expect(clock.waiting).toBe(0)
  })

  test('survives a service that fails for a while, and asks it less often', async () => {
    const watching = await watch([first])
    watching.read()
    await polled(50)
    await watching.until(1)
    sandbox.fail({ service: 'videos', kind: 'status', status: 503, times: 6 })
    await polled(15_000, 'videos.list', 3)
    expect(watching.ended).toBeUndefined()
    sandbox.change('videos', { videoId: first, statistics: { viewCount: '9' } })
    await polled(60_000, 'videos.list', 3)
    await polled(120_000)
    await watching.until(2)
    expect(watching.seen[1]?.data.videoChanged.statistics.viewCount).toBe('9')
  })
})

describe('the budget', () => {
  const limited = (remaining: number): QuotaState => ({
    ...unlimited,
    limit: 10_000,
    used: 10_000 - remaining,
    remaining,
  })

  test('makes the interval longer than the wish, and tells it', async () => {
    // Half of 960 units over 20 hours: one in 150 seconds.
    quota = limited(960)
    const watching = await watch([first])
    watching.read()
    await polled(50)
    const [event] = await watching.until(1)
    expect(event?.extensions.live.intervalSeconds).toBe(150)
    expect(event?.extensions.live.unitsPerHour).toBe(24)
    const before = calls()
    clock.pass(140_000)
    expect(calls()).toBe(before)
    await polled(20_000)
  })

  test('refuses a subscription that it cannot carry, before any call', async () => {
    quota = limited(20)
    await expect(watch([first])).rejects.toMatchObject({
      extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE' },
    })
    quota = limited(1)
    await expect(watch([first])).rejects.toMatchObject({ extensions: { code: 'QUOTA_EXCEEDED' } })
    expect(calls()).toBe(0)
    expect(clock.waiting).toBe(0)
  })

  test('refuses what costs more an hour than the caller wants to pay', async () => {
    const request = testRequest({ 'tessera-max-units': '100' })
    const operation = `subscription { videoChanged(videoIds: ["${first}"]) { videoId } }`
    await expect(subscribeTo(subgraph, operation, {}, request)).rejects.toMatchObject({
      extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE', live: { unitsPerHour: 240 } },
    })
  })

  test('stops with a reason when the units run out', async () => {
    quota = limited(9000)
    const watching = await watch([first])
    watching.read()
    await polled(50)
    await watching.until(1)
    quota = limited(0)
    const before = calls()
    clock.pass(3_600_000)
    await eventually(() => watching.ended !== undefined)
    expect(watching.ended).toMatchObject({ extensions: { code: 'QUOTA_EXCEEDED' } })
    expect(calls()).toBe(before)
    expect(clock.waiting).toBe(0)
  })

  test('is divided among pollers by what they cost', async () => {
    quota = limited(960)
    const watching = await watch([first])
    watching.read()
    const comments = await subscribeTo(
      subgraph,
      `subscription { commentThreadAdded(videoId: "${first}") { gap } }`,
    )
    comments.read()
    await polled(50)
    // Two pollers of a unit each, for one unit in 150 seconds.
    const before = sandbox.ledger.units
    for (let at = 0; at < 3000; at += 10) {
      clock.pass(10_000)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const spent = sandbox.ledger.units - before
    expect(spent).toBeGreaterThan(14)
    expect(spent).toBeLessThanOrEqual(22)
  })
})

describe('commentThreadAdded', () => {
  const listen = (after?: string) =>
    subscribeTo(
      subgraph,
      `subscription ($after: String) { commentThreadAdded(videoId: "${first}", after: $after) {
        gap after commentThreadEdge { cursor node { threadId topLevelComment { textOriginal textDisplay } } }
      } }`,
      { after },
    )
  const comment = (text: string) => sandbox.change('videos', { videoId: first, comment: text })
  const texts = (seen: readonly { data: never }[] | readonly LiveResult[]) =>
    (seen as readonly LiveResult[]).map(
      ({ data }) => data.commentThreadAdded.commentThreadEdge.node.topLevelComment.textDisplay,
    )
  const threads = 'commentThreads.list'

  test('sends what is new, oldest first, and nothing of what was there', async () => {
    const listening = await listen()
    listening.read()
    await polled(50, threads)
    comment('one')
    comment('two')
    await polled(60_000, threads)
    await listening.until(2)
    expect(texts(listening.seen)).toEqual(['one', 'two'])
    expect(listening.seen.map(({ data }) => data.commentThreadAdded.gap)).toEqual([false, false])
    await polled(60_000, threads)
    comment('three')
    await polled(120_000, threads)
    await listening.until(3)
    expect(texts(listening.seen)).toEqual(['one', 'two', 'three'])
    expect(listening.seen[2]?.id).toBe(listening.seen[2]?.data.commentThreadAdded.after)
  })

  test('takes an older thread that moves onto the page for no new one', async () => {
    for (let i = 0; i < 120; i++) comment(`old ${i}`)
    const listening = await listen()
    listening.read()
    await polled(50, threads)
    const { items } = (await (
      await fetch(`${sandbox.url}/media/v3/commentThreads?part=snippet&videoId=${first}&maxResults=3`)
    ).json()) as { items: { id: string }[] }
    for (const { id } of items) sandbox.change('videos', { videoId: first, deleteThread: id })
    await polled(60_000, threads)
    comment('new')
    await polled(120_000, threads)
    await listening.until(1)
    expect(texts(listening.seen)).toEqual(['new'])
    expect(listening.seen[0]?.data.commentThreadAdded.gap).toBe(false)
  })

  test('declares a gap where a whole page is new', async () => {
    for (let i = 0; i < 3; i++) comment(`old ${i}`)
    const listening = await listen()
    listening.read()
    await polled(50, threads)
    for (let i = 0; i < 130; i++) comment(`new ${i}`)
    await polled(60_000, threads)
    await listening.until(100)
    expect(listening.seen.map(({ data }) => data.commentThreadAdded.gap)).toEqual([
      true,
      ...Array.from({ length: 99 }, () => false),
    ])
    expect(texts(listening.seen)[99]).toBe('new 129')
  })

  test.each([
    ['that is still polled', false],
    ['that nobody polled meanwhile', true],
  ])('resumes a list %s, without loss and without repetition', async (_, alone) => {
    const other = alone ? undefined : await listen()
    other?.read()
    let listening = await listen()
    listening.read()
    await polled(50, threads)
    const seen: string[] = []
    let added = 0
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 30; i++) comment(`c${added++}`)
      await polled(300_000, threads)
      await eventually(() => texts(listening.seen).includes(`c${added - 1}`))
      seen.push(...texts(listening.seen))
      const after = listening.seen.at(-1)?.id
      await listening.close()
      for (let i = 0; i < 45; i++) comment(`c${added++}`)
      if (!alone) {
        await polled(300_000, threads)
        await eventually(() => texts(other?.seen ?? []).includes(`c${added - 1}`))
      }
      listening = await listen(after)
      listening.read()
      await listening.until(45)
      await polled(300_000, threads)
    }
    seen.push(...texts(listening.seen))
    expect(seen).toEqual(Array.from({ length: added }, (_, i) => `c${i}`))
    if (other !== undefined) expect(texts(other.seen)).toEqual(seen)
  })

  test('goes on where the newest threads that a position names were deleted', async () => {
    const listening = await listen()
    listening.read()
    await polled(50, threads)
    comment('a')
    comment('b')
    await polled(60_000, threads)
    await listening.until(2)
    const last = listening.seen[1]?.data.commentThreadAdded.commentThreadEdge.node.threadId
    await listening.close()
    sandbox.change('videos', { videoId: first, deleteThread: last })
    comment('c')
    const again = await listen(listening.seen[1]?.id)
    again.read()
    await again.until(1)
    expect(texts(again.seen)).toEqual(['c'])
  })

  test('refuses a position of another list, before any call', async () => {
    for (const after of [
      'x',
      'eA',
      Buffer.from(`${'a'.repeat(12)}[1`).toString('base64url'),
      'a'.repeat(9000),
    ]) {
      await expect(listen(after)).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
    }
    expect(calls(threads)).toBe(0)
    expect(clock.waiting).toBe(0)
  })

  test('ends with the reason where there is no such video, and where comments are switched off', async () => {
    for (const [videoId, code] of [
      ['doesNotExist', 'NOT_FOUND'],
      [sampleVideos.commentsDisabled, 'FORBIDDEN'],
    ]) {
      const listening = await subscribeTo(
        subgraph,
        `subscription { commentThreadAdded(videoId: "${videoId}") { gap } }`,
      )
      listening.read()
      clock.pass(50)
      await eventually(() => listening.ended !== undefined)
      expect(listening.ended).toMatchObject({ extensions: { code } })
    }
    expect(clock.waiting).toBe(0)
  })

  test('ends for a client that takes nothing, and for no other', async () => {
    const slow = await listen()
    const quick = await listen()
    quick.read()
    await polled(50, threads)
    for (let round = 0; round < 11; round++) {
      for (let i = 0; i < 99; i++) comment(`${round} ${i}`)
      await polled(300_000, threads)
      await quick.until((round + 1) * 99)
    }
    slow.read()
    await eventually(() => slow.ended !== undefined)
    expect(slow.seen).toHaveLength(1000)
    expect(slow.ended).toMatchObject({ extensions: { code: 'SUBSCRIPTION_TOO_SLOW' } })
    expect(quick.ended).toBeUndefined()
  })
})

describe('mediaQuotaChanged', () => {
  test('sends the units when they changed, and asks nobody', async () => {
    quota = { ...unlimited, limit: 100, used: 1, remaining: 99 }
    const watching = await subscribeTo(subgraph, 'subscription { mediaQuotaChanged { used remaining } }')
    watching.read()
    clock.pass(50)
    await watching.until(1)
    await eventually(() => clock.waiting > 0)
    quota = { ...unlimited, limit: 100, used: 40, remaining: 60 }
    clock.pass(5000)
    await watching.until(2)
    expect(watching.seen.map(({ data }) => data.mediaQuotaChanged)).toEqual([
      { used: 1, remaining: 99 },
      { used: 40, remaining: 60 },
    ])
    expect(sandbox.journal).toEqual([])
  })
})

describe('the cost', () => {
  test.each([1, 100, 10_000])(
    'of 120 videos is the same with %i subscribers',
    async (subscribers) => {
      await sandbox.close()
      await subgraph.close()
      sandbox = await startSandbox({ synthetic: true })
      subgraph = videosOver(sandbox.url)
      const ids = Array.from({ length: 120 }, (_, i) => `syn${String(i).padStart(8, '0')}`)
      const all = await Promise.all(Array.from({ length: subscribers }, () => watch(ids)))
      await polled(50, 'videos.list', 3)
      const events = await Promise.all(all.map((each) => each.next()))
      expect(new Set(events.map(({ data }) => data.videoChanged.videoId))).toEqual(new Set([ids[0]]))
      for (let poll = 0; poll < 3; poll++) await polled(60_000, 'videos.list', 3)
      expect(calls()).toBe(12)
      expect(sandbox.ledger).toEqual({ units: 12, calls: { 'videos.list': 12 } })
      await Promise.all(all.map((each) => each.close()))
      expect(clock.waiting).toBe(0)
    },
    120_000,
  )

  test('of a service that hangs is one call at a time, and nobody else waits', async () => {
    await subgraph.close()
    subgraph = createVideosSubgraph({
      baseUrl: sandbox.url,
      credential: { kind: 'none' },
      uploads: { secret: 'x'.repeat(32), publicUrl: () => 'http://127.0.0.1:1' },
      tuning: { timeoutMs: 1000, retries: 0 },
      live: { clock },
    })
    const watching = await watch([first])
    const comments = await subscribeTo(
      subgraph,
      `subscription { commentThreadAdded(videoId: "${first}") { gap } }`,
    )
    watching.read()
    comments.read()
    await polled(50)
    await watching.until(1)
    await eventually(() => clock.waiting === 2)
    sandbox.fail({ kind: 'hang', service: 'videos', operation: 'videos.list', times: 1 })
    sandbox.change('videos', { videoId: first, comment: 'meanwhile' })
    clock.pass(20_000)
    clock.pass(60_000)
    await comments.until(1)
    expect(calls()).toBe(2)
    await eventually(() => clock.waiting === 2)
    sandbox.change('videos', { videoId: first, statistics: { viewCount: '11' } })
    await polled(120_000)
    await watching.until(2)
    expect(watching.ended).toBeUndefined()
  })
})
