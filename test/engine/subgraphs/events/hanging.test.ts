/** A subgraph that accepts a connection and then sends nothing, at each step of both protocols. */
import { createServer, type RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import {
  createHttpTransport,
  type RemoteEventsSettings,
  type Transport,
} from '../../../../engine/subgraphs/index.ts'
import { testGatewayRequest } from '../../../support/federation.ts'
import { listen } from '../../../support/listen.ts'
import { subgraphOperation } from '../../../support/subgraph-operation.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** What a server does with requests, and with WebSockets; without `upgraded` it leaves them waiting. */
async function serve(listener: RequestListener, upgraded?: (send: (message: object) => void) => void) {
  const server = createServer(listener)
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    if (upgraded === undefined) return
    sockets.handleUpgrade(request, socket, head, (open) =>
      upgraded((message) => open.send(JSON.stringify(message))),
    )
  })
  const listening = await listen(server)
  closing.push(() => listening[Symbol.asyncDispose]())
  return `${listening.url}/graphql`
}

function subscribe(
  url: string,
  events: RemoteEventsSettings,
  request = testGatewayRequest({ timeoutMs: 60_000 }),
) {
  const transport: Transport = createHttpTransport({ name: 'shop', url, events })
  closing.push(() => transport.close())
  const prepared = transport.subscribe?.(subgraphOperation('subscription { sold { id } }'))
  return { transport, opened: prepared?.open({}, request) ?? Promise.reject(new Error('no subscriptions')) }
}

const unavailable = { extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'shop' } }

describe.each(['websocket', 'sse'] as const)('by %s', (protocol) => {
  test('without an answer the subscription does not begin', async () => {
    const url = await serve(() => {})
    await expect(subscribe(url, { protocol, ackMs: 150 }).opened).rejects.toMatchObject(unavailable)
  })

  test('a request that is given up while it waits leaves nothing behind', async () => {
    const url = await serve(() => {})
    const request = testGatewayRequest({ timeoutMs: 60_000 })
    const { opened } = subscribe(url, { protocol, ackMs: 60_000 }, request)
    const refused = expect(opened).rejects.toMatchObject(unavailable)
    request.cancel()
    await refused
  })

  test('a request that was given up before is refused at once, and sends nothing', async () => {
    let requests = 0
    const url = await serve(() => {
      requests += 1
    })
    const request = testGatewayRequest({ timeoutMs: 60_000 })
    request.cancel()
    const { opened } = subscribe(url, { protocol, ackMs: 60_000 }, request)
    await expect(opened).rejects.toMatchObject(unavailable)
    expect(requests).toBe(0)
  })

  test('no server listens: that is reported at once', async () => {
    const { transport, opened } = subscribe('http://127.0.0.1:1/graphql', { protocol })
    await expect(opened).rejects.toMatchObject(unavailable)
    expect(transport.reachable).toBe(false)
  })
})

test('a WebSocket that is not acknowledged is given up', async () => {
  const url = await serve(
    () => {},
    () => {},
  )
  await expect(subscribe(url, { protocol: 'websocket', ackMs: 150 }).opened).rejects.toMatchObject(
    unavailable,
  )
})

test('a WebSocket that answers no ping is lost', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server, autoPong: false })
  sockets.on('connection', (socket) => socket.send(JSON.stringify({ type: 'connection_ack' })))
  const listening = await listen(server)
  closing.push(() => listening[Symbol.asyncDispose]())
  const url = `${listening.url}/graphql`
  const events = await subscribe(url, { protocol: 'websocket', pingMs: 100 }).opened
  await expect(events.next()).rejects.toMatchObject({ extensions: { code: 'SUBSCRIPTION_RESTART' } })
})

test('a stream that is silent for too long is lost, and one with comments is not', async () => {
  let isSilent = false
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(':\n\n')
    const timer = setInterval(() => isSilent || response.write(':\n\n'), 50)
    response.on('close', () => clearInterval(timer))
    setTimeout(() => {
      response.write('event: next\ndata: {"data":{"sold":{"id":"1"}}}\n\n')
      isSilent = true
    }, 4000)
  })
  const events = await subscribe(url, { protocol: 'sse', idleMs: 3000 }).opened
  expect((await events.next()).value).toMatchObject({ payload: { data: { sold: { id: '1' } } } })
  await expect(events.next()).rejects.toMatchObject({ extensions: { code: 'SUBSCRIPTION_RESTART' } })
})

test.each([
  ['an answer that is no stream', 200, 'application/json', '{"data":{"sold":null}}', 'UPSTREAM_BAD_RESPONSE'],
  [
    'errors in place of a stream',
    400,
    'application/json',
    '{"errors":[{"message":"no"}]}',
    'UPSTREAM_BAD_RESPONSE',
  ],
  ['a status that passes', 503, 'text/plain', 'busy', 'UPSTREAM_UNAVAILABLE'],
  ['an event that is no JSON', 200, 'text/event-stream', 'event: next\ndata: {\n\n', 'UPSTREAM_BAD_RESPONSE'],
  [
    'an event that is no result',
    200,
    'text/event-stream',
    'event: next\ndata: []\n\n',
    'UPSTREAM_BAD_RESPONSE',
  ],
  [
    'errors as an event',
    200,
    'text/event-stream',
    'event: next\ndata: {"errors":[{}]}\n\n',
    'UPSTREAM_BAD_RESPONSE',
  ],
])('%s ends it with a code', async (_, status, type, body, code) => {
  const url = await serve((__, response) => {
    response.writeHead(status, { 'content-type': type })
    response.write(body)
    if (type !== 'text/event-stream') response.end()
  })
  const first = async () => (await subscribe(url, { protocol: 'sse' }).opened).next()
  await expect(first()).rejects.toMatchObject({ extensions: { code, service: 'shop' } })
})

test('events that are not taken wait up to a bound, and the connection is read no further', async () => {
  let sent = 0
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = `event: next\ndata: {"data":{"sold":{"id":"${'x'.repeat(10_000)}"}}}\n\n`
    const write = (): void => {
      while (sent < 5000) {
        sent += 1
        if (!response.write(event)) break
      }
    }
    response.on('drain', write)
    write()
  })
  const events = await subscribe(url, { protocol: 'sse', waitingEvents: 5 }).opened
  await events.next()
  let before = -1
  await expect
    .poll(
      () => {
        const stands = sent === before
        before = sent
        return stands
      },
      { interval: 300 },
    )
    .toBe(true)
  expect(sent).toBeLessThan(5000)
  for (let taken = 1; taken < 5000; taken += 1) expect((await events.next()).done).toBe(false)
  expect(sent).toBe(5000)
})
