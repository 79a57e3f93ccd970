/** A stream of server-sent events with thousands of lines at once: others are served in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectSse } from '../../../../engine/subgraphs/events/sse.ts'
import type { HttpClient, StreamController, StreamHandler } from '../../../../shared/http/client.ts'

/** A stream that has begun. `isRead` says whether its connection is being read. */
function begun() {
  let handler: StreamHandler | undefined
  let isRead = true
  const controller = {
    pause: () => (isRead = false),
    resume: () => (isRead = true),
    abort: () => (isRead = false),
  } as unknown as StreamController
  const client = { stream: (_, given) => (handler = given) } as Partial<HttpClient> as HttpClient
  let events = 0
  const connection = connectSse(
    {
      ...{ name: 'shop', client, path: '/graphql', mostBytes: 10_000, idleMs: undefined },
      errorFrom: () => expect.unreachable(),
    },
    { body: '{}', headers: {}, lastEventId: undefined },
    {
      opened() {},
      event: () => (events += 1),
      retryMs() {},
      ended: ({ kind }) => expect.unreachable(kind),
    },
  )
  handler?.onRequestStart?.(controller, undefined)
  handler?.onResponseStart?.(controller, 200, { 'content-type': 'text/event-stream' })
  return {
    connection,
    send: (text: string) => handler?.onResponseData?.(controller, Buffer.from(text)),
    isRead: () => isRead,
    events: () => events,
  }
}

const event = 'event: next\ndata: {"data":null}\n\n'

test.each([
  ['comments', ':\n'.repeat(1500)],
  ['lines of one event', 'data:\n'.repeat(1500)],
  ['events of another kind', 'event: other\n\n'.repeat(800)],
])('after a chunk with thousands of %s more is read in the next turn', async (_, flood) => {
  const { send, isRead } = begun()
  send(flood)
  expect(isRead()).toBe(false)
  await nextTurn()
  expect(isRead()).toBe(true)
})

test('many chunks of a byte each are as many lines', async () => {
  const { send, isRead } = begun()
  for (let sent = 0; sent < 2000 && isRead(); sent += 1) send(':')
  expect(isRead()).toBe(false)
  await nextTurn()
  expect(isRead()).toBe(true)
})

test('heartbeats and events of a usual size are read without a pause', () => {
  const { send, isRead, events } = begun()
  for (let sent = 0; sent < 100; sent += 1) send(`:\n\n${event}`)
  expect(isRead()).toBe(true)
  expect(events()).toBe(100)
})

test('what is paused for the reader stays paused in the next turn, and begins no earlier than then', async () => {
  const { connection, send, isRead } = begun()
  send(':\n'.repeat(1500))
  connection.pause()
  await nextTurn()
  expect(isRead()).toBe(false)
  connection.resume()
  expect(isRead()).toBe(true)
  send(':\n'.repeat(1500))
  connection.pause()
  connection.resume()
  expect(isRead()).toBe(false)
  await nextTurn()
  expect(isRead()).toBe(true)
})

test('a connection that is closed meanwhile is not read again', async () => {
  const { connection, send, isRead } = begun()
  send(':\n'.repeat(1500))
  connection.close()
  await nextTurn()
  expect(isRead()).toBe(false)
})
