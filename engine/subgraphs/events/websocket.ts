/**
 * A subscription by `graphql-transport-ws`, by the client of its author (`graphql-ws`) over `ws`. Each has a connection
 * of its own: credentials, bounds and what waits concern one subscription alone.
 */
import type { IncomingMessage } from 'node:http'
import { createClient } from 'graphql-ws'
import { type CloseEvent, type ErrorEvent, WebSocket } from 'ws'
import { tesseraError } from '../../../shared/errors.ts'
import { beyondBounds, messageBounds } from '../../../shared/http/message-bounds.ts'
import { retryAfterSeconds } from '../../../shared/http/retry.ts'
import { exactReviver } from '../../../shared/json/exact-number.ts'
import { asError } from '../../../shared/runtime/thrown.ts'
import type { ErrorReader } from '../http/subgraph-errors.ts'
import type {
  ConnectionEnd,
  ConnectionListener,
  ConnectionTls,
  EventConnection,
  Subscribing,
} from './connection.ts'
import { errorOf } from './sse.ts'

export interface WebSocketOptions {
  readonly name: string
  /** With the scheme ws or wss. */
  readonly url: string
  readonly mostBytes: number
  /** Until the subgraph has acknowledged the connection. */
  readonly ackMs: number
  /** How often a ping is sent; if it is not answered until the next one, the connection is lost. */
  readonly pingMs: number
  readonly tls: ConnectionTls | undefined
  readonly errorFrom: ErrorReader
}

/**
 * Close codes after which the same operation would be refused again: what the protocol says of the client's faults, and
 * messages that are too large or cannot be read.
 */
const lastingCodes: ReadonlySet<number> = new Set([
  1002, 1003, 1007, 1009, 1010, 4004, 4005, 4400, 4401, 4403, 4406, 4409, 4429,
])
const refusedCodes: ReadonlySet<number> = new Set([4401, 4403])

export function connectWebSocket(
  options: WebSocketOptions,
  sent: Subscribing & {
    /** Of the request that opens the connection. */
    readonly headers: Readonly<Record<string, string>>
    /** Of `connection_init`. */
    readonly payload: Readonly<Record<string, string>>
  },
  listener: ConnectionListener,
): EventConnection {
  const { name, mostBytes, ackMs, pingMs, tls, errorFrom } = options
  let socket: WebSocket | undefined
  let isOver = false
  let isPaused = false
  let isAlive = true
  let lastBytes = 0
  let pings: NodeJS.Timeout | undefined
  let stop = (): void => {}

  const finish = (end?: ConnectionEnd): void => {
    if (isOver) return
    isOver = true
    clearInterval(pings)
    if (isPaused) socket?.resume()
    stop()
    // Who does not close its side is not waited for.
    const last = socket
    if (last !== undefined) setTimeout(() => last.terminate(), closeMs).unref()
    if (end !== undefined) listener.ended(end)
  }
  const lost = (cause: Error | undefined, status = 0, retryAfter?: number): void =>
    finish({ kind: 'lost', status, retryAfter, cause })
  const fail = (message: string, cause?: Error): void =>
    finish({
      kind: 'failed',
      error: tesseraError('UPSTREAM_BAD_RESPONSE', message, { service: name, cause }),
    })

  /** As the library makes it: with an address and a protocol alone. */
  class SubgraphSocket extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, {
        headers: { ...sent.headers },
        ...messageBounds(mostBytes),
        perMessageDeflate: false,
        handshakeTimeout: ackMs,
        followRedirects: false,
        ...tls,
      })
      socket = this
      this.on('unexpected-response', (request: { destroy(): void }, response: IncomingMessage) => {
        const status = response.statusCode ?? 0
        const retryAfter = retryAfterSeconds(response.headers)
        request.destroy()
        if (status >= 500 || status === 429) lost(undefined, status, retryAfter)
        else fail(`The subgraph ${name} opens no WebSocket: it answered with status ${status}.`)
      })
      this.on('error', (error: Error & { code?: string }) => {
        if (beyondBounds.has(error.code))
          fail(`An event of the subgraph ${name} is too large, or in too many pieces.`, error)
        else lost(error)
      })
      // Before the library reads it.
      this.on('message', (data: Buffer) => {
        lastBytes = data.length
      })
      this.on('pong', () => {
        isAlive = true
      })
    }
  }

  const client = createClient({
    url: options.url,
    webSocketImpl: SubgraphSocket,
    connectionParams: { ...sent.payload },
    connectionAckWaitTimeout: ackMs,
    lazyCloseTimeout: 0,
    // What is tried again, and from where, is decided by the module that knows the events.
    retryAttempts: 0,
    jsonMessageReviver: exactReviver as (key: string, value: unknown) => unknown,
    on: {
      connected() {
        if (isOver) return
        pings = setInterval(() => {
          if (isPaused || socket?.readyState !== WebSocket.OPEN) return
          if (!isAlive) {
            lost(new Error(`no pong for ${pingMs} ms`))
            socket.terminate()
            return
          }
          isAlive = false
          socket.ping()
        }, pingMs).unref()
        listener.opened()
      },
      closed(event) {
        const { code, reason } = event as CloseEvent
        const cause = new Error(`the WebSocket was closed with ${code} ${reason}`.trim())
        if (refusedCodes.has(code))
          finish({
            kind: 'failed',
            error: tesseraError(
              code === 4401 ? 'UNAUTHENTICATED' : 'FORBIDDEN',
              `The subgraph ${name} refuses the subscription.`,
              { service: name, cause },
            ),
          })
        else if (lastingCodes.has(code)) fail(`The subgraph ${name} and the gateway do not agree.`, cause)
        else lost(cause)
      },
    },
  })
  const { query, operationName, variables, lastEventId } = sent
  stop = client.subscribe(
    {
      query,
      ...(operationName === undefined ? {} : { operationName }),
      variables: { ...variables },
      ...(lastEventId === undefined ? {} : { extensions: { lastEventId } }),
    },
    {
      next(payload) {
        if (!isOver) listener.event({ payload, bytes: lastBytes, id: undefined })
      },
      error(given) {
        if (Array.isArray(given)) {
          const [first = {}] = given as readonly unknown[]
          finish({ kind: 'failed', error: errorOf(errorFrom(first)) })
        } else if (isErrorEvent(given)) lost(asError(given.error))
        else if (given instanceof Error) fail(`The subgraph ${name} broke the protocol.`, given)
        else lost(undefined)
      },
      complete: () => finish({ kind: 'complete' }),
    },
  )
  return {
    pause() {
      if (isOver || isPaused) return
      isPaused = true
      socket?.pause()
    },
    resume() {
      if (isOver || !isPaused) return
      isPaused = false
      isAlive = true
      socket?.resume()
    },
    close: () => finish(),
  }
}

/** How long a subgraph has to close its side. */
const closeMs = 2000

const isErrorEvent = (value: unknown): value is ErrorEvent =>
  typeof value === 'object' && value !== null && 'error' in value && 'message' in value
