/** Connections whose requests `node:http` does not read: which it is left to read, and what becomes of them at the end. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { Server } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { until } from '../../../../../support/patience.ts'
import { begins, post, refused } from './requests.ts'
import {
  ask,
  bytesReadBy,
  isSettled,
  large,
  normal,
  open,
  openHeld,
  openRefused,
  selfSigned,
  serve,
} from './serving.ts'

test.each([false, true])(
  'after the first of a connection node:http reads no request, refused or not (TLS: %s)',
  async (isTls) => {
    const serving = await serve({ tls: isTls ? selfSigned() : undefined })
    const client = await openRefused(serving)
    for (let n = 0; n < 30; n++) await ask(client, n % 3 === 0 ? begins : refused)
    expect(client.text().match(/HTTP\/1\.1 (\d+)/g)).toEqual([
      'HTTP/1.1 503',
      ...Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? 'HTTP/1.1 200' : 'HTTP/1.1 503')),
    ])
    expect(serving.underWay()).toBe(0)
    // Nor where nothing is refused any more.
    serving.gate.sheds = false
    for (let n = 0; n < 3; n++) await ask(client, refused)
    expect(serving.read()).toBe(1)
    client.socket.destroy()
  },
)

test.each([
  ['a body', `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: ${refused.length}\r\n\r\n`],
  ['a body of another path', `POST /other HTTP/1.1\r\nhost: a\r\ncontent-length: ${refused.length}\r\n\r\n`],
  ['a head', 'GET /graphql?query={a} HTTP/1.1\r\nhost: a\r\nx-a: '],
  ['the first line', 'G'],
])('%s that has come in part before a refusal is not taken for the end of a request', async (_what, part) => {
  const results: string[] = []
  for (const plain of [true, false]) {
    const serving = await serve({ plain })
    const client = await open(serving)
    client.socket.write(refused + part)
    await until(() => client.count() > 0, 'the first refusal')
    client.socket.write(refused)
    await until(() => bytesReadBy(serving) === 2 * refused.length + part.length, 'it is read by itself')
    client.socket.write('GET /after HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    await client.ended
    results.push(normal(client.text()))
  }
  expect(results[1]).toBe(results[0])
})

test('a request that comes while one before it is answered has its response after that', async () => {
  const serving = await serve()
  const client = await open(serving)
  const slow = post('{"query":"{ begin slow }"}')
  client.socket.write(refused + slow)
  await until(() => client.count() === 1, 'the first refusal')
  client.socket.write(refused)
  await until(() => bytesReadBy(serving) === 2 * refused.length + slow.length, 'the third is read')
  await new Promise((resolve) => setTimeout(resolve, 20))
  serving.answerSlow()
  await until(() => client.count() === 3, 'all are answered')
  expect(client.text().match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200', 'HTTP/1.1 503'])
  client.socket.destroy()
})

test('a second request that does not wait for the first has its response after it, whatever becomes of that', async () => {
  for (const first of [refused, begins]) {
    const serving = await serve()
    const client = await openHeld(serving, first)
    client.socket.write(post('{ second }', ['x-request-id: second']))
    client.socket.write(post('{ begin third }', ['x-request-id: third']))
    await until(() => serving.sockets[0]?.isPaused() === true, 'no more is read')
    serving.decide()
    await until(() => client.count() === 4, 'all three are answered')
    const [, own, second, third] = client.text().split('HTTP/1.1 ').slice(1)
    expect(own).toContain(first === refused ? '503' : '200')
    expect(second).toMatch(/^503[\s\S]*x-request-id: second/)
    expect(third).toMatch(/^200[\s\S]*"id":"third"/)
    client.socket.destroy()
  }
})

test('a client that goes away while its request waits is seen as gone, and nothing is left of it', async () => {
  const serving = await serve()
  const client = await openHeld(serving, begins)
  expect(await isSettled(serving.traffic)).toBe(false)
  client.socket.destroy()
  await until(() => serving.held[0]?.isGone() === true, 'it is gone')
  expect(await isSettled(serving.traffic)).toBe(true)
  serving.decide()
  expect(serving.underWay()).toBe(0)
})

test('a client that goes away before its response is there cancels what runs for it', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.write(post('{ begin slow }'))
  await until(() => serving.underWay() === 1, 'it has begun')
  expect(await isSettled(serving.traffic)).toBe(false)
  client.socket.destroy()
  await until(() => serving.cancelled() === 1, 'it is cancelled')
  expect(await isSettled(serving.traffic)).toBe(true)
  serving.answerSlow()
  await until(() => serving.underWay() === 0, 'it has ended')
})

test('nothing is under way of a response that was not read by a client that has gone', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.pause()
  client.socket.write(post('{ begin large }'))
  await until(() => serving.sockets[0]?.writableLength !== 0, 'what the system takes is written')
  client.socket.destroy()
  await until(() => serving.sockets[0]?.destroyed === true, 'the connection is closed')
  expect(await isSettled(serving.traffic)).toBe(true)
  expect(serving.cancelled()).toBe(0)
})

test('what waits when the server stops is waited for; after that node:http reads all', async () => {
  const serving = await serve()
  const client = await openHeld(serving, begins)
  serving.handler.leave(true)
  const settled = serving.traffic.settled(60_000)
  serving.decide()
  await settled
  await client.ended
  expect(client.text()).toContain('SERVICE_STOPPING')
  expect(serving.underWay()).toBe(0)
})

test('a connection that had refusals can be upgraded', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.write('GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  await client.ended
  expect(client.text()).toContain('101 Switching Protocols')
})

test('where responses do not leave only so much of them is kept, and the client gets all in the end', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  const [socket] = serving.sockets as [Socket]
  // As if the client read nothing, without as many requests as fill the buffers of the kernel.
  const write = socket._write.bind(socket)
  const left = Promise.withResolvers<() => void>()
  socket._write = (...args) => left.resolve(() => write(...args))
  const count = 2000
  for (let sent = 0; sent < count; sent++) {
    client.socket.write(refused)
    await new Promise(setImmediate)
  }
  await until(() => socket.isPaused(), 'the connection is not read any more')
  expect(socket.writableLength).toBeGreaterThan(0)
  expect(socket.writableLength).toBeLessThan(2 * socket.writableHighWaterMark)
  socket._write = write
  ;(await left.promise)()
  await until(() => client.count() === count + 1, 'all responses have come')
  client.socket.destroy()
})

test('a response of many bytes is under way until its client has read it', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.pause()
  client.socket.write(post('{ begin large }'))
  await until(() => serving.sockets[0]?.writableLength !== 0, 'what the system takes is written')
  expect(await isSettled(serving.traffic)).toBe(false)
  client.socket.write(begins)
  client.socket.resume()
  await until(() => client.count() === 3, 'the next one is answered')
  expect(client.text()).toContain(`\r\n\r\n"${large.toString()}"HTTP/1.1 200 OK\r\n`)
  expect(await isSettled(serving.traffic)).toBe(true)
  client.socket.destroy()
})

test('a connection is closed by the response that is under way when the server leaves', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.write(post('{ begin slow }'))
  await until(() => serving.underWay() === 1, 'it has begun')
  serving.handler.leave(false)
  serving.answerSlow()
  await client.ended
  const [, last = ''] = client.text().split('HTTP/1.1 200 OK')
  expect(last).toContain('connection: close\r\n')
  expect(last.toLowerCase()).not.toContain('keep-alive')
  expect(await isSettled(serving.traffic)).toBe(true)
})

test('a connection is closed where no request comes in time, and kept for as long as one takes', async () => {
  // Node adds a second.
  const serving = await serve({ keepAliveMs: 100 })
  const client = await openRefused(serving)
  client.socket.write(post('{ begin slow }'))
  const idle = await openRefused(serving)
  await idle.ended
  await new Promise((resolve) => setTimeout(resolve, 500))
  serving.answerSlow()
  await until(() => client.count() === 2, 'it is answered')
  await client.ended
  expect(serving.read()).toBe(2)
})

test('a client that does not send its requests in one piece is left to node:http', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  for (let n = 0; n < 3; n++) await ask(client, begins.slice(0, -5), begins.slice(-5))
  expect(serving.read()).toBe(4)
  await ask(client, begins)
  expect(serving.read()).toBe(5)
  client.socket.destroy()
})

test.each([
  [
    'subscribes to its requests',
    () => {
      const observe = (): void => {}
      subscribe('http.server.request.start', observe)
      return () => unsubscribe('http.server.request.start', observe)
    },
  ],
  [
    'stands before its listeners',
    () => {
      const { prototype } = Server
      Object.assign(prototype, { emit: EventEmitter.prototype.emit })
      return () => Reflect.deleteProperty(prototype, 'emit')
    },
  ],
])('node:http reads all where something %s', async (_what, begin) => {
  const serving = await serve()
  const client = await openRefused(serving)
  const end = begin()
  try {
    for (let n = 0; n < 4; n++) await ask(client, begins)
  } finally {
    end()
  }
  expect(serving.read()).toBe(5)
  client.socket.destroy()
})

test('a response with a header that none may have does not leave', async () => {
  for (const plain of [true, false]) {
    const serving = await serve({ plain })
    const client = await openRefused(serving)
    client.socket.write(post('{ begin garbled }'))
    await client.ended
    expect(client.count()).toBe(1)
    expect(serving.read()).toBe(plain ? 2 : 1)
  }
})
