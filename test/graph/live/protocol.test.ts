/**
 * What the documents of the protocols say, line by line, by raw sockets and requests: `graphql-transport-ws`
 * (PROTOCOL.md of graphql-ws) and GraphQL over SSE (PROTOCOL.md of graphql-sse).
 */
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { keepForFile } from '../../support/keep.ts'
import { startLiveGraph } from '../../support/live-graph.ts'
import { postJson } from '../../support/post-json.ts'
import { readUntil, wait } from './kit.ts'

const ticks = 'subscription { ticked { number } }'

const live = keepForFile(await startLiveGraph())
const uninitialised = raw()
afterEach(async () => {
  for (const each of sockets.splice(0)) each.terminate()
  await expect.poll(() => live.graph.listening(), wait).toBe(0)
})

interface Raw {
  readonly socket: WebSocket
  // biome-ignore lint/suspicious/noExplicitAny: messages are compared, not used
  readonly messages: any[]
  readonly closed: Promise<readonly [code: number, reason: string]>
  send(message: unknown): void
  /** Waits until so many messages have come. */
  // biome-ignore lint/suspicious/noExplicitAny: messages are compared, not used
  until(count: number): Promise<any[]>
}

const sockets: WebSocket[] = []

function raw(protocols: string[] = ['graphql-transport-ws'], first: readonly unknown[] = []): Raw {
  const socket = new WebSocket(live.wsUrl, protocols)
  const messages: unknown[] = []
  socket.on('error', () => {})
  socket.on('message', (text) => void messages.push(JSON.parse(String(text))))
  const send = (message: unknown): void =>
    socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  socket.on('open', () => {
    for (const message of first) send(message)
  })
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, String(reason)]))
  })
  return {
    socket,
    messages,
    closed,
    send,
    async until(count) {
      await expect.poll(() => messages.length, wait).toBeGreaterThanOrEqual(count)
      return messages
    },
  }
}

const init = { type: 'connection_init' }
const subscribe = (id: unknown, query = ticks) => ({ id, type: 'subscribe', payload: { query } })

async function acknowledged(): Promise<Raw> {
  const connection = raw(undefined, [init])
  sockets.push(connection.socket)
  expect(await connection.until(1)).toEqual([{ type: 'connection_ack' }])
  connection.messages.length = 0
  return connection
}

/** What a connection gets after these messages: its close code. */
async function codeAfter(...messages: readonly unknown[]): Promise<number> {
  const connection = raw(undefined, messages)
  sockets.push(connection.socket)
  return (await connection.closed)[0]
}

describe('graphql-transport-ws: the connection', () => {
  test('another subprotocol, or none, is closed with 4406', async () => {
    expect((await raw(['graphql-ws']).closed)[0]).toBe(1006)
    expect((await raw([]).closed)[0]).toBe(4406)
  })

  test.each([
    ['a second connection_init', 4429, [init, init]],
    ['subscribe before the acknowledgement', 4401, [subscribe('1')]],
    ['an invalid token', 4401, [{ ...init, payload: { authorization: 'Bearer x' } }]],
    [
      'a message that is larger than a body may be',
      1009,
      [init, subscribe('a', `#${'x'.repeat(4_000_000)}`)],
    ],
  ])('%s is closed with %i', async (_, code, messages) => {
    expect(await codeAfter(...messages)).toBe(code)
  })

  test.each([
    ['text that is no JSON', 'nothing'],
    ['an array', []],
    ['null', 'null'],
    ['no type', {}],
    ['a type that there is not', { type: 'start' }],
    ['a message of servers', { type: 'next', id: '1', payload: { data: {} } }],
    ['subscribe without an id', { type: 'subscribe', payload: { query: ticks } }],
    ['subscribe with an empty id', subscribe('')],
    ['subscribe with an id that is no text', subscribe(1)],
    ['subscribe without a payload', { type: 'subscribe', id: '1' }],
    ['subscribe without a query', { type: 'subscribe', id: '1', payload: {} }],
    [
      'variables that are no object',
      { type: 'subscribe', id: '1', payload: { query: ticks, variables: 'a' } },
    ],
    ['complete without an id', { type: 'complete' }],
    ['a payload of connection_init that is no object', { type: 'connection_init', payload: 'a' }],
    ['a binary message', Buffer.from([1, 2, 3])],
  ])('%s is closed with 4400', async (_, message) => {
    const isInit = typeof message === 'object' && 'type' in message && message.type === 'connection_init'
    expect(await codeAfter(...(isInit ? [message] : [init, message]))).toBe(4400)
  })

  test('a ping is answered by a pong with its payload, before and after the acknowledgement', async () => {
    const connection = raw(undefined, [{ type: 'ping' }, { type: 'ping', payload: { a: 1 } }])
    sockets.push(connection.socket)
    expect(await connection.until(2)).toEqual([{ type: 'pong' }, { type: 'pong', payload: { a: 1 } }])
    connection.send(init)
    await connection.until(3)
    connection.send({ type: 'ping' })
    expect((await connection.until(4))[3]).toEqual({ type: 'pong' })
  })

  test('an unsolicited pong is taken, and nothing follows', async () => {
    const connection = await acknowledged()
    connection.send({ type: 'pong' })
    connection.send({ type: 'pong', payload: { a: 1 } })
    connection.send({ type: 'ping' })
    expect(await connection.until(1)).toEqual([{ type: 'pong' }])
  })
})

describe('graphql-transport-ws: operations', () => {
  test('a subscription has a next for each event, and complete at its end', async () => {
    const connection = await acknowledged()
    connection.send(subscribe('a'))
    await expect.poll(() => live.graph.listening(), wait).toBe(1)
    live.graph.tick(1)
    live.graph.send('ticked', 'done')
    expect(await connection.until(2)).toEqual([
      { id: 'a', type: 'next', payload: { data: { ticked: { number: 1 } }, extensions: { eventId: 'a:1' } } },
      { id: 'a', type: 'complete' },
    ])
  })

  test('a query has one next and complete', async () => {
    const connection = await acknowledged()
    connection.send(subscribe('q', '{ now }'))
    expect(await connection.until(2)).toEqual([
      { id: 'q', type: 'next', payload: { data: { now: 0 } } },
      { id: 'q', type: 'complete' },
    ])
  })

  test('a fault of the operation is an error, which ends it, and not the connection', async () => {
    const connection = await acknowledged()
    for (const [at, query] of ['subscription {', 'subscription { nothing }', ''].entries()) {
      connection.send(subscribe(`e${at}`, query))
      const [message] = (await connection.until(at + 1)).slice(at)
      expect(message).toMatchObject({
        id: `e${at}`,
        type: 'error',
        payload: [{ message: expect.any(String) }],
      })
    }
    connection.send({ id: 'e0', type: 'complete' })
    connection.send(subscribe('e0', '{ now }'))
    expect((await connection.until(5)).slice(3).map(({ type }) => type)).toEqual(['next', 'complete'])
  })

  test('an error of the source ends the subscription with an error', async () => {
    const connection = await acknowledged()
    connection.send(subscribe('a'))
    await expect.poll(() => live.graph.listening(), wait).toBe(1)
    live.graph.send('ticked', new Error('broken'))
    expect(await connection.until(1)).toMatchObject([
      { id: 'a', type: 'error', payload: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
    ])
  })

  test('complete from the client ends it, nothing comes after it, and its id may be used again', async () => {
    const connection = await acknowledged()
    connection.send(subscribe('a'))
    await expect.poll(() => live.graph.listening(), wait).toBe(1)
    connection.send({ id: 'a', type: 'complete' })
    await expect.poll(() => live.graph.listening(), wait).toBe(0)
    live.graph.tick(1)
    connection.send(subscribe('a', '{ now }'))
    const messages = await connection.until(2)
    expect(messages.map(({ type, payload }) => [type, payload?.data])).toEqual([
      ['next', { now: 0 }],
      ['complete', undefined],
    ])
  })

  test('complete of an operation that there is not is taken, and nothing follows', async () => {
    const connection = await acknowledged()
    connection.send({ id: 'nobody', type: 'complete' })
    connection.send({ type: 'ping' })
    expect(await connection.until(1)).toEqual([{ type: 'pong' }])
  })

  test('an id that is in use is closed with 4409, and all operations end', async () => {
    const connection = await acknowledged()
    connection.send(subscribe('a'))
    await expect.poll(() => live.graph.listening(), wait).toBe(1)
    connection.send(subscribe('a', '{ now }'))
    expect((await connection.closed)[0]).toBe(4409)
    await expect.poll(() => live.graph.listening(), wait).toBe(0)
  })

  test('operations of one connection run side by side, each under its id', async () => {
    const connection = await acknowledged()
    connection.send(subscribe('a'))
    connection.send(subscribe('b', 'subscription { measured { number } }'))
    await expect.poll(() => live.graph.listening(), wait).toBe(2)
    live.graph.measure(5)
    live.graph.tick(2)
    const byId = new Map((await connection.until(2)).map(({ id, payload }) => [id, payload.data]))
    expect(byId).toEqual(
      new Map([
        ['a', { ticked: { number: 2 } }],
        ['b', { measured: { number: 5 } }],
      ]),
    )
  })

  test('a client that closes ends all its operations', async () => {
    const connection = await acknowledged()
    connection.send(subscribe('a'))
    connection.send(subscribe('b'))
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(2)
    connection.socket.close(1000)
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(0)
  })
})

describe('GraphQL over SSE', () => {
  const stream = (init: RequestInit = {}, search = '') =>
    fetch(`${live.url}${search}`, { ...init, headers: { accept: 'text/event-stream', ...init.headers } })
  const post = (body: unknown, headers: Record<string, string> = {}) => postJson(live.url, body, headers)
  const reserve = async () => {
    const response = await fetch(live.url, { method: 'PUT' })
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    return { 'x-graphql-event-stream-token': await response.text() }
  }

  /** The events of a stream, as text, until there are so many. */
  async function eventsOf(response: Response, count: number): Promise<string[]> {
    const whole = (text: string): string[] =>
      text
        .split('\n\n')
        .slice(0, -1)
        .filter((each) => each.startsWith('event') || each.startsWith('id'))
    return whole(await readUntil(response, (text) => whole(text).length >= count))
  }

  test('distinct connections: by POST and GET, with next for each event, and complete', async () => {
    const search = `?query=${encodeURIComponent(ticks)}`
    for (const ask of [
      () =>
        stream({
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: ticks }),
        }),
      () => stream({}, search),
    ]) {
      const pending = ask()
      await expect.poll(() => live.graph.listening(), wait).toBe(1)
      const response = await pending
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(response.headers.get('cache-control')).toContain('no-store')
      live.graph.send('ticked', { value: { id: 'x', number: 3 } })
      live.graph.send('ticked', 'done')
      expect(await eventsOf(response, 2)).toEqual([
        'event: next\ndata: {"data":{"ticked":{"number":3}}}',
        'event: complete\ndata: ',
      ])
    }
  })

  test('a client that goes away ends its operation', async () => {
    const abort = new AbortController()
    await stream({ signal: abort.signal }, `?query=${encodeURIComponent(ticks)}`)
    await expect.poll(() => live.graph.listening(), wait).toBe(1)
    abort.abort()
    await expect.poll(() => live.graph.listening(), wait).toBe(0)
  })

  test('single connection: a stream is reserved, opened once, by header or in the address', async () => {
    const token = await reserve()
    const opened = await stream({ headers: token })
    expect(opened.status).toBe(200)
    expect((await stream({ headers: token })).status).toBe(409)
    await opened.body?.cancel()
    const other = await reserve()
    const byAddress = await stream({}, `?token=${other['x-graphql-event-stream-token']}`)
    expect(byAddress.status).toBe(200)
    await byAddress.body?.cancel()
    expect((await stream({ headers: { 'x-graphql-event-stream-token': 'unknown' } })).status).toBe(404)
  })

  test('single connection: operations are accepted, and their results come on the stream with their ids', async () => {
    const token = await reserve()
    const opened = await stream({ headers: token })
    const operation = (operationId: unknown, query: string) => ({ query, extensions: { operationId } })
    expect((await post(operation('q', '{ now }'), token)).status).toBe(202)
    expect((await post(operation('s', ticks), token)).status).toBe(202)
    await expect.poll(() => live.graph.listening(), wait).toBe(1)
    expect((await post(operation('s', ticks), token)).status).toBe(409)
    expect((await post(operation(undefined, ticks), token)).status).toBe(400)
    expect((await post(operation('x', ticks), { 'x-graphql-event-stream-token': 'unknown' })).status).toBe(
      404,
    )
    expect((await post(operation('e', 'subscription { nothing }'), token)).status).toBe(202)
    live.graph.send('ticked', { value: { id: 'x', number: 3 } })
    const events = (await eventsOf(opened, 5)).map((text) => {
      const [event = '', data = ''] = text.split('\n')
      return [event.slice(7), JSON.parse(data.slice(6))]
    })
    const of = (id: string) => events.filter(([, data]) => data.id === id)
    expect(of('q')).toEqual([
      ['next', { id: 'q', payload: { data: { now: 0 } } }],
      ['complete', { id: 'q' }],
    ])
    expect(of('e')).toMatchObject([
      ['next', { payload: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] } }],
      ['complete', {}],
    ])
    expect(of('s')).toEqual([['next', { id: 's', payload: { data: { ticked: { number: 3 } } } }]])
  })

  test('single connection: DELETE ends an operation; one that there is not is 404', async () => {
    const token = await reserve()
    const opened = await stream({ headers: token })
    await post({ query: ticks, extensions: { operationId: 's' } }, token)
    await expect.poll(() => live.graph.listening(), wait).toBe(1)
    const end = (id: string) => fetch(`${live.url}?operationId=${id}`, { method: 'DELETE', headers: token })
    expect((await end('s')).status).toBe(200)
    await expect.poll(() => live.graph.listening(), wait).toBe(0)
    expect((await end('s')).status).toBe(404)
    await opened.body?.cancel()
  })

  test('a request without a token ends no operation, and other methods are told which ones there are', async () => {
    expect((await fetch(live.url, { method: 'DELETE' })).status).toBe(404)
    const { status, headers } = await fetch(live.url, { method: 'PATCH' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, PUT, DELETE'])
  })

  test('single connection: the end of the stream ends all its operations', async () => {
    const token = await reserve()
    const opened = await stream({ headers: token })
    for (const operationId of ['a', 'b']) await post({ query: ticks, extensions: { operationId } }, token)
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(2)
    await opened.body?.cancel()
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(0)
  })
})

test('a connection without connection_init is closed with 4408 after ten seconds', async () => {
  expect((await uninitialised.closed)[0]).toBe(4408)
})

test('a whole number of a variable that JSON would round is refused', async () => {
  const connection = await acknowledged()
  const payload = `{"query":${JSON.stringify(ticks)},"variables":{"n":[12345678901234567890]}}`
  connection.send(`{"id":"1","type":"subscribe","payload":${payload}}`)
  expect(await connection.until(1)).toMatchObject([
    { type: 'error', payload: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
  ])
})
