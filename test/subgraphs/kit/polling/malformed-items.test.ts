/** Polls of services that send a malformed item: the subscriber is told, and it counts as no change. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Subgraph } from '../../../../shared/subgraph.ts'
import { writeListPosition } from '../../../../subgraphs/kit/polling/index.ts'
import { createMessagesSubgraph } from '../../../../subgraphs/messages/index.ts'
import {
  eventually,
  type HeldClock,
  heldClock,
  type LiveResult,
  type Subscription,
  subscribeTo,
} from '../../../support/live.ts'
import { type ScriptedService, startScripted } from '../../../support/scripted-service.ts'
import { metricsSubgraph } from '../../metrics/kit.ts'
import { videosAt } from '../../videos/kit.ts'

let clock: HeldClock
let service: ScriptedService
let subgraph: Subgraph | undefined
/** What the service answers to each path that ends so. */
let answers: Record<string, unknown>

beforeEach(async () => {
  clock = heldClock()
  answers = {}
  service = await startScripted(({ path }) => {
    const [, body] = Object.entries(answers).find(([end]) => path.endsWith(end)) ?? []
    return body === undefined ? { status: 404, body: {} } : { body }
  })
})
afterEach(async () => {
  await subgraph?.close()
  await service[Symbol.asyncDispose]()
})

const optionsOf = () => ({ baseUrl: service.url, credential: { kind: 'none' as const }, live: { clock } })
const videos = (): Subgraph => videosAt(service.url, { live: { clock } })

async function begin(over: Subgraph, operation: string): Promise<Subscription> {
  subgraph = over
  const watching = await subscribeTo(over, operation, {})
  watching.read()
  return watching
}

async function polled(milliseconds: number, end: string): Promise<void> {
  const calls = (): number => service.arrived.filter(({ path }) => path.endsWith(end)).length
  const before = calls()
  clock.pass(milliseconds)
  await eventually(() => calls() > before, `a poll after ${milliseconds} ms`)
  await eventually(() => clock.waiting > 0)
}

const codes = ({ errors }: LiveResult) => errors.map(({ extensions }) => extensions.code)

describe('of objects by their ids, one that cannot be read is an error and not absent', () => {
  test.each([
    [
      'messageChanged(messageIds: ["1", "2"]) { messageId text }',
      '/tweets',
      (...data: unknown[]) => ({ data }),
      { id: '1', text: 'a' },
      { id: '2', text: 'b' },
      () => createMessagesSubgraph(optionsOf()),
    ],
    [
      'videoChanged(videoIds: ["1", "2"]) { videoId snippet { title } }',
      '/videos',
      (...items: unknown[]) => ({ items }),
      { id: '1', snippet: { title: 'a' } },
      { id: '2', snippet: { title: 'b' } },
      videos,
    ],
  ])('%s', async (field, end, listed, one, two, create) => {
    answers = { [end]: listed(one, two) }
    const watching = await begin(create(), `subscription { ${field} }`)
    await polled(50, end)
    await watching.until(2)
    const { id: _, ...odd } = two
    answers = { [end]: listed(one, odd) }
    await polled(60_000, end)
    const unreadable = (await watching.until(3))[2] as LiveResult
    expect(unreadable).toMatchObject({ key: '2', extensions: undefined })
    expect(Object.values(unreadable.data)).toEqual([null])
    expect(codes(unreadable)).toEqual(['UPSTREAM_BAD_RESPONSE'])
    // Once, as long as it stays so.
    await polled(120_000, end)
    expect(watching.seen).toHaveLength(3)
    answers = { [end]: listed(one) }
    await polled(300_000, end)
    expect((await watching.until(4))[3]).toMatchObject({ key: '2', extensions: { absent: '2' }, errors: [] })
    answers = { [end]: listed(one, two) }
    await polled(300_000, end)
    expect(Object.values((await watching.until(5))[4]?.data)).toMatchObject([expect.any(Object)])
  })
})

test("of the owner's parts, one that a video does not have is not looked up for each event", async () => {
  answers = { '/videos': { items: [{ id: '1', fileDetails: { fileName: 'a' } }] } }
  const selection = 'videoId fileDetails { fileName } suggestions { processingErrors }'
  const watching = await begin(videos(), `subscription { videoChanged(videoIds: ["1"]) { ${selection} } }`)
  await polled(50, '/videos')
  const [event] = await watching.until(1)
  expect(event).toMatchObject({
    data: { videoChanged: { videoId: '1', fileDetails: { fileName: 'a' }, suggestions: null } },
    errors: [],
  })
  expect(service.arrived).toHaveLength(2)
})

describe('of a list that grows, one that cannot be read is a gap', () => {
  const user = (id: string) => ({ id, name: id, username: id })

  test('once, at the next event', async () => {
    answers = { '/liking_users': { data: [user('1')] } }
    const operation = 'subscription { likeAdded(messageId: "7") { gap user { userId } } }'
    const watching = await begin(createMessagesSubgraph(optionsOf()), operation)
    await polled(50, '/liking_users')
    answers = { '/liking_users': { data: [{ name: 'odd' }, user('1')] } }
    await polled(60_000, '/liking_users')
    expect(watching.seen).toEqual([])
    answers = { '/liking_users': { data: [user('2'), { name: 'odd' }, user('1')] } }
    await polled(300_000, '/liking_users')
    await watching.until(1)
    answers = { '/liking_users': { data: [user('3'), user('2'), { name: 'odd' }, user('1')] } }
    await polled(300_000, '/liking_users')
    await watching.until(2)
    expect(watching.seen.map(({ data }) => data.likeAdded)).toEqual([
      { gap: true, user: { userId: '2' } },
      { gap: false, user: { userId: '3' } },
    ])
  })

  test('of comment threads too', async () => {
    const thread = (id: string) => ({ id, snippet: { videoId: 'v', topLevelComment: { id, snippet: {} } } })
    answers = { '/commentThreads': { items: [thread('a')] } }
    const operation =
      'subscription { commentThreadAdded(videoId: "v") { gap commentThreadEdge { node { threadId: id } } } }'
    const watching = await begin(videos(), operation)
    await polled(50, '/commentThreads')
    answers = { '/commentThreads': { items: [thread('c'), 5, thread('b'), thread('a')] } }
    await polled(60_000, '/commentThreads')
    await watching.until(2)
    expect(watching.seen.map(({ data }) => data.commentThreadAdded.gap)).toEqual([true, false])
  })
})

describe('of a list that grows, an item that appears', () => {
  const user = (id: string) => ({ id, name: id, username: id })
  const list = (ids: string, token?: string) => ({
    data: [...ids].map(user),
    ...(token === undefined ? {} : { meta: { next_token: token } }),
  })
  const seenBy = ({ seen }: Subscription) =>
    seen.map(({ data }) => [data.likeAdded.user.userId, data.likeAdded.gap])
  const follow = async (first: object) => {
    answers = { '/liking_users': first }
    const operation = 'subscription { likeAdded(messageId: "7") { gap user { userId } } }'
    const watching = await begin(createMessagesSubgraph(optionsOf()), operation)
    await polled(50, '/liking_users')
    return watching
  }

  test('behind known ones is sent, once, and none that is older than all of them', async () => {
    const watching = await follow(list('543', 'x'))
    for (const ids of ['6578', '65473', '6543', '65732']) {
      answers = { '/liking_users': list(ids, 'x') }
      await polled(300_000, '/liking_users')
    }
    await watching.until(2)
    expect(seenBy(watching)).toEqual([
      ['6', false],
      ['7', false],
    ])
  })

  test('is sent to who resumes, though the oldest kept one was deleted meanwhile', async () => {
    await follow(list('543', 'x'))
    answers = { '/liking_users': list('5421') }
    const after = writeListPosition('likes 7', ['1'])
    const resumed = await begin(
      subgraph as Subgraph,
      `subscription { likeAdded(messageId: "7", after: "${after}") { gap user { userId } } }`,
    )
    await resumed.until(4)
    expect(seenBy(resumed)).toEqual([
      ['2', false],
      ['3', false],
      ['4', false],
      ['5', false],
    ])
  })

  test('with more than a page of others in an empty list follows a gap', async () => {
    const watching = await follow(list(''))
    answers = { '/liking_users': list('32', 'x') }
    await polled(300_000, '/liking_users')
    await watching.until(2)
    expect(seenBy(watching)).toEqual([
      ['2', true],
      ['3', false],
    ])
  })
})

describe('of metrics', () => {
  const metrics = () => metricsSubgraph(service.url, { live: { clock }, interval: '5s' })
  const success = (data: unknown) => ({ status: 'success', data })

  test('alerts do not cease to fire because one cannot be read', async () => {
    const alert = (alertname: string) => ({
      labels: { alertname },
      annotations: {},
      state: 'firing',
      value: '1',
    })
    answers = { '/alerts': success({ alerts: [alert('A'), alert('B')] }), '/rules': success({ groups: [] }) }
    const watching = await begin(metrics(), 'subscription { alertChanged { change alert { name } } }')
    await polled(50, '/alerts')
    await watching.until(2)
    answers['/alerts'] = success({ alerts: [alert('A'), 5, alert('C')] })
    await polled(60_000, '/alerts')
    await watching.until(3)
    answers['/alerts'] = success({ alerts: [alert('A'), alert('C')] })
    await polled(60_000, '/alerts')
    await watching.until(4)
    expect(watching.seen.slice(2).map(({ data }) => data.alertChanged)).toEqual([
      { change: 'FIRING', alert: { name: 'C' } },
      { change: 'RESOLVED', alert: { name: 'B' } },
    ])
  })

  test('a range continues without a series that cannot be read, with a warning', async () => {
    const [at] = [Math.floor(clock.now() / 10_000) * 10 - 10]
    const series = (job: string) => ({ metric: { job }, values: [[at, '1']] })
    answers = {
      '/query_range': success({ resultType: 'matrix', result: [series('a'), { values: [] }, series('b')] }),
    }
    const watching = await begin(
      metrics(),
      'subscription { metricsRange(query: "up", window: "1m", step: "10s") { warnings series { metric } } }',
    )
    const [event] = await watching.until(1)
    expect(event?.data.metricsRange).toEqual({
      warnings: [expect.stringContaining('which are left out')],
      series: [{ metric: { job: 'a' } }, { metric: { job: 'b' } }],
    })
  })
})
