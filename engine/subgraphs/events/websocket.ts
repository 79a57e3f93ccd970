/**
 * A subscription by `graphql-transport-ws`, with the client of the protocol's author (`graphql-ws`) over `ws`. Each
 * subscription has its own connection, because credentials, bounds and waiting events belong to one subscription.
 */
import type { IncomingMessage } from 'node:http'
import { createClient } from 'graphql-ws'
import { type CloseEvent, type ErrorEvent, WebSocket } from 'ws'
import { tesseraError } from '../../../shared/errors.ts'
import type { TlsOptions } from '../../../shared/http/client.ts'
import { retryAfterSeconds } from '../../../shared/http/retry.ts'
import { beyondBounds, webSocketBounds } from '../../../shared/http/websocket-bounds.ts'
import { parseExactly } from '../../../shared/json/exact-number.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { asError } from '../../../shared/runtime/thrown.ts'
import type { ErrorReader } from '../http/subgraph-errors.ts'
import {
  type ConnectionEnd,
  type ConnectionListener,
  type EventConnection,
  type Subscribing,
  violated,
} from './connection.ts'
import { errorOf } from './sse.ts'

interface WebSocketOptions {
  readonly name: string
  /** With the scheme ws or wss. */
  readonly url: string
  readonly mostBytes: number
  readonly ackMs: number
  /** The time between pings. If a ping is not answered before the next one, the connection is lost. */
  readonly pingMs: number
  readonly tls: TlsOptions | undefined
  readonly errorFrom: ErrorReader
}

/**
 * Close codes after which the same operation would fail again: client errors of the protocol, and messages that are
 * too large or cannot be read.
 */
const permanentCodes: ReadonlySet<number> = new Set([
  1002, 1003, 1007, 1009, 1010, 4004, 4005, 4400, 4401, 4403, 4406, 4409, 4429,
])
const refusedCodes: ReadonlySet<number> = new Set([4401, 4403])

interface SocketSubscribing extends Subscribing {
  /** The headers of the request that opens the connection. */
  readonly headers: Readonly<Record<string, string>>
  /** The payload of `connection_init`. */
  readonly payload: Readonly<Record<string, string>>
}

export class SubgraphWebSocket implements EventConnection {
  readonly #listener: ConnectionListener
  readonly #name: string
  readonly #mostBytes: number
  #socket: WebSocket | undefined
  #isOver = false
  #isPaused = false
  #isAlive = true
  #lastBytes = 0
  /** The messages in the current time between pings that were no events. */
  #others = 0
  #pings: NodeJS.Timeout | undefined
  #stop = (): void => {}

  constructor(options: WebSocketOptions, sent: SocketSubscribing, listener: ConnectionListener) {
    this.#listener = listener
    const { name, ackMs, pingMs, errorFrom } = options
    this.#name = name
    this.#mostBytes = options.mostBytes
    const client = createClient({
      url: options.url,
      webSocketImpl: socketClass(options, sent.headers, (socket) => this.#watch(socket)),
      connectionParams: { ...sent.payload },
      connectionAckWaitTimeout: ackMs,
      // A connection has one operation.
      generateID: () => operationId,
      lazyCloseTimeout: 0,
      // `source.ts`, which knows the events, decides on reconnections.
      retryAttempts: 0,
      on: {
        message: (message) => {
          if (message.type !== 'next' || message.id !== operationId) this.#countOther()
        },
        connected: () => {
          if (this.#isOver) return
          this.#pings = setInterval(() => {
            // Also if it is paused: a busy subscription may be at each of these moments.
            this.#others = 0
            if (this.#isPaused || this.#socket?.readyState !== WebSocket.OPEN) return
            if (!this.#isAlive) {
              this.#lost(new Error(`no pong for ${pingMs} ms`))
              this.#socket.terminate()
              return
            }
            this.#isAlive = false
            this.#socket.ping()
          }, pingMs).unref()
          listener.opened()
        },
        closed: (event) => {
          const { code, reason } = event as CloseEvent
          const cause = new Error(`the WebSocket was closed with ${code} ${reason}`.trim())
          if (refusedCodes.has(code))
            this.#finish({
              kind: 'failed',
              error: tesseraError(
                code === 4401 ? 'UNAUTHENTICATED' : 'FORBIDDEN',
                `The subgraph ${this.#name} refuses the subscription.`,
                { service: this.#name, cause },
              ),
            })
          else if (permanentCodes.has(code))
            this.#fail(`The subgraph ${this.#name} closed the connection because of a protocol error.`, cause)
          else this.#lost(cause)
        },
      },
    })
    const { query, operationName, variables, onError, lastEventId } = sent
    this.#stop = client.subscribe(
      {
        query,
        ...(operationName === undefined ? {} : { operationName }),
        variables: { ...variables },
        ...(onError === undefined ? {} : { onError }),
        ...(lastEventId === undefined ? {} : { extensions: { lastEventId } }),
      },
      {
        next: (payload) => {
          if (!this.#isOver) listener.event({ payload, bytes: this.#lastBytes, id: undefined })
        },
        error: (given) => {
          if (Array.isArray(given)) {
            const [first = {}] = given as readonly unknown[]
            this.#finish({ kind: 'failed', error: errorOf(errorFrom(first)) })
          } else if (isErrorEvent(given)) this.#lost(asError(given.error))
          else if (given instanceof Error)
            this.#fail(`The subgraph ${this.#name} violated the protocol.`, given)
          else this.#lost(undefined)
        },
        complete: () => this.#finish({ kind: 'complete' }),
      },
    )
  }

  pause(): void {
    if (this.#isOver || this.#isPaused) return
    this.#isPaused = true
    this.#socket?.pause()
  }

  resume(): void {
    if (this.#isOver || !this.#isPaused) return
    this.#isPaused = false
    this.#isAlive = true
    this.#socket?.resume()
  }

  close(): void {
    this.#finish()
  }

  #finish(end?: ConnectionEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#pings)
    if (this.#isPaused) this.#socket?.resume()
    this.#stop()
    // The socket is terminated if the subgraph does not close its side in time.
    const last = this.#socket
    if (last !== undefined) setTimeout(() => last.terminate(), closeMs).unref()
    if (end !== undefined) this.#listener.ended(end)
  }

  #lost(cause: Error | undefined, status = 0, retryAfter?: number): void {
    this.#finish({ kind: 'lost', status, retryAfter, cause })
  }

  #fail(message: string, cause?: Error): void {
    this.#finish(violated(this.#name, message, cause))
  }

  /** The library answers each ping with its payload, whether the subgraph reads that or not. */
  #countOther(): void {
    this.#others += 1
    const waiting = this.#socket?.bufferedAmount ?? 0
    if (this.#others <= mostOthers && waiting <= this.#mostBytes) return
    this.#fail(`The subgraph ${this.#name} sends too many messages that are no events.`)
    this.#socket?.terminate()
  }

  #watch(socket: WebSocket): void {
    this.#socket = socket
    socket.on('unexpected-response', (request: { destroy(): void }, response: IncomingMessage) => {
      const status = response.statusCode ?? 0
      request.destroy()
      if (status >= 500 || status === 429) this.#lost(undefined, status, retryAfterSeconds(response.headers))
      else this.#fail(`The subgraph ${this.#name} opens no WebSocket: it answered with status ${status}.`)
    })
    socket.on('error', (error: Error & { code?: string }) => {
      if (beyondBounds.has(error.code))
        this.#fail(`An event of the subgraph ${this.#name} is too large, or in too many pieces.`, error)
      else this.#lost(error)
    })
    // The library takes a parsed message as well as a text. Its own parsing would call a function for each value, which
    // takes ten times as long, and fails for a value of thousands of levels.
    let take: ((event: { readonly data: unknown }) => void) | null = null
    Object.defineProperty(socket, 'onmessage', {
      set: (given: typeof take) => {
        take = given
      },
    })
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      this.#lastBytes = data.length
      const text = isBinary ? '' : data.toString()
      take?.({ data: parsedJson(text, parseExactly) ?? text })
    })
    socket.on('ping', () => this.#countOther())
    socket.on('pong', () => {
      this.#isAlive = true
      this.#countOther()
    })
  }
}

function socketClass(
  options: WebSocketOptions,
  headers: Readonly<Record<string, string>>,
  watch: (socket: WebSocket) => void,
) {
  /** The library constructs it with only an address and a protocol. */
  return class SubgraphSocket extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, {
        headers: { ...headers },
        ...webSocketBounds(options.mostBytes),
        perMessageDeflate: false,
        handshakeTimeout: options.ackMs,
        followRedirects: false,
        ...options.tls,
      })
      watch(this)
    }
  }
}

/** The most messages in the time between two pings that are no events of the operation. A server sends some pings in it. */
const mostOthers = 1000

const operationId = '1'

/** The most time for a subgraph to close its side. */
const closeMs = 2000

const isErrorEvent = (value: unknown): value is ErrorEvent =>
  typeof value === 'object' && value !== null && 'error' in value && 'message' in value
