/** Subscriptions to messages and likes, over the sandbox. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts'
import { sampleMessages } from '../../../sandbox/messages/index.ts'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { createMessagesSubgraph } from '../../../subgraphs/messages/index.ts'
import { eventually, type HeldClock, heldClock, subscribeTo } from '../../support/live.ts'

let sandbox: Sandbox
let clock: HeldClock
let subgraph: Subgraph
beforeEach(async () => {
  clock = heldClock()
  sandbox = await startSandbox({ now: clock.now })
  subgraph = createMessagesSubgraph({ baseUrl: sandbox.url, credential: { kind: 'none' }, live: { clock } })
})
afterEach(async () => {
  await subgraph.close()
  await sandbox.close()
})
const { ordinary, own: liked } = sampleMessages
async function polled(milliseconds: number, operation: string): Promise<void> {
  const before = sandbox.calls(operation).length
  clock.pass(milliseconds)
  await eventually(() => sandbox.calls(operation).length > before, `a poll after ${milliseconds} ms`)
  await eventually(() => clock.waiting > 0)
}

describe('messageChanged', () => {
  const watch = (ids: readonly string[], selection: string) =>
    subscribeTo(
      subgraph,
      `subscription ($ids: [ID!]!) { messageChanged(messageIds: $ids) { messageId ${selection} } }`,
      { ids },
    )

  test('sends each message with what the response includes for it, and then what changed', async () => {
    const watching = await watch([ordinary, liked], 'text author { username } publicMetrics { likeCount }')
    watching.read()
    await polled(50, 'messages.lookup')
    await watching.until(2)
    expect(watching.seen.every(({ data }) => data.messageChanged.author.username !== '')).toBe(true)
    await polled(15_000, 'messages.lookup')
    expect(watching.seen).toHaveLength(2)
    const publicMetrics = watching.seen.find(({ key }) => key === ordinary)?.data.messageChanged.publicMetrics
    sandbox.change('messages', {
      messageId: ordinary,
      fields: { public_metrics: { like_count: publicMetrics.likeCount + 5 } },
    })
    await polled(60_000, 'messages.lookup')
    await watching.until(3)
    expect(watching.seen[2]?.data.messageChanged).toMatchObject({
      messageId: ordinary,
      publicMetrics: { likeCount: publicMetrics.likeCount + 5 },
    })
    expect(sandbox.calls('messages.lookup')).toHaveLength(3)
  })

  test('unites what all select into one call, and keeps what each of them gets apart', async () => {
    const one = await watch([ordinary], 'text')
    const two = await watch([liked], 'author { username }')
    one.read()
    two.read()
    await polled(50, 'messages.lookup')
    await Promise.all([one.until(1), two.until(1)])
    expect(sandbox.calls('messages.lookup')).toHaveLength(1)
    expect(sandbox.calls('messages.lookup')[0]?.query.get('ids')?.split(',').sort()).toEqual(
      [ordinary, liked].sort(),
    )
    expect(two.seen[0]?.data.messageChanged.author.username).toBeTruthy()
  })

  test('sends a message only to those who select what changed', async () => {
    const text = await watch([ordinary], 'text author { username }')
    const counts = await watch([ordinary], 'publicMetrics { likeCount }')
    text.read()
    counts.read()
    await polled(50, 'messages.lookup')
    await Promise.all([text.until(1), counts.until(1)])
    const change = (fields: object) => sandbox.change('messages', { messageId: ordinary, fields })
    change({ public_metrics: { like_count: 77 } })
    await polled(60_000, 'messages.lookup')
    await counts.until(2)
    change({ public_metrics: { like_count: 78 }, text: 'edited' })
    await polled(60_000, 'messages.lookup')
    await Promise.all([text.until(2), counts.until(3)])
    expect(text.seen.map(({ data }) => data.messageChanged.text === 'edited')).toEqual([false, true])
    expect(counts.seen.slice(1).map(({ data }) => data.messageChanged.publicMetrics.likeCount)).toEqual([
      77, 78,
    ])
  })

  test('says that a message is not there also to those who select something else later', async () => {
    const { unknown: missing } = sampleMessages
    const early = await watch([missing], 'text')
    early.read()
    await polled(50, 'messages.lookup')
    await early.until(1)
    const late = await watch([missing], 'author { username }')
    late.read()
    await late.until(1)
    expect(late.seen[0]?.data.messageChanged).toBeNull()
  })

  test('names a message that is not there, and says why one may not be seen', async () => {
    const { unknown: missing, protected: hidden } = sampleMessages
    const watching = await watch([missing, hidden], 'text')
    watching.read()
    await polled(50, 'messages.lookup')
    await watching.until(2)
    const of = (id: string) => watching.seen.find(({ key }) => key === id)
    expect(of(missing)).toMatchObject({
      data: { messageChanged: null },
      errors: [],
      extensions: { absent: missing },
    })
    expect(of(hidden)?.data).toEqual({ messageChanged: null })
    expect(of(hidden)?.errors[0]?.extensions.code).toBe('FORBIDDEN')
  })
})

describe('likeAdded', () => {
  const listen = (after?: string) =>
    subscribeTo(
      subgraph,
      `subscription ($after: String) { likeAdded(messageId: "${liked}", after: $after) { gap after user { userId username } } }`,
      { after },
    )
  const like = (user: string) => sandbox.change('messages', { messageId: liked, like: user })
  const likersOf = async (message: string): Promise<string[]> => {
    const answer = await fetch(`${sandbox.url}/2/tweets/${message}/liking_users`)
    const { data = [] } = (await answer.json()) as { data?: { id: string }[] }
    return data.map(({ id }) => id)
  }
  /** Users who do not like it yet. */
  const strangers = async (): Promise<string[]> => {
    const known = new Set(await likersOf(liked))
    return (await likersOf(sampleMessages.popular)).filter((id) => !known.has(id))
  }
  const users = (seen: readonly { data: { likeAdded: { user: { userId: string } } } }[]) =>
    seen.map(({ data }) => data.likeAdded.user.userId)

  test('sends users as they are added, oldest first, and resumes', async () => {
    const listening = await listen()
    listening.read()
    await polled(50, 'messages.likingUsers')
    const [a = '', b = '', c = ''] = await strangers()
    like(a)
    like(b)
    await polled(120_000, 'messages.likingUsers')
    await listening.until(2)
    expect(users(listening.seen)).toEqual([a, b])
    const after = listening.seen[0]?.id
    await listening.close()
    like(c)
    const again = await listen(after)
    again.read()
    await again.until(2)
    expect(users(again.seen)).toEqual([b, c])
  })

  test('keeps to a share of the rate limit', async () => {
    const listening = await listen()
    listening.read()
    await polled(50, 'messages.likingUsers')
    const others = await strangers()
    const before = sandbox.calls('messages.likingUsers').length
    // 75 calls in a quarter of an hour, of which half are for subscriptions: none in less than 24 seconds.
    let at = 0
    while (at < 900_000) {
      like(others[(at / 5000) % others.length] ?? '')
      clock.pass(5000)
      at += 5000
      await new Promise((resolve) => setImmediate(resolve))
      const isOver = ({ ended }: { ended?: number | undefined }): boolean => ended !== undefined
      await eventually(() => clock.waiting > 0 && sandbox.calls('messages.likingUsers').every(isOver))
    }
    const made = sandbox.calls('messages.likingUsers').slice(before)
    expect(made.every(({ status }) => status === 200)).toBe(true)
    expect(made.length).toBeLessThanOrEqual(38)
    expect(made.length).toBeGreaterThan(15)
  })
})
