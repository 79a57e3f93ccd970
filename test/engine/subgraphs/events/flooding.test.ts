/** A subgraph that sends messages without end which are no events of the subscription. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { SubgraphWebSocket } from '../../../../engine/subgraphs/events/websocket.ts'
import { createHttpTransport } from '../../../../engine/subgraphs/index.ts'
import { testGatewayRequest } from '../../../support/federation.ts'
import { subgraphOperation } from '../../../support/subgraph-operation.ts'

const count = 1500
const event = (id: string): string =>
  JSON.stringify({ id, type: 'next', payload: { data: { sold: { id: '1' } } } })

type Flood = (socket: WebSocket, id: string) => void

/** A subgraph that sends this once it is subscribed to, and then an event. */
async function serve(flood: Flood) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    socket.on('message', (text) => {
      const { type, id } = JSON.parse(String(text)) as { type: string; id: string }
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}')
      else if (type === 'subscribe') {
        flood(socket, id)
        socket.send(event(id))
      }
    })
  })
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of server.clients) socket.terminate()
    await new Promise((closed) => server.close(closed))
  })
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}/graphql` }
}

async function subscribed(flood: Flood) {
  const { server, address } = await serve(flood)
  const url = `http://${address}`
  const transport = createHttpTransport({ name: 'shop', url, events: { eventBytes: 20_000 } })
  onTestFinished(() => transport.close())
  const events = await transport
    .subscribe?.(subgraphOperation('subscription { sold { id } }'))
    .open({}, testGatewayRequest({ timeoutMs: 60_000 }))
  if (events === undefined) throw new Error('no subscriptions')
  return { events, server }
}

const many =
  (send: (socket: WebSocket) => void): Flood =>
  (socket) => {
    for (let sent = 0; sent < count; sent += 1) send(socket)
  }

test.each<[string, Flood]>([
  ['pings', many((socket) => socket.send('{"type":"ping"}'))],
  ['answers to no ping', many((socket) => socket.send('{"type":"pong"}'))],
  [
    'events of other operations',
    many((socket) => socket.send('{"id":"other","type":"next","payload":{"data":{"sold":null}}}')),
  ],
  [
    'pings of the protocol below',
    // One after the other: the library ends a connection, too, if too many of its answers wait.
    (socket) => {
      socket.on('pong', () => socket.ping())
      socket.ping()
    },
  ],
  ['answers to no ping of the protocol below', many((socket) => socket.pong())],
])('%s without end end the subscription', async (_, flood) => {
  const { events } = await subscribed(flood)
  await expect(async () => {
    while ((await events.next()).done !== true);
  }).rejects.toMatchObject({ extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: 'shop' } })
})

test('pings whose answers the subgraph does not read end the connection long before all are sent', async () => {
  const most = 1000
  let pings = 0
  const { events, server } = await subscribed((socket, id) => {
    // The server of `ws` reads its socket, and this one no longer does.
    socket.pause()
    const ping = JSON.stringify({ type: 'ping', payload: { much: 'x'.repeat(19_900) } })
    const next = (): void => {
      if (socket.readyState !== socket.OPEN) return
      if (pings === most) {
        socket.send(JSON.stringify({ id, type: 'complete' }))
        return
      }
      pings += 1
      socket.send(ping, next)
    }
    next()
  })
  const [socket] = server.clients
  await expect(async () => {
    while ((await events.next()).done !== true);
  }).rejects.toMatchObject({ extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: 'shop' } })
  expect(socket).toBeDefined()
  expect(pings).toBeLessThan(most)
})

test('some pings, and any number of events, are no flood', async () => {
  const { events } = await subscribed((socket, id) => {
    for (let sent = 0; sent < 100; sent += 1) socket.send('{"type":"ping"}')
    for (let sent = 0; sent < 3 * count; sent += 1) socket.send(event(id))
  })
  for (let taken = 0; taken < 3 * count; taken += 1)
    expect((await events.next()).value).toMatchObject({ payload: { data: { sold: { id: '1' } } } })
})

test('the count of pings begins again after each time, also if the connection is paused at its end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const pingMs = 10_000
  const { server, address } = await serve((socket) => {
    for (let sent = 0; sent < 600; sent += 1) socket.send('{"type":"ping"}')
  })
  const received: unknown[] = []
  const options = {
    ...{ name: 'shop', url: `ws://${address}`, mostBytes: 20_000, ackMs: 60_000, pingMs, tls: undefined },
    errorFrom: () => ({ message: '' }),
  }
  const sent = {
    ...{ query: 'subscription { sold { id } }', operationName: undefined, variables: {} },
    ...{ lastEventId: undefined, headers: {}, payload: {} },
  }
  const connection = new SubgraphWebSocket(options, sent, {
    opened() {},
    event: () => void received.push('event'),
    retryMs() {},
    ended: (end) => void received.push(end),
  })
  onTestFinished(() => connection.close())
  await expect.poll(() => received).toEqual(['event'])
  connection.pause()
  vi.advanceTimersByTime(pingMs)
  connection.resume()
  const [socket] = server.clients
  for (let more = 0; more < 600; more += 1) socket?.send('{"type":"ping"}')
  socket?.send(event('1'))
  await expect.poll(() => received).toEqual(['event', 'event'])
})
