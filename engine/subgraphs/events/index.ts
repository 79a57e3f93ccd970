/**
 * Subscriptions of a remote subgraph, by `graphql-transport-ws` or server-sent events, with the headers, circuit
 * breaker and error rules of queries. Events are bounded, and not read faster than they are taken.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import { cancelReason } from '../../../shared/http/cancellation.ts'
import { createHttpClient, type HttpClient, type HttpResult } from '../../../shared/http/client.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { mostErrors } from '../../executor/error-list.ts'
import { copy } from '../../executor/merge.ts'
import type { GatewayRequest } from '../../request.ts'
import { withoutDebugKeys } from '../http/debug-keys.ts'
import { type Guard, NotSent } from '../http/guard.ts'
import { failed } from '../http/read-response.ts'
import type { ErrorReader } from '../http/subgraph-errors.ts'
import type { HttpTransportOptions } from '../http/transport-options.ts'
import type { SourceEvent, SubgraphEvents, SubgraphOperation, SubgraphResult } from '../subgraph-fetch.ts'
import {
  type ConnectionEnd,
  type ConnectionListener,
  type EventConnection,
  neverOpen,
  type ReceivedEvent,
  type RemoteEventsSettings,
} from './connection.ts'
import { RemoteSource } from './source.ts'
import { connectSse, errorOf, sseBody } from './sse.ts'
import { SubgraphWebSocket } from './websocket.ts'

/** What events share with the queries of their subgraph. */
interface SharedWithQueries {
  readonly guard: Guard | undefined
  readonly errorFrom: ErrorReader
  /** The value of `onError` for the subgraph. Undefined if it does not get it. */
  readonly onErrorOf: (request: GatewayRequest) => string | undefined
  readonly reached: (reached: boolean) => void
}

const longestDelayMs = 30_000
/** The number of ports to one address. The number of subscriptions is bounded elsewhere. */
const mostStreams = 65_535
/** The most characters of an event's id and key. */
const longestName = 512
/** Headers of the request that opens a WebSocket which are not in the payload of `connection_init`. */
const requestOnlyHeaders: ReadonlySet<string> = new Set([
  'tessera-signature',
  'x-request-id',
  'traceparent',
  'tracestate',
])

export class RemoteEvents {
  readonly #options: HttpTransportOptions
  readonly #shared: SharedWithQueries
  readonly #name: string
  readonly #settings: RemoteEventsSettings
  readonly #protocol
  readonly #url
  readonly #path
  /** Its address and settings. If any of them differs after a reload, the old events must not continue. */
  readonly #source
  readonly #webSocketUrl
  readonly #mostBytes
  readonly #ackMs
  readonly #sources = new Set<RemoteSource>()
  // Separate from the connections for queries, because each stream occupies one.
  #streams: HttpClient | undefined

  constructor(options: HttpTransportOptions, shared: SharedWithQueries) {
    this.#options = options
    this.#shared = shared
    this.#name = options.name
    this.#settings = options.events ?? {}
    this.#protocol = this.#settings.protocol ?? 'websocket'
    this.#url = new URL(this.#settings.url ?? options.url)
    const ofSockets = /^wss?:$/.test(this.#url.protocol)
    const isSecure = this.#url.protocol === 'https:' || this.#url.protocol === 'wss:'
    if (this.#protocol === 'sse' && ofSockets)
      throw new Error(
        `The subgraph ${this.#name} is subscribed to by server-sent events: expected an http address.`,
      )
    this.#path = `${this.#url.pathname}${this.#url.search}`
    const { takesOnError = false, passErrors = false, credentials = '' } = options
    const settings = JSON.stringify([takesOnError, passErrors, credentials])
    this.#source = `${this.#protocol} ${this.#url.origin}${this.#path} ${settings}`
    this.#webSocketUrl = `${isSecure ? 'wss' : 'ws'}://${this.#url.host}${this.#path}`
    this.#mostBytes = this.#settings.eventBytes ?? 4_194_304
    this.#ackMs = this.#settings.ackMs ?? 10_000
  }

  subscribe(operation: SubgraphOperation): SubgraphEvents {
    return {
      source: `${this.#source} ${operation.text}`,
      sourceVariables: operation.variableNames,
      outlivesTransport: false,
      open: async (variables, request) => {
        const token = (): string | undefined => request.header('authorization')
        let sentToken: string | undefined
        // A request that is cancelled already ends the source at once.
        let stop = (): void => {}
        const source: RemoteSource = new RemoteSource({
          name: this.#name,
          mostEvents: this.#settings.waitingEvents ?? 100,
          mostBytes: this.#mostBytes,
          reconnects: this.#settings.reconnects ?? 10,
          delayMs: this.#settings.delayMs ?? 250,
          longestDelayMs,
          resumeAfter: request.resumeAfter,
          random: Math.random,
          isRenewed: () => token() !== sentToken,
          eventFrom: this.#eventFrom,
          noted: (what) => this.#options.noted?.(what),
          connect: (lastEventId, listener) => {
            sentToken = token()
            return this.#guarded(request, listener, (watching) =>
              this.#connect(operation, variables, request, lastEventId, watching),
            )
          },
          closed: () => {
            this.#sources.delete(source)
            stop()
          },
        })
        this.#sources.add(source)
        stop = request.onCancel(() => void source.return())
        try {
          await source.open()
        } catch (error) {
          if (!request.cancelled) this.#options.noted?.('refused')
          throw error
        }
        this.#options.noted?.('opened')
        return source
      },
      result: ({ payload }) =>
        payload === undefined
          ? failed(this.#name, 'UPSTREAM_BAD_RESPONSE', `The subgraph ${this.#name} sent no result.`)
          : copyOf(payload as SubgraphResult),
    }
  }

  async close(): Promise<void> {
    const message = 'The gateway reaches the subgraph in another way now: subscribe again.'
    for (const source of [...this.#sources])
      source.stop(tesseraError('SUBSCRIPTION_RESTART', message, { service: this.#name }))
    await this.#streams?.close()
  }

  #streamClient(): HttpClient {
    this.#streams ??= createHttpClient(this.#url, {
      connections: mostStreams,
      connectTimeoutMs: Math.min(5000, this.#ackMs),
      http2: this.#url.protocol === 'https:',
      tls: this.#options.tls,
    })
    return this.#streams
  }

  async #connect(
    operation: SubgraphOperation,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
    lastEventId: string | undefined,
    listener: ConnectionListener,
  ): Promise<EventConnection> {
    const { text: query, name: operationName } = operation
    const onError = this.#shared.onErrorOf(request)
    const sent = { query, operationName, variables, onError, lastEventId }
    if (this.#protocol === 'websocket') {
      const headers = (await this.#options.headers?.(request, '', { method: 'GET', path: this.#path })) ?? {}
      const payload = Object.fromEntries(
        Object.entries(headers).filter(([key]) => !requestOnlyHeaders.has(key)),
      )
      const { pingMs = 15_000 } = this.#settings
      const socketOptions = {
        name: this.#name,
        url: this.#webSocketUrl,
        mostBytes: this.#mostBytes,
        ackMs: this.#ackMs,
        pingMs,
        tls: this.#options.tls,
        errorFrom: this.#shared.errorFrom,
      }
      return new SubgraphWebSocket(socketOptions, { ...sent, headers, payload }, listener)
    }
    const body = sseBody(sent)
    const headers = (await this.#options.headers?.(request, body, { method: 'POST', path: this.#path })) ?? {}
    const { idleMs } = this.#settings
    const sseOptions = {
      name: this.#name,
      client: this.#streamClient(),
      path: this.#path,
      mostBytes: this.#mostBytes,
      idleMs,
      errorFrom: this.#shared.errorFrom,
    }
    return connectSse(sseOptions, { body, headers, lastEventId }, listener)
  }

  /** Opens one connection through the guard, which counts the result of the opening. */
  async #guarded(
    request: GatewayRequest,
    listener: ConnectionListener,
    begin: (watching: ConnectionListener) => Promise<EventConnection>,
  ): Promise<EventConnection> {
    let connection: EventConnection | undefined
    /** The end of the last attempt that the guard may repeat. */
    let last: ConnectionEnd | undefined
    const attempt = async (): Promise<HttpResult> => {
      const { promise: opening, resolve } = Promise.withResolvers<HttpResult>()
      let isOpening = true
      let stop = (): void => {}
      const over = (exchanged: HttpResult): void => {
        if (!isOpening) return
        isOpening = false
        clearTimeout(timer)
        stop()
        resolve(exchanged)
      }
      const giveUp = (loss: 'timeout' | 'cancelled'): void => {
        last = neverOpen(new Error(`not open: ${loss}`))
        over({ ...opened, status: 0, loss })
        connection?.close()
      }
      const timer = setTimeout(() => giveUp('timeout'), this.#ackMs)
      stop = request.onCancel(() => giveUp(cancelReason(request)))
      connection = await begin({
        ...listener,
        opened() {
          if (!isOpening) return
          over(opened)
          listener.opened()
        },
        ended(end) {
          if (!isOpening) {
            listener.ended(end)
            return
          }
          last = end
          over(exchangedFrom(end))
        },
      })
      // The attempt ended while its headers were made.
      if (!isOpening && last !== undefined) connection.close()
      return opening
    }
    const { guard } = this.#shared
    const deadline = Math.min(request.deadline, performance.now() + this.#ackMs)
    const exchanged = await (guard === undefined ? attempt() : guard.run(true, request, deadline, attempt))
    // A cancellation or timeout of the caller says nothing about the subgraph.
    if (exchanged.loss !== 'cancelled' && exchanged.loss !== 'timeout')
      this.#shared.reached(exchanged.loss === undefined)
    if (exchanged === opened && connection !== undefined) return connection
    const { cause } = exchanged
    if (cause instanceof NotSent) listener.ended(neverOpen(cause, cause.retryAfter))
    else listener.ended(last ?? neverOpen(cause))
    return closed
  }

  readonly #eventFrom = ({ payload, id: own }: ReceivedEvent): SourceEvent | GraphQLError => {
    if (!isObject(payload) || (payload.data != null && !isObject(payload.data)))
      return tesseraError(
        'UPSTREAM_BAD_RESPONSE',
        `The subgraph ${this.#name} sent an event that is not a result.`,
        {
          service: this.#name,
        },
      )
    const { data, errors } = payload
    // A result without `data` means that the subscription itself is refused.
    const written: readonly unknown[] = Array.isArray(errors) ? errors : []
    if (!Object.hasOwn(payload, 'data')) return errorOf(this.#shared.errorFrom(written[0]))
    const result: SubgraphResult = {
      data: data as Record<string, unknown> | null,
      errors: written.slice(0, mostErrors).map(this.#shared.errorFrom),
      moreErrors: written.length > mostErrors,
    }
    const { eventId, eventKey, eventOwn, ...more } = isObject(payload.extensions) ? payload.extensions : {}
    const { extensions } = withoutDebugKeys(this.#options.passExtensions === true ? more : {})
    const passed = Object.keys(extensions).length > 0 ? extensions : undefined
    return {
      payload: result,
      id: nameFrom(own ?? eventId),
      key: nameFrom(eventKey),
      own: eventOwn === true,
      extensions: passed,
    }
  }
}

const opened: HttpResult = {
  loss: undefined,
  wasSent: true,
  status: 200,
  headers: {},
  body: Buffer.alloc(0),
  cause: undefined,
}

const closed: EventConnection = { pause() {}, resume() {}, close() {} }

/** The result of an opening, as the guard judges it. A subgraph that refuses has been reached. */
function exchangedFrom(end: ConnectionEnd): HttpResult {
  if (end.kind !== 'lost') return { ...opened, status: 400 }
  const { status, retryAfter, cause } = end
  if (status === 0) return { ...opened, loss: 'connection', status: 0, cause }
  return {
    ...opened,
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    cause,
  }
}

function nameFrom(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= longestName ? value : undefined
}

/** A result belongs to its receiver, and each group of subscribers receives one. */
function copyOf({ data, errors, moreErrors }: SubgraphResult): SubgraphResult {
  return { data: copy(data), errors, moreErrors }
}
