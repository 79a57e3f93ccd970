import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { GraphQLError } from 'graphql'
import { expect, onTestFinished, test } from 'vitest'
import type { GatewayRequest } from '../../../engine/request.ts'
import {
  type EventStream,
  EventStreams,
  type StreamOperation,
} from '../../../gateway/subscriptions/single-connection.ts'
import { Subscriber } from '../../../gateway/subscriptions/subscriber.ts'
import { jsonText } from '../../../shared/json/byte-string.ts'
import { listen } from '../../support/listen.ts'

const settings = {
  ...{ most: 100, mostOfCaller: 100, mostOfConnection: 5 },
  ...{ waitingEvents: 100, waitingBytes: 100_000, heartbeatMs: 10_000 },
}

/** A response that waits to be written. */
async function response(): Promise<ServerResponse> {
  const server = createServer()
  const listening = await listen(server)
  const controller = new AbortController()
  onTestFinished(() => {
    controller.abort()
    return listening[Symbol.asyncDispose]()
  })
  fetch(listening.url, { signal: controller.signal }).catch(() => {})
  const [, opened] = (await once(server, 'request')) as [unknown, ServerResponse]
  return opened
}

test('five thousand reservations do not count as open streams', async () => {
  const streams = new EventStreams(settings, 2)
  const tokens = Array.from({ length: 5000 }, () => streams.reserve())
  expect(new Set(tokens).size).toBe(5000)
  const [first = '', second = '', third = ''] = tokens
  for (const token of [first, second]) {
    const open = streams.open(token)
    if (typeof open !== 'function') throw new Error(`it was ${open}`)
    open(await response(), [])
    expect(streams.open(token)).toBe('taken')
    expect(streams.get(token)).toBeDefined()
  }
  expect(streams.open(third)).toBe('full')
})

test('a token of another process, or with a later end, opens nothing', () => {
  const streams = new EventStreams(settings, 2)
  const token = streams.reserve()
  const [end = '', ...rest] = token.split('.')
  for (const wrong of [
    new EventStreams(settings, 2).reserve(),
    [String(Number(end) + 1), ...rest].join('.'),
    `${token}x`,
    token.slice(0, -1),
    '',
    'unknown',
  ])
    expect(streams.open(wrong)).toBeUndefined()
  expect(streams.open(token)).toEqual(expect.any(Function))
})

async function openStream(written?: ServerResponse): Promise<EventStream> {
  const streams = new EventStreams(settings, 2)
  const token = streams.reserve()
  const open = streams.open(token)
  if (typeof open !== 'function') throw new Error(`it was ${open}`)
  open(written ?? (await response()), [])
  return streams.get(token) as EventStream
}

function taken(stream: EventStream, id: string): StreamOperation {
  const operation = stream.take(id)
  if (operation === undefined) throw new Error('the id is taken')
  return operation
}

const subscriber = (name: string, ends: string[]): Subscriber =>
  new Subscriber({
    caller: undefined as never,
    counted: { id: name, callerKey: '', connection: undefined },
    hooked: undefined,
    bounds: { waitingEvents: 1, waitingBytes: 1 },
    owner: { subscriberLeft: ({ counted }, { kind }) => void ends.push(`${counted.id} ${kind}`) },
  })

test('an operation that is ended while it begins is left, also if its id begins again', async () => {
  const stream = await openStream()
  const ends: string[] = []
  const begin = (name: string) => {
    const operation = taken(stream, '1')
    return () => stream.attach(operation, subscriber(name, ends))
  }
  const first = begin('first')
  expect(stream.stop('1')).toBe(true)
  const second = begin('second')
  first()
  expect(ends).toEqual(['first left'])
  second()
  stream.close()
  expect(ends).toEqual(['first left', 'second left'])
})

test('the gateway ends a stream when the results of its requests are sent, and the client cancels them', async () => {
  const cancelled: string[] = []
  const running = (id: string) => ({ cancel: () => void cancelled.push(id) }) as GatewayRequest
  const written = await response()
  const stream = await openStream(written)
  const request = taken(stream, 'request')
  const refused = taken(stream, 'refused')
  stream.started(request, running('restart'))
  const events = subscriber('subscription', [])
  stream.attach(taken(stream, 'subscription'), events)
  events.finish({ kind: 'restart', error: new GraphQLError('the server stops') })
  stream.answer(refused, jsonText({ errors: [] }), false)
  expect(written.writableEnded).toBe(false)
  stream.answer(request, jsonText({ data: {} }), true)
  expect(written.writableEnded).toBe(true)
  const idle = await response()
  const without = await openStream(idle)
  without.drain()
  expect(idle.writableEnded).toBe(true)
  expect(cancelled).toEqual([])
  const other = await openStream()
  other.started(taken(other, 'request'), running('left'))
  other.close()
  expect(cancelled).toEqual(['left'])
})

test('a stream that is to be restarted ends when the client ends the last request of it', async () => {
  const written = await response()
  const stream = await openStream(written)
  stream.started(taken(stream, 'request'), { cancel: () => {} } as GatewayRequest)
  const events = subscriber('subscription', [])
  stream.attach(taken(stream, 'subscription'), events)
  events.finish({ kind: 'restart', error: new GraphQLError('the graph has changed') })
  expect(written.writableEnded).toBe(false)
  stream.stop('request')
  expect(written.writableEnded).toBe(true)
})
