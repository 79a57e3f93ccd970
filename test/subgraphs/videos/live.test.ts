/** Subscriptions to videos and comments, over the sandbox: what they send. */
import { describe, expect, test } from 'vitest'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { eventually, type LiveResult, subscribeTo } from '../../support/live.ts'
import {
  calls,
  clock,
  first,
  polled,
  prepareEachTest,
  restart,
  sandbox,
  second,
  subgraph,
  watch,
} from './watched.ts'

prepareEachTest()

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

  test('sends null for a deleted video, and names it', async () => {
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

  test("has the owner's parts by a second call of each poll, and no further call", async () => {
    const watching = await watch(
      [first, second],
      'videoId fileDetails { fileName } suggestions { tagSuggestions { tag } }',
    )
    watching.read()
    await polled(50, 'videos.list', 2)
    const events = await watching.until(2)
    expect(events.flatMap(({ errors }) => errors)).toEqual([])
    for (const { data } of events)
      expect(data.videoChanged.fileDetails).toEqual({ fileName: expect.any(String) })
    expect(events[0]?.extensions.live.unitsPerPoll).toBe(2)
    await polled(15_000, 'videos.list', 2)
    expect(sandbox.calls('videos.list').map(({ query }) => query.get('part'))).toEqual(
      [1, 2].flatMap(() => ['id', 'fileDetails,suggestions']),
    )
    expect(watching.seen).toHaveLength(2)
  })

  test("without the right to the owner's parts their fields fail, and the others stay", async () => {
    const watching = await watch(
      [sampleVideos.live],
      'videoId statistics { viewCount } fileDetails { fileName }',
    )
    watching.read()
    await polled(50, 'videos.list', 2)
    const [event] = await watching.until(1)
    expect(event?.data.videoChanged).toEqual({
      videoId: sampleVideos.live,
      statistics: { viewCount: expect.any(String) },
      fileDetails: null,
    })
    expect(event?.errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['videoChanged', 'fileDetails'], 'FORBIDDEN'],
    ])
  })

  test('gives a newcomer the known state immediately, without a call', async () => {
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
    await restart({ sandbox: { synthetic: true } })
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

  test('is refused if ids are malformed, missing or too many', async () => {
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

  test('declares a gap if a whole page is new', async () => {
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
    ['that was not polled meanwhile', true],
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

  test('continues if the newest threads that a position names were deleted', async () => {
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

  test('ends with the reason if there is no such video, and if comments are switched off', async () => {
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
