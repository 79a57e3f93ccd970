/** A subscription as a streamed response: server-sent events of one operation, or Apollo's multipart protocol. */
import type { ServerResponse } from 'node:http'
import { asByteString, jsonText } from '../../shared/json/byte-string.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import { createMultipart, Sse, type Stream } from '../graphql-http/streaming/index.ts'
import type { EventType } from './accepted-event-type.ts'
import type { SubscriptionSettings } from './config.ts'
import type { Delivery, End, Listening, Subscriber } from './subscriber.ts'

/** Milliseconds until a drained client reconnects. They differ, so that clients do not all reconnect together. */
export const retryMs = (): number => 1000 * (1 + Math.random())

/** Writes the whole response; `head` has neither content type nor cache control. */
export function streamSubscription(
  type: EventType,
  closing: Subscriber,
  { heartbeatMs, waitingBytes: mostBytes }: SubscriptionSettings,
): (response: ServerResponse, head: readonly string[]) => void {
  return type === 'sse'
    ? (response, head) =>
        pump(closing, new SseEvents(new Sse(response, { head, heartbeatMs, mostBytes, closing })))
    : (response, head) => {
        const multipart = createMultipart(response, { head, parameters, heartbeatMs, mostBytes, closing })
        pump(closing, {
          stream: multipart.stream,
          event: ({ body }) => multipart.part([payloadHead, body, payloadEnd]),
          end(end) {
            const isError = end.kind === 'failed' || end.kind === 'restart'
            multipart.end(isError ? jsonText({ payload: null, errors: [end.error] }) : undefined)
          },
        })
      }
}

class SseEvents implements Receiving {
  readonly #sse: Sse

  constructor(sse: Sse) {
    this.#sse = sse
  }

  get stream(): Stream {
    return this.#sse.stream
  }

  event({ body, id }: Delivery): void {
    this.#sse.send({ event: 'next', data: [body], id })
  }

  end(end: End): void {
    const sse = this.#sse
    // A client reconnects by itself if the stream ends without `complete`.
    if (end.kind === 'restart') sse.retry(retryMs())
    else {
      if (end.kind === 'failed') sse.send({ event: 'next', data: jsonText({ errors: [end.error] }) })
      sse.send({ event: 'complete' })
    }
    sse.end()
  }
}

const parameters = 'subscriptionSpec=1.0'
const payloadHead = asByteString('{"payload":')
const payloadEnd = asByteString('}')

export function streamResult(
  type: EventType,
  body: JsonText,
  { waitingBytes: mostBytes }: SubscriptionSettings,
): (response: ServerResponse, head: readonly string[]) => void {
  return (response, head) => {
    if (type === 'multipart') {
      const pieces = typeof body === 'string' ? [body] : body
      createMultipart(response, { head, parameters, mostBytes }).end([payloadHead, ...pieces, payloadEnd])
      return
    }
    const sse = new Sse(response, { head, mostBytes })
    sse.send({ event: 'next', data: body })
    sse.send({ event: 'complete' })
    sse.end()
  }
}

/** Writes the events of a subscription in the form of its protocol. */
interface Receiving {
  readonly stream: Stream
  event(delivery: Delivery): void
  end(end: End): void
}

/** Sends events as fast as the client reads them. */
export function pump(subscriber: Subscriber, to: Receiving): void {
  subscriber.listen(new Pump(subscriber, to))
}

class Pump implements Listening {
  readonly #subscriber: Subscriber
  readonly #to: Receiving
  #isWaiting = false

  constructor(subscriber: Subscriber, to: Receiving) {
    this.#subscriber = subscriber
    this.#to = to
  }

  wake(): void {
    const to = this.#to
    const { stream } = to
    const subscriber = this.#subscriber
    if (stream.isOver) return
    while (stream.isReady) {
      const next = subscriber.take()
      if (next === undefined) break
      to.event(next)
    }
    const { end } = subscriber
    if (end !== undefined) {
      if (end.kind !== 'left') to.end(end)
      return
    }
    if (stream.isReady || this.#isWaiting) return
    this.#isWaiting = true
    stream.ready(() => {
      this.#isWaiting = false
      this.wake()
    })
  }
}
