/** When the gateway gives up a subscription to a subgraph that does not come back. */
import { afterEach, expect, test, vi } from 'vitest'
import type { ConnectionListener } from '../../../../engine/subgraphs/events/connection.ts'
import { RemoteSource } from '../../../../engine/subgraphs/events/source.ts'
import { tesseraError } from '../../../../shared/errors.ts'

afterEach(() => void vi.useRealTimers())

const idleConnection = { pause() {}, resume() {}, close() {} }

type Options = ConstructorParameters<typeof RemoteSource>[0]

/** Connects again up to four times, at once. */
const sourceOver = (options: Pick<Options, 'connect'> & Partial<Options>): RemoteSource =>
  new RemoteSource({
    ...{ name: 'shop', mostEvents: 10, mostBytes: 1000, reconnects: 4, delayMs: 0, longestDelayMs: 0 },
    resumeAfter: undefined,
    random: () => 1,
    isRenewed: () => false,
    eventFrom: ({ id }) => ({ payload: {}, id }),
    noted() {},
    closed() {},
    ...options,
  })

test.each([
  ['grow', undefined, [60_100, 200, 400, 800]],
  // Subscriptions that were told the same do not come back together.
  ['grow beyond what the subgraph asks for', 315_360_000, [90_100, 30_200, 30_400, 30_800]],
])(
  'failures are counted, and the delays %s, also after a connection that lasted',
  async (_, retryAfter, delays) => {
    vi.useFakeTimers()
    const attempts: number[] = []
    let first: ConnectionListener | undefined
    const source = sourceOver({
      ...{ delayMs: 100, longestDelayMs: 30_000 },
      async connect(_, listener) {
        attempts.push(performance.now())
        if (first === undefined) {
          first = listener
          listener.opened()
        } else listener.ended({ kind: 'lost', status: 503, retryAfter, cause: undefined })
        return idleConnection
      },
    })
    await vi.advanceTimersByTimeAsync(1000)
    await source.open()
    first?.event({ payload: {}, bytes: 2, id: 'a' })
    expect((await source.next()).done).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    first?.ended({ kind: 'lost', status: 0, retryAfter, cause: undefined })
    const given = expect(source.next()).rejects.toMatchObject({
      extensions: { code: 'UPSTREAM_UNAVAILABLE' },
    })
    await vi.advanceTimersByTimeAsync(150_000)
    await given
    const [, ...again] = attempts.map((at, index) => at - (attempts[index - 1] ?? 0))
    expect(again.map(Math.round)).toEqual(delays)
  },
)

test('a subgraph that only repeats the last event and leaves is given up like one that does not come back', async () => {
  let connections = 0
  const source = sourceOver({
    async connect(_, listener) {
      connections += 1
      // Without the bound the test ends, too.
      if (connections > 10) throw new Error('asked again and again')
      listener.opened()
      listener.event({ payload: {}, bytes: 2, id: 'a' })
      listener.ended({ kind: 'lost', status: 0, retryAfter: undefined, cause: undefined })
      return idleConnection
    },
  })
  await source.open()
  expect((await source.next()).done).toBe(false)
  await expect(source.next()).rejects.toMatchObject({ extensions: { code: 'UPSTREAM_UNAVAILABLE' } })
  expect(connections).toBe(5)
})

test('a subgraph that repeats the last event, and whose quiet streams are cut after some time, is asked again', async () => {
  vi.useFakeTimers()
  let connections = 0
  const source = sourceOver({
    async connect(_, listener) {
      connections += 1
      const isLast = connections === 10
      listener.opened()
      listener.event({ payload: {}, bytes: 2, id: 'a' })
      if (isLast) listener.event({ payload: {}, bytes: 2, id: 'b' })
      else {
        setTimeout(() => {
          listener.ended({ kind: 'lost', status: 0, retryAfter: undefined, cause: undefined })
        }, 10_000)
      }
      return idleConnection
    },
  })
  await vi.advanceTimersByTimeAsync(1000)
  await source.open()
  expect((await source.next()).value).toMatchObject({ id: 'a' })
  const next = source.next()
  await vi.advanceTimersByTimeAsync(100_000)
  expect((await next).value).toMatchObject({ id: 'b' })
})

test('an expired token ends it, unless the caller has another one', async () => {
  const connections: ConnectionListener[] = []
  let isRenewed = true
  const error = tesseraError('UNAUTHENTICATED', 'The token has expired.')
  const source = sourceOver({
    async connect(lastEventId, listener) {
      expect(lastEventId).toBe(connections.length === 0 ? undefined : 'a')
      connections.push(listener)
      listener.opened()
      return idleConnection
    },
    isRenewed: () => isRenewed,
    eventFrom: ({ id, payload }) => (payload === undefined ? error : { payload, id }),
  })
  await source.open()
  connections[0]?.event({ payload: {}, bytes: 2, id: 'a' })
  // Server-sent events have it as an event without data.
  connections[0]?.event({ payload: undefined, bytes: 2, id: undefined })
  await expect.poll(() => connections.length).toBe(2)
  connections[1]?.ended({ kind: 'failed', error })
  await expect.poll(() => connections.length).toBe(3)
  expect((await source.next()).done).toBe(false)
  isRenewed = false
  connections[2]?.event({ payload: undefined, bytes: 2, id: undefined })
  await expect(source.next()).rejects.toBe(error)
})
