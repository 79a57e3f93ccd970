/**
 * Subscriptions of subgraphs that are served elsewhere, by servers of other projects: the same rules for both
 * protocols, and what each does by itself.
 */
import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import type { ForeignOptions, ForeignSubgraph } from '../../support/foreign-subgraph.ts'
import type { LiveGateway } from '../../support/live-graph.ts'
import { postJson } from '../../support/post-json.ts'
import {
  connect,
  follow,
  type Listening,
  listen,
  startForeignClock,
  start as startLive,
  wait,
} from './kit.ts'

interface Remote extends LiveGateway {
  readonly foreign: ForeignSubgraph
  /** The events of one subscription as they came, and its end. */
  listen(query: string, headers?: Record<string, string>, onError?: string): Listening
}

/** A gateway whose `clock` is a foreign subgraph, and `names` is in its own process. */
async function start(
  subscriptions: Record<string, unknown>,
  foreignOptions: ForeignOptions = {},
  file: Record<string, unknown> = {},
): Promise<Remote> {
  const { foreign, outside } = await startForeignClock(foreignOptions)
  const live = await startLive({
    graph: outside,
    file: {
      traffic: { subgraphs: { clock: { subscriptions: { delayMs: 20, ...subscriptions } } } },
      ...file,
    },
  })
  return {
    ...live,
    foreign,
    listen: (query, headers = {}, onError = undefined) => listen(live.url, { query, onError }, headers),
  }
}

const ticks = 'subscription { ticked { number name } }'
const tickOf = (number: number, extensions = {}) => ({
  data: { ticked: { number, name: `tick a${number}` } },
  ...extensions,
})
const idOf = (data: Readonly<Record<string, unknown>>): string | undefined => {
  const tick = data.ticked as { number: number } | null | undefined
  return tick == null ? undefined : `a:${tick.number}`
}
const withId = (number: number) => tickOf(number, { extensions: { eventId: `a:${number}` } })

describe.each(['websocket', 'sse'] as const)('a foreign subgraph by %s', (protocol) => {
  test('gets `onError` if the configuration says that it takes it', async () => {
    for (const takesOnError of [true, false]) {
      const errors = { subgraphs: { clock: { takesOnError } } }
      const { graph, listen, foreign } = await start({ protocol }, {}, { errors })
      for (const onError of ['NULL', undefined, 'HALT']) listen(ticks, {}, onError)
      await expect.poll(() => graph.listening(), wait).toBe(3)
      const expected = takesOnError ? ['HALT', 'NULL', undefined] : [undefined, undefined, undefined]
      expect([...foreign.told].sort()).toEqual(expected)
    }
  })

  test('has a subscription for each client if it is excepted from sharing', async () => {
    const { graph, listen } = await start({ protocol }, {}, { calls: { shareEqualExcept: ['clock'] } })
    const one = listen(ticks)
    const other = listen(ticks)
    await expect.poll(() => graph.listening(), wait).toBe(2)
    graph.tick(1)
    await expect.poll(() => [...one.events, ...other.events], wait).toEqual([tickOf(1), tickOf(1)])
  })

  test('tells a client that joins later no event without a key that came before', async () => {
    const { graph, listen, metric } = await start({ protocol })
    const one = listen(ticks)
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.tick(1)
    await expect.poll(() => one.events, wait).toEqual([tickOf(1)])
    const later = listen(ticks)
    await expect.poll(() => metric('tessera_subscriptions'), wait).toBe(2)
    graph.tick(2)
    await expect.poll(() => later.events, wait).toEqual([tickOf(2)])
    expect(graph.listening()).toBe(1)
  })

  test('has its events completed by other subgraphs, and is left with the last client', async () => {
    const { graph, listen, metric } = await start({ protocol })
    const one = listen(ticks)
    const other = listen(ticks)
    await expect.poll(() => metric('tessera_subscriptions'), wait).toBe(2)
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.tick(1)
    graph.tick(2)
    await expect.poll(() => other.events.length + one.events.length, wait).toBe(4)
    expect(one.events).toEqual([tickOf(1), tickOf(2)])
    expect(other.events).toEqual(one.events)
    expect(graph.subscribed()).toBe(1)
    expect(graph.lookups).toEqual([['a1'], ['a2']])
    one.stop()
    other.stop()
    await expect.poll(() => graph.listening(), wait).toBe(0)
  })

  test('continues after a lost connection from the last event that has an id, each event once', async () => {
    const { graph, foreign, listen, metric } = await start({ protocol }, { idOf })
    const { events, stop } = listen(ticks)
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.tick(1)
    await expect.poll(() => events.length, wait).toBe(1)
    for (const number of [2, 4, 6]) {
      foreign.cut()
      await expect.poll(() => graph.listening() === 0 || foreign.asked.length > number / 2, wait).toBe(true)
      graph.tick(number)
      graph.tick(number + 1)
      await expect.poll(() => events.length, wait).toBe(number + 1)
    }
    expect(events).toEqual([1, 2, 3, 4, 5, 6, 7].map(withId))
    expect(await metric('tessera_subgraph_subscriptions_total{subgraph="clock",result="resumed"}')).toBe(3)
    stop()
  })

  test('without ids ends with a code as soon as events may be missing', async () => {
    const { graph, foreign, listen, metric } = await start({ protocol })
    const { events, ended } = listen(ticks)
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.tick(1)
    await expect.poll(() => events.length, wait).toBe(1)
    foreign.cut()
    await expect.poll(ended, wait).toBe('complete')
    expect(events.at(-1)).toMatchObject({
      errors: [{ extensions: { code: 'SUBSCRIPTION_RESTART', service: 'clock' } }],
    })
    expect(await metric('tessera_subscriptions_ended_total{reason="failed"}')).toBe(1)
  })

  test('a gauge is connected again without ids: its newest value comes first', async () => {
    const { graph, foreign, listen } = await start({ protocol }, { keyOf: () => 'a' })
    const { events, stop } = listen('subscription { measured { number } }')
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.measure(1)
    await expect.poll(() => events.length, wait).toBe(1)
    foreign.cut()
    await expect.poll(() => foreign.asked.length, wait).toBe(2)
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.measure(2)
    await expect.poll(() => events.length, wait).toBe(2)
    expect(events.at(-1)).toMatchObject({ data: { measured: { number: 2 } } })
    stop()
  })

  test('that stays away is given up after so many connections', async () => {
    const { graph, foreign, listen } = await start({ protocol, reconnects: 2, delayMs: 1 }, { idOf })
    const { events, ended } = listen(ticks)
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.tick(1)
    await expect.poll(() => events.length, wait).toBe(1)
    foreign.refuse(503)
    foreign.cut()
    await expect.poll(ended, wait).toBe('complete')
    expect(events.at(-1)).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'clock', upstream: { status: 503 } } }],
    })
  })

  test('errors of an event, and those that end it, follow the rules for errors', async () => {
    const { graph, listen } = await start(
      { protocol },
      {},
      { errors: { subgraphs: { clock: { messages: true, extensions: ['code'] } } } },
    )
    const { events, ended } = listen('subscription { ticked { number failing } }')
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.tick(1)
    await expect.poll(() => events.length, wait).toBe(1)
    expect(events[0]).toEqual({
      data: { ticked: { number: 1, failing: null } },
      errors: [
        {
          message: 'It fails.',
          path: ['ticked', 'failing'],
          extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'clock' },
        },
      ],
    })
    graph.send('ticked', 'done')
    await expect.poll(ended, wait).toBe('complete')
    const refused = listen('subscription { ticked(of: "refused") { number } }')
    await expect.poll(refused.ended, wait).toBeDefined()
    const codes = JSON.stringify([refused.events, String(refused.ended())])
    expect(codes).toMatch(/There is no such clock|404/)
  })

  test('ends if an event is too large', async () => {
    const { graph, foreign, listen } = await start(
      { protocol, eventBytes: 1000 },
      { idOf: () => 'x'.repeat(400), keyOf: () => 'y'.repeat(700) },
    )
    const { events, ended } = listen(ticks)
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.tick(1)
    await expect.poll(ended, wait).toBe('complete')
    expect(events.at(-1)).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: 'clock' } }],
    })
    expect(foreign.asked.length).toBe(1)
  })

  test('is not asked while its breaker is open', async () => {
    const { url, foreign } = await start(
      { protocol },
      {},
      { traffic: { subgraphs: { clock: { breaker: { consecutive: 2 }, subscriptions: { protocol } } } } },
    )
    foreign.refuse(503)
    const codes: unknown[] = []
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const response = await postJson(url, { query: ticks }, { accept: 'text/event-stream' })
      codes.push(((await response.json()) as { errors: { extensions: object }[] }).errors[0]?.extensions)
    }
    expect(codes).toMatchObject([
      { code: 'UPSTREAM_UNAVAILABLE', upstream: { status: 503 } },
      { code: 'UPSTREAM_UNAVAILABLE', upstream: { status: 503 } },
      { code: 'UPSTREAM_UNAVAILABLE', retryAfter: expect.any(Number) },
    ])
    expect(foreign.refused).toBe(2)
  })

  test('gets the headers that the rules for it name, and no other of the caller', async () => {
    const { graph, foreign, listen } = await start(
      { protocol },
      {},
      { headers: { subgraphs: { clock: { request: [{ propagate: { named: 'x-tenant' } }] } } } },
    )
    const { stop } = listen(ticks, { 'x-tenant': 'red', 'x-other': 'blue' })
    await expect.poll(() => graph.listening(), wait).toBe(1)
    const [asked] = foreign.asked
    expect(asked?.headers).toMatchObject({ 'x-tenant': 'red' })
    expect(asked?.headers).not.toHaveProperty('x-other')
    if (protocol === 'websocket') expect(asked?.payload).toEqual({ 'x-tenant': 'red' })
    // Another tenant is another subscription of the subgraph.
    const other = listen(ticks, { 'x-tenant': 'green' })
    await expect.poll(() => graph.listening(), wait).toBe(2)
    stop()
    other.stop()
  })

  test('gets the headers that a pattern of its rules describes', async () => {
    const { graph, foreign, listen } = await start(
      { protocol },
      {},
      { headers: { subgraphs: { clock: { request: [{ propagate: { matching: 'x-te*' } }] } } } },
    )
    const { stop } = listen(ticks, { 'x-tenant': 'red', 'x-other': 'blue' })
    await expect.poll(() => graph.listening(), wait).toBe(1)
    expect(foreign.asked[0]?.headers).toMatchObject({ 'x-tenant': 'red' })
    expect(foreign.asked[0]?.headers).not.toHaveProperty('x-other')
    stop()
  })

  test('gets a renewed token when it is subscribed to again, and clients with the old one get no more of it', async () => {
    const headers = { subgraphs: { clock: { request: [{ propagate: { named: 'authorization' } }] } } }
    const { graph, foreign, ...live } = await start({ protocol }, { keyOf: () => 'a' }, { headers })
    const authorization = `Bearer ${await live.token('other', 'demo', 600)}`
    const open = () => {
      const socket: { renew?: (authorization: string) => void; isRenewed?: unknown; code?: number } = {}
      const client = connect(live, {
        authorization,
        on: {
          opened: (opened) => {
            socket.renew = (authorization) =>
              (opened as WebSocket).send(JSON.stringify({ type: 'ping', payload: { authorization } }))
          },
          pong: (_received, payload) => Object.assign(socket, { isRenewed: payload?.renewed }),
          closed: (event) => Object.assign(socket, { code: (event as { code: number }).code }),
        },
      })
      return Object.assign(socket, { followed: follow(client, 'subscription { measured { number } }') })
    }
    const old = open()
    const renewed = open()
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(2)
    await expect.poll(() => graph.listening(), wait).toBe(1)
    const another = `Bearer ${await live.token('other more', 'demo', 1200)}`
    renewed.renew?.(another)
    await expect.poll(() => renewed.isRenewed, wait).toBe(true)
    graph.measure(1)
    const measured = (number: number) => ({ data: { measured: { number } } })
    await expect
      .poll(() => [old, renewed].map(({ followed }) => followed.results.length), wait)
      .toEqual([1, 1])
    expect(foreign.asked.map((asked) => asked.headers.authorization)).toEqual([authorization])
    foreign.cut()
    await expect.poll(() => foreign.asked.length, wait).toBe(2)
    expect(foreign.asked[1]?.headers.authorization).toBe(another)
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.measure(2)
    await expect.poll(() => old.code, wait).toBe(1012)
    await expect.poll(() => renewed.followed.results.length, wait).toBe(2)
    expect(old.followed.results).toMatchObject([measured(1)])
    expect(renewed.followed.results).toMatchObject([measured(1), measured(2)])
    // Renewed once more, while the subgraph has the token before.
    renewed.isRenewed = undefined
    renewed.renew?.(`Bearer ${await live.token('other more', 'demo', 1800)}`)
    await expect.poll(() => renewed.isRenewed, wait).toBe(true)
    graph.measure(3)
    await expect.poll(() => renewed.followed.results.length, wait).toBe(3)
    expect(renewed.code).toBeUndefined()
  })
})

test('a WebSocket that the subgraph refuses is refused to the client, with what the subgraph said', async () => {
  const { url } = await start({ protocol: 'websocket' }, { admits: () => false })
  const response = await postJson(url, { query: ticks }, { accept: 'text/event-stream' })
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({
    errors: [{ extensions: { code: 'FORBIDDEN', service: 'clock' } }],
  })
})
