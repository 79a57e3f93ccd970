/**
 * A subscription by server-sent events, in the "distinct connections mode" of GraphQL over SSE: the operation is sent
 * by POST like a query, and the response is its events.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { GraphQLError } from 'graphql'
import type { HttpClient, StreamController, StreamHandler } from '../../../shared/http/client.ts'
import { lossFrom } from '../../../shared/http/dispatch-request.ts'
import { EventStreamReader } from '../../../shared/http/event-stream.ts'
import { GatheredBytes } from '../../../shared/http/gathered-bytes.ts'
import { codingsIn, joinHeaderLines, mostInterim } from '../../../shared/http/response-headers.ts'
import { retryAfterSeconds } from '../../../shared/http/retry.ts'
import { parseExactly } from '../../../shared/json/exact-number.ts'
import { asError } from '../../../shared/runtime/thrown.ts'
import { read } from '../http/read-response.ts'
import type { ErrorReader } from '../http/subgraph-errors.ts'
import type { SubgraphError } from '../subgraph-fetch.ts'
import {
  type ConnectionEnd,
  type ConnectionListener,
  type EventConnection,
  type Subscribing,
  violated,
} from './connection.ts'

interface SseOptions {
  readonly name: string
  readonly client: HttpClient
  readonly path: string
  readonly mostBytes: number
  readonly idleMs: number | undefined
  readonly errorFrom: ErrorReader
}

/** The most bytes of a response that is not a stream. */
const mostAnswerBytes = 1_048_576

/** The body of the request, which is also signed. */
export function sseBody({ query, operationName, variables, onError, lastEventId }: Subscribing): string {
  const extensions = lastEventId === undefined ? undefined : { lastEventId }
  return JSON.stringify({ query, operationName, variables, onError, extensions })
}

export function connectSse(
  options: SseOptions,
  sent: {
    readonly body: string
    readonly headers: Readonly<Record<string, string>>
    readonly lastEventId: string | undefined
  },
  listener: ConnectionListener,
): EventConnection {
  const handler = new SseConnection(options, listener)
  const headers = ['content-type', 'application/json', 'accept', 'text/event-stream']
  // Servers with CSRF prevention require a header that foreign pages cannot send.
  headers.push('apollo-require-preflight', 'true')
  if (sent.lastEventId !== undefined && isHeaderText(sent.lastEventId))
    headers.push('last-event-id', Buffer.from(sent.lastEventId, 'utf8').toString('latin1'))
  for (const [key, value] of Object.entries(sent.headers)) headers.push(key, value)
  const { client, path } = options
  client.stream({ method: 'POST', path, headers, body: sent.body }, handler)
  return handler
}

/** `none` is not an HTTP coding. `graphql-sse` sends it so that proxies do not compress. */
const notCoded = 'none'

/**
 * After so many chunks and lines the stream is not read until the next turn of the event loop. Node reads up to 32 chunks
 * of a connection before it turns to another, and a chunk may have thousands of empty comments: everybody else would wait.
 */
const mostInTurn = 1000

const isHeaderText = (text: string): boolean => !/[\r\n\0]/.test(text)

class SseConnection implements EventConnection, StreamHandler {
  readonly #options: SseOptions
  readonly #listener: ConnectionListener
  readonly #reader: EventStreamReader
  #controller: StreamController | undefined
  #isOver = false
  #isStream = false
  /** Whether the waiting events are too many. */
  #isPaused = false
  /** The next turn of the event loop, in which more is read. */
  #resting: NodeJS.Immediate | undefined
  /** The chunks since the last rest, and the lines by then. */
  #chunks = 0
  #linesBefore = 0
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #interim = 0
  readonly #answer = new GatheredBytes(mostAnswerBytes)
  #idle: NodeJS.Timeout | undefined

  constructor(options: SseOptions, listener: ConnectionListener) {
    this.#options = options
    this.#listener = listener
    this.#reader = new EventStreamReader({
      mostBytes: options.mostBytes,
      event: ({ event, data, id }) => this.#take(event, data, id),
      retry: (milliseconds) => listener.retryMs(milliseconds),
    })
  }

  pause(): void {
    this.#isPaused = true
    clearTimeout(this.#idle)
    this.#controller?.pause()
  }

  resume(): void {
    if (this.#isOver) return
    this.#isPaused = false
    this.#expectMore()
    if (this.#resting === undefined) this.#controller?.resume()
  }

  close(): void {
    this.#isOver = true
    clearTimeout(this.#idle)
    clearImmediate(this.#resting)
    this.#controller?.abort(new Error('the subscription has ended'))
  }

  onRequestStart(controller: StreamController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('given up before it was sent'))
  }

  onResponseStart(_: StreamController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver) return
    if (status < 200) {
      this.#interim += 1
      if (this.#interim > mostInterim)
        this.#fail(`The subgraph ${this.#options.name} sent too many interim responses.`)
      return
    }
    this.#status = status
    if (!joinHeaderLines(headers)) {
      this.#fail(`The subgraph ${this.#options.name} sent two values for a header that may have only one.`)
      return
    }
    this.#headers = headers
    const type = headers['content-type'] ?? ''
    this.#isStream = status === 200 && /^text\/event-stream\s*(;|$)/i.test(type)
    if (!this.#isStream) return
    if (codingsIn(headers).some((coding) => coding !== notCoded)) {
      this.#fail(`The subgraph ${this.#options.name} sent events in a content coding that was not requested.`)
      return
    }
    this.#expectMore()
    this.#listener.opened()
  }

  onResponseData(_: StreamController, chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#isStream) {
      this.#expectMore()
      const isRead = this.#reader.read(chunk)
      if (!isRead && !this.#isOver) this.#fail(`An event of the subgraph ${this.#options.name} is too large.`)
      this.#restIfLong()
      return
    }
    if (!this.#answer.add(chunk))
      this.#fail(`The response of the subgraph ${this.#options.name} is too large.`)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    if (this.#isStream) this.#lost(undefined)
    else this.#answered()
  }

  onResponseError(_: StreamController | null, error: Error): void {
    if (this.#isOver) return
    // Events of a stream that has begun remain valid, and the stream may be resumed.
    if (this.#status === 0 && lossFrom(error) === 'garbled')
      this.#fail(`The response of the subgraph ${this.#options.name} cannot be read.`, error)
    else this.#lost(error)
  }

  #take(event: string, data: string, id: string | undefined): void {
    if (this.#isOver) return
    if (event === 'complete') {
      this.#end({ kind: 'complete' })
      return
    }
    if (event !== 'next') return
    let payload: unknown
    try {
      payload = parseExactly(data)
    } catch (error) {
      this.#fail(`The subgraph ${this.#options.name} sent an event that is not JSON.`, asError(error))
      return
    }
    this.#listener.event({ payload, bytes: data.length, id })
  }

  /** The subgraph responded with a result instead of events. */
  #answered(): void {
    const { name, errorFrom } = this.#options
    const retryAfter = retryAfterSeconds(this.#headers)
    const result = read(name, this.#status, retryAfter, this.#answer.take(), errorFrom)
    const [error] = result.errors ?? []
    if (this.#status >= 500 || this.#status === 429) this.#lost(error && errorOf(error))
    else if (error === undefined) this.#fail(`The subgraph ${name} did not answer with events.`)
    else this.#end({ kind: 'failed', error: errorOf(error) })
  }

  #restIfLong(): void {
    this.#chunks += 1
    const { lines } = this.#reader
    if (this.#isOver || this.#chunks + lines - this.#linesBefore < mostInTurn) return
    this.#chunks = 0
    this.#linesBefore = lines
    this.#controller?.pause()
    this.#resting ??= setImmediate(() => {
      this.#resting = undefined
      if (!this.#isPaused) this.#controller?.resume()
    })
  }

  #expectMore(): void {
    const { idleMs } = this.#options
    clearTimeout(this.#idle)
    if (idleMs === undefined) return
    this.#idle = setTimeout(() => {
      this.#controller?.abort(new Error('nothing came'))
      this.#lost(new Error(`nothing came for ${idleMs} ms`))
    }, idleMs).unref()
  }

  #fail(message: string, cause?: Error): void {
    this.#end(violated(this.#options.name, message, cause))
  }

  #lost(cause: Error | undefined): void {
    const retryAfter = retryAfterSeconds(this.#headers)
    this.#end({ kind: 'lost', status: this.#status === 200 ? 0 : this.#status, retryAfter, cause })
  }

  #end(end: ConnectionEnd): void {
    if (this.#isOver) return
    this.close()
    this.#listener.ended(end)
  }
}

/** Converts an error of a subgraph into one that ends a subscription, without a path. */
export function errorOf({ message, extensions, originalError }: SubgraphError): GraphQLError {
  return new GraphQLError(message, { extensions: { ...extensions }, originalError: originalError ?? null })
}
