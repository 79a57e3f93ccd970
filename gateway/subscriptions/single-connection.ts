/**
 * GraphQL over SSE, "single connection mode": a client reserves a stream (PUT), opens it (GET), and sends each operation
 * by a request of its own (POST), whose results come on the stream. An operation ends by DELETE. The token of the stream
 * cannot be guessed, and each operation is its own caller's.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { GatewayRequest } from '../../engine/request.ts'
import { asByteString, byteString, jsonText } from '../../shared/json/byte-string.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import { Sse } from '../graphql-http/streaming/index.ts'
import type { SubscriptionSettings } from './config.ts'
import { pump, retryMs } from './streamed.ts'
import { Subscriber } from './subscriber.ts'

/** The header that names a stream; in a URL it is the parameter `token`. */
export const streamTokenHeader = 'x-graphql-event-stream-token'

/** How long a reserved stream may stay unopened. */
const reservedMs = 10_000

export class EventStreams {
  readonly #settings: SubscriptionSettings
  readonly #mostStreams: number
  readonly #key = randomBytes(32)
  readonly #open = new Map<string, EventStream>()

  constructor(settings: SubscriptionSettings, mostStreams: number) {
    this.#settings = settings
    this.#mostStreams = mostStreams
  }

  /** The token of a new stream. Anybody may request any number of them, so nothing is kept until a stream is opened. */
  reserve(): string {
    return this.#signed(`${Math.ceil(performance.now() + reservedMs)}.${randomUUID()}`)
  }

  /**
   * The writer of the stream; `taken` if it is open already, `full` if too many are open, undefined if the token is
   * unknown or too old.
   */
  open(token: string) {
    if (this.#open.has(token)) return 'taken'
    if (!this.#isGood(token)) return undefined
    if (this.#open.size >= this.#mostStreams) return 'full'
    return (response: ServerResponse, head: readonly string[]): void => {
      const { heartbeatMs, waitingBytes: mostBytes, mostOfConnection } = this.#settings
      const closing = {
        closed: (): void => {
          this.#open.delete(token)
          stream.close()
        },
      }
      const sse = new Sse(response, { head, heartbeatMs, mostBytes, closing })
      const stream = new EventStream(sse, mostOfConnection)
      this.#open.set(token, stream)
    }
  }

  get(token: string): EventStream | undefined {
    return this.#open.get(token)
  }

  /** Asks the clients of all streams to reconnect. */
  drain(): void {
    for (const stream of this.#open.values()) stream.drain()
  }

  /** A token contains its expiry and our signature. */
  #signed(text: string): string {
    return `${text}.${createHmac('sha256', this.#key).update(text).digest('base64url')}`
  }

  #isGood(token: string): boolean {
    const text = token.slice(0, token.lastIndexOf('.'))
    const [given, expected] = [Buffer.from(token), Buffer.from(this.#signed(text))]
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
    return performance.now() <= Number(text.slice(0, text.indexOf('.')))
  }
}

/** An operation of a stream: its request while it begins, then its subscription. */
export interface StreamOperation {
  readonly id: string
  running: GatewayRequest | Subscriber | undefined
}

export class EventStream {
  subscriptions = 0
  readonly #sse: Sse
  readonly #most: number
  readonly #operations = new Map<string, StreamOperation>()
  #isRestarting = false

  constructor(sse: Sse, most: number) {
    this.#sse = sse
    this.#most = most
  }

  /** Takes an id for an operation; undefined if it is taken, or there are too many. */
  take(id: string): StreamOperation | undefined {
    if (this.#operations.has(id) || this.#operations.size >= this.#most) return undefined
    const operation: StreamOperation = { id, running: undefined }
    this.#operations.set(id, operation)
    return operation
  }

  /** Cancels its request when the client ends it. */
  started(operation: StreamOperation, request: GatewayRequest): void {
    operation.running = request
    if (!this.#has(operation)) leave(operation)
  }

  attach(operation: StreamOperation, subscriber: Subscriber): void {
    operation.running = subscriber
    // The client ended it while it began.
    if (!this.#has(operation)) {
      leave(operation)
      return
    }
    const head = headOf(operation)
    pump(subscriber, {
      stream: this.#sse.stream,
      event: ({ body }) => this.#sse.send({ event: 'next', data: [head, body, objectEnd] }),
      end: (end) => {
        this.#operations.delete(operation.id)
        if (end.kind === 'restart') {
          this.#restart()
          return
        }
        if (end.kind === 'failed')
          this.#sse.send({ event: 'next', data: [head, jsonText({ errors: [end.error] }), objectEnd] })
        this.#complete(operation)
      },
    })
  }

  /** Sends the one result of an operation. One without data may be refused because of the restart. */
  answer(operation: StreamOperation, body: JsonText, hasData: boolean): void {
    if (!this.#has(operation)) return
    this.#operations.delete(operation.id)
    if (hasData || !this.#isRestarting) {
      const pieces = typeof body === 'string' ? [body] : body
      this.#sse.send({ event: 'next', data: [headOf(operation), ...pieces, objectEnd] })
      this.#complete(operation)
    }
    if (this.#isRestarting) this.#restart()
  }

  /**
   * Ends the whole stream when the results of its requests are sent. A client takes up its subscriptions again with a new
   * one.
   */
  #restart(): void {
    this.#isRestarting = true
    for (const { running } of this.#operations.values()) if (!(running instanceof Subscriber)) return
    this.#sse.retry(retryMs())
    this.#sse.end()
  }

  /** The server stops: the stream ends with its operations, all of which end now. */
  drain(): void {
    this.#isRestarting = true
    if (this.#operations.size === 0) this.#restart()
  }

  /** Ends an operation for its client; false if there is none. */
  stop(id: string): boolean {
    const operation = this.#operations.get(id)
    if (operation === undefined) return false
    this.#operations.delete(id)
    leave(operation)
    if (this.#isRestarting) this.#restart()
    return true
  }

  close(): void {
    const operations = [...this.#operations.values()]
    this.#operations.clear()
    for (const operation of operations) leave(operation)
  }

  /** Whether it is under way. Another one may have its id by now. */
  #has(operation: StreamOperation): boolean {
    return this.#operations.get(operation.id) === operation
  }

  #complete({ id }: StreamOperation): void {
    this.#sse.send({ event: 'complete', data: jsonText({ id }) })
  }
}

function leave({ running }: StreamOperation): void {
  if (running instanceof Subscriber) running.closed()
  else running?.cancel()
}

const headOf = ({ id }: StreamOperation) => asByteString(`{"id":${byteString(JSON.stringify(id))},"payload":`)
const objectEnd = asByteString('}')
