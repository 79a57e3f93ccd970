/** Subscriptions during stops, reloads, silent connections, and many clients that do not read. */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  byNumber,
  createLiveGraph,
  type LiveGateway,
  liveSupergraph,
  startLiveGraph,
} from '../../support/live-graph.ts'
import { postJson } from '../../support/post-json.ts'
import { followTicks, readNothing, start, wait } from './kit.ts'

const query = 'subscription { ticked { number name } }'

/** All that a response brings until it ends. */
async function textOf({ url }: LiveGateway, accept: string): Promise<string> {
  const response = await postJson(url, { query }, { accept })
  return response.text()
}

describe('a gateway that stops', () => {
  test('asks all of its clients to come back, and they continue elsewhere without loss or repeat', async () => {
    const graph = createLiveGraph()
    const first = await startLiveGraph({ graph })
    const second = await start({ graph })
    let at = first.wsUrl
    const following = followTicks(() => at, query)
    const sse = textOf(first, 'text/event-stream')
    const multipart = textOf(first, 'multipart/mixed;subscriptionSpec=1.0')
    await expect.poll(() => first.metric('tessera_subscriptions'), wait).toBe(3)
    graph.tick(1)
    await expect.poll(() => following.numbers.length, wait).toBe(1)
    at = second.wsUrl
    const stopping = first.gateway.stop()
    await expect.poll(() => following.closed, wait).toEqual([1012])
    graph.tick(2)
    expect(await sse).toMatch(/event: next\ndata: .*\n\nretry: \d+\n\n$/)
    expect(await multipart).toMatch(/"payload":null.*SERVICE_STOPPING[\s\S]*--graphql--\r\n$/)
    await stopping
    await expect.poll(() => graph.listening(), wait).toBe(1)
    graph.tick(3)
    await expect.poll(() => following.numbers, wait).toEqual([1, 2, 3])
    following.stop()
  })

  test('closes a WebSocket that is opened over an earlier connection, so that its client comes back', async () => {
    const { gateway, url, wsUrl } = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const [response] = await once(get(new URL('/health/live', url), { agent }), 'response')
    await once(response.resume(), 'end')
    const gone = gateway.handOver(60_000)
    await expect.poll(() => fetch(url).catch(() => 'refused'), wait).toBe('refused')
    const socket = new WebSocket(wsUrl, 'graphql-transport-ws', { agent })
    const [code] = await once(socket, 'close')
    expect(code).toBe(1012)
    await gone
  })
})

describe('a reload', () => {
  test('keeps a subscription with the same plan, and sends others away to come back', async () => {
    const live = await start()
    const { graph } = live
    const following = followTicks(() => live.wsUrl, query)
    const sse = textOf(live, 'text/event-stream')
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(2)
    graph.tick(1)
    await expect.poll(() => following.numbers, wait).toEqual([1])

    const change = (sdl: string) => sdl.replace('version: String', 'version: String more: Int')
    graph.supergraph = liveSupergraph(graph, { change })
    expect(await live.gateway.reload()).not.toHaveProperty('faults')
    graph.tick(2)
    await expect.poll(() => following.numbers, wait).toEqual([1, 2])
    expect([graph.subscribed(), following.closed]).toEqual([1, []])

    graph.supergraph = liveSupergraph(graph, { change: byNumber })
    expect(await live.gateway.reload()).not.toHaveProperty('faults')
    await expect.poll(() => following.closed, wait).toEqual([1012])
    expect(await sse).toMatch(/retry: \d+\n\n$/)
    await expect.poll(() => graph.subscribed(), wait).toBe(2)
    following.stop()
  })
})

test('a WebSocket that does not answer pings is closed, and one that does stays', async () => {
  const live = await start({ env: { TESSERA_SUBSCRIPTION_HEARTBEAT_MS: '4000' } })
  const silent = new WebSocket(live.wsUrl, 'graphql-transport-ws', { autoPong: false })
  const alive = new WebSocket(live.wsUrl, 'graphql-transport-ws')
  const pings: number[] = []
  alive.on('ping', () => void pings.push(1))
  const code = await new Promise<number>((resolve) => silent.once('close', resolve))
  expect(code).toBe(1006)
  await expect.poll(() => pings.length, wait).toBeGreaterThan(0)
  expect(alive.readyState).toBe(WebSocket.OPEN)
  alive.terminate()
})

test('many clients that stop reading do not disturb others, and what is kept for them is bounded', async () => {
  const many = Number(process.env.TESSERA_TEST_STALLED ?? 10)
  const waitingBytes = 500_000
  const live = await start({
    env: {
      TESSERA_SUBSCRIPTION_WAITING_BYTES: String(waitingBytes),
      TESSERA_MAX_SUBSCRIPTIONS_PER_CALLER: String(many + 10),
    },
  })
  for (let at = 0; at < many; at += 1) readNothing(live, 'subscription { ticked { id number } }')
  await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(many)
  const following = followTicks(() => live.wsUrl, 'subscription { ticked { number } }')
  await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(many + 1)
  const id = 'x'.repeat(400_000)
  const events = 40
  for (let number = 1; number <= events; number += 1) {
    live.graph.send('ticked', { value: { id, number } })
    await expect.poll(() => following.numbers.length, { ...wait, interval: 1 }).toBe(number)
  }
  // Lists end for who does not take them.
  await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(1)
  expect(following.numbers).toEqual(Array.from({ length: events }, (_, at) => at + 1))
  expect(await live.metric('tessera_subscriptions_ended_total{reason="slow"}')).toBe(many)
  following.stop()
})
