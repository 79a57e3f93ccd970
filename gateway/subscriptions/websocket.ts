/**
 * Serves `graphql-transport-ws` at the address of the graph, with the library of the protocol's author (`graphql-ws`)
 * over `ws`. This file has all sockets: who may open one, how operations begin, heartbeats, and the end of a
 * server. `websocket-client.ts` has one of them.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutionArgs, FormattedExecutionResult, GraphQLError } from 'graphql'
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer, type SubscribePayload } from 'graphql-ws'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { tesseraError } from '../../shared/errors.ts'
import { webSocketBounds } from '../../shared/http/websocket-bounds.ts'
import { isTooDeep } from '../../shared/json/too-deep.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import { type ClientAddress, directAddress } from '../auth/client-address.ts'
import { paramsFrom } from '../graphql-http/negotiation.ts'
import { busyRefusal, type Gate, passed } from '../overload/index.ts'
import { maskError } from '../pipeline/mask.ts'
import type { Logger } from '../telemetry/log.ts'
import type { SubscriptionSettings } from './config.ts'
import { Caller, Subscriber } from './index.ts'
import type { StartInput } from './start-operation.ts'
import {
  type Beginning,
  Client,
  type ClientHost,
  type Extra,
  forgetBeginning,
  headersIn,
  type UpgradeRequest,
} from './websocket-client.ts'
import { type Begun, type Execution, executionOf, restart, restartCode } from './websocket-results.ts'

export interface WebSocketOptions {
  /** Begins an operation. Never rejects. */
  readonly startOperation: (input: StartInput) => Promise<Begun>
  /** The gate through which operations begin, as HTTP requests do. */
  readonly gate: Gate
  readonly authenticator: Authenticator
  /** That of the connection by default. */
  readonly clientAddress?: ClientAddress | undefined
  /** Whether a client may open a connection; undefined admits all. Its payload counts as headers if `payload` is true. */
  readonly admit?:
    | ((
        request: UpgradeRequest,
        payload: Readonly<Record<string, unknown>> | undefined,
      ) => { readonly payload: boolean } | undefined)
    | undefined
  /** Headers that a client may send in the payload of `connection_init`, in lower case. */
  readonly payloadHeaders: () => readonly string[]
  readonly settings: SubscriptionSettings
  readonly maxMessageBytes: number
  /** Parses messages; by default, numbers that JSON would round are refused. */
  readonly parse?: ClientHost['parse']
  readonly log: Logger
}

/** The library keeps the id of an operation as long as the operation. */
const longestOperationId = 200
/** The close code of a server that cannot accept a connection now. Clients connect again. */
const tryAgainLater = 1013

const initMs = 10_000
/** How long a client has to close its side. */
const lastMs = 400
/** How often it is checked whether all results are sent. */
const lookMs = 50

/** The listeners, the same functions for all sockets. */
function listenersOf(
  connections: Map<WebSocket, Client>,
  silent: Map<Extra, number>,
  isFull: (socket: WebSocket) => boolean,
  log: Logger,
) {
  function onPing(this: WebSocket): void {
    isFull(this)
  }

  function onPong(this: WebSocket): void {
    const client = connections.get(this)
    if (client !== undefined) client.isAlive = true
  }

  function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
    connections.get(this)?.take(isBinary ? '' : String(data))
  }

  function onClose(this: WebSocket, code: number, reason: Buffer): void {
    const client = connections.get(this)
    if (client === undefined) return
    const { extra, closed } = client
    connections.delete(this)
    silent.delete(extra)
    // Operations of a client that was asked to reconnect go on: it has not left them, and some may be mutations.
    if (code !== restartCode) for (const { request } of extra.beginnings?.values() ?? []) request?.cancel()
    Promise.resolve(closed(code, String(reason))).catch((error: unknown) =>
      log.error({ request: extra.id, err: error }, 'cleaning up a WebSocket failed'),
    )
  }

  return { onPing, onPong, onMessage, onClose }
}

export class WebSockets {
  readonly #options: WebSocketOptions
  readonly #connections = new Map<WebSocket, Client>()
  /** Those that have not sent `connection_init`, and since when they might. */
  readonly #silent = new Map<Extra, number>()
  readonly #server
  readonly #clients: ClientHost
  readonly #listeners
  readonly #timer
  readonly #initTimer
  #isDraining = false

  constructor(options: WebSocketOptions) {
    this.#options = options
    const { log, settings } = options
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      // One message of a connection in each turn of the event loop. A chunk may have thousands of tiny ones, and everybody
      // else would wait until all of them are read.
      allowSynchronousEvents: false,
      ...webSocketBounds(options.maxMessageBytes),
      handleProtocols: (protocols) =>
        protocols.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false,
    })
    this.#clients = {
      opened: (client) => protocol.opened(client, client.extra),
      pong: this.#pong,
      isFull: this.#isFull,
      parse: options.parse,
      log,
    }
    this.#listeners = listenersOf(this.#connections, this.#silent, this.#isFull, log)
    this.#timer = setInterval(() => {
      for (const [socket, client] of this.#connections) {
        if (!client.isAlive || socket.bufferedAmount > settings.waitingBytes) socket.terminate()
        else if (socket.readyState === socket.OPEN) {
          client.isAlive = false
          socket.ping()
        }
      }
    }, settings.heartbeatMs)
    this.#timer.unref()
    this.#initTimer = setInterval(() => {
      const at = performance.now()
      for (const [{ socket }, since] of this.#silent) {
        if (at - since < initMs) break
        socket.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout')
      }
    }, initMs / 10)
    this.#initTimer.unref()
    const protocol = makeServer<Record<string, unknown> | undefined, Extra>({
      // One timer checks all connections.
      connectionInitWaitTimeout: 0,
      onConnect: ({ connectionParams, extra }) =>
        this.#connect(extra, connectionParams).finally(() => release(connectionParams)),
      onSubscribe: ({ extra, subscriptions }, operationId, payload) =>
        this.#subscribe(extra, Object.keys(subscriptions).length, operationId, payload),
      subscribe: ((args: Execution) => args.made) as never,
      execute: ((args: Execution) => args.made) as never,
      // As it is: the library would make a plain object of it.
      onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
    })
  }

  async #connect(extra: Extra, payload: Readonly<Record<string, unknown>> | undefined): Promise<boolean> {
    this.#silent.delete(extra)
    const { admit = () => ({ payload: true }) } = this.#options
    const admitted = admit(extra.request, payload)
    if (admitted === undefined) {
      extra.socket.close(CloseCode.Unauthorized, 'Unauthorized')
      return false
    }
    const { authenticator, payloadHeaders } = this.#options
    const allowed = ['authorization', 'dpop', ...payloadHeaders()]
    const given = headersIn(admitted.payload ? payload : undefined, allowed)
    const caller = new Caller(authenticator, extra.request, given)
    extra.caller = caller
    try {
      const shown = caller.shown(extra.request, caller.header('dpop'))
      caller.noteEnd(await authenticator.authenticate(caller.header('authorization'), shown))
      return true
    } catch (error) {
      const { message, extensions } = maskError(error, extra.id, this.#options.log)
      // Clients give up, and ask for another token, only if theirs is wrong.
      const code = extensions.code === 'UNAUTHENTICATED' ? CloseCode.Unauthorized : tryAgainLater
      extra.socket.close(code, message.slice(0, 100))
      return false
    }
  }

  /** `operations`: how many the connection has. */
  async #subscribe(
    extra: Extra,
    operations: number,
    operationId: string,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const { mostOfConnection: most } = this.#options.settings
    const { caller, request, id } = extra
    if (caller === undefined) return [tesseraError('UNAUTHENTICATED', 'Send connection_init first.')]
    if (operationId.length > longestOperationId)
      return [
        tesseraError('BAD_REQUEST', `The id of an operation has at most ${longestOperationId} characters.`),
      ]
    if (operations > most || extra.beginning >= most)
      return [
        tesseraError('TOO_MANY_SUBSCRIPTIONS', `A connection may have at most ${most} operations.`, {
          extensions: { limit: 'connection', maximum: most },
        }),
      ]
    // The client sends it again when it has reconnected.
    if (extra.isRestarting) return neverAnswered()
    extra.beginning += 1
    extra.beginnings ??= new Map()
    const { beginnings } = extra
    const beginning: Beginning = { request: undefined, isMade: false }
    beginnings.set(operationId, beginning)
    const isGone = (): boolean =>
      extra.socket.readyState !== extra.socket.OPEN || beginnings.get(operationId) !== beginning
    const response = await this.#enter(isGone, {
      id,
      method: 'GET',
      url: request.url ?? '',
      caller,
      isProven: true,
      params: () => paramsFrom(payload),
      mediaType: 'application/graphql-response+json',
      queriesOnly: false,
      connection: extra,
      started: (request) => {
        beginning.request = request
      },
    })
    extra.beginning -= 1
    const { data } = response.result
    if (beginnings.get(operationId) !== beginning) {
      // The client has ended it, and another operation may have its id by now. The library would take a result for that
      // operation's, and neither would end with the connection.
      if (data instanceof Subscriber) data.finish({ kind: 'left' })
      return neverAnswered()
    }
    beginning.isMade = true
    const isRefused = extra.isRestarting && data === undefined
    if (isRefused || data instanceof Subscriber) forgetBeginning(extra, operationId)
    // The stop may be the reason.
    if (isRefused) return neverAnswered()
    forget(payload)
    // The library passes it to `subscribe` or `execute` unchanged.
    return executionOf(response, extra) as ExecutionArgs | readonly GraphQLError[]
  }

  /** Accepts a connection if the client offers `graphql-transport-ws`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): undefined {
    const { headers, method, url, socket: connection } = request
    const { clientAddress = directAddress } = this.#options
    const address = clientAddress(headers, connection)
    const opening = { headers, method, url, socket: connection, address }
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#accept(opened, opening))
  }

  get count(): number {
    return this.#connections.size
  }

  /** Closes all connections, so that their clients reconnect: when their results are sent, after `mostMs` at the latest. */
  async drain(mostMs: number): Promise<void> {
    this.#isDraining = true
    const open = [...this.#connections.values()].map(({ extra }) => extra)
    for (const extra of open) restart(extra)
    const until = performance.now() + mostMs
    const isWaiting = ({ socket, beginnings }: Extra): boolean =>
      socket.readyState === socket.OPEN && beginnings !== undefined
    while (performance.now() < until && open.some(isWaiting)) await delay(lookMs)
    for (const { socket } of open) socket.close(restartCode, 'Service Restart')
    // A client that does not answer is closed.
    setTimeout(() => {
      for (const { socket } of open) socket.terminate()
    }, lastMs).unref()
  }

  close(): void {
    clearInterval(this.#timer)
    clearInterval(this.#initTimer)
    for (const socket of this.#connections.keys()) socket.terminate()
  }

  /** Begins an operation when the gate admits it. It may wait there, or be refused. */
  async #enter(isGone: () => boolean, input: StartInput): Promise<Begun> {
    const { startOperation, gate } = this.#options
    if (!(await passed(gate, isGone))) return { result: { errors: [busyRefusal().error] } }
    try {
      return await startOperation(input)
    } finally {
      gate.ended()
    }
  }

  readonly #pong = async (
    extra: Extra,
    payload: Record<string, unknown> | undefined,
  ): Promise<object | undefined> => {
    const { caller, request, id } = extra
    const given = headersIn(payload, ['authorization', 'dpop'])
    const authorization = given.get('authorization')
    if (authorization === undefined || caller === undefined) return isTooDeep(payload) ? undefined : payload
    try {
      await caller.renew(authorization, caller.shown(request, given.get('dpop')))
      return { renewed: true }
    } catch (error) {
      const { message, extensions } = maskError(error, id, this.#options.log)
      return { renewed: false, message, code: extensions.code }
    }
  }

  /** Closes the connection of a client that sends operations and does not read their results. */
  readonly #isFull = (socket: WebSocket): boolean => {
    if (socket.bufferedAmount <= this.#options.settings.waitingBytes) return false
    socket.terminate()
    return true
  }

  #accept(socket: WebSocket, request: UpgradeRequest): void {
    const extra: Extra = {
      socket,
      request,
      // As one flat string: Node concatenates thirty, which would be kept otherwise.
      id: Buffer.from(randomUUID()).toString('latin1'),
      caller: undefined,
      subscriptions: 0,
      beginning: 0,
      beginnings: undefined,
      isRestarting: false,
    }
    this.#silent.set(extra, performance.now())
    this.#connections.set(socket, new Client(extra, this.#clients))
    const { onPing, onPong, onMessage, onClose } = this.#listeners
    socket.on('ping', onPing).on('pong', onPong).on('error', onError)
    socket.on('message', onMessage).on('close', onClose)
    // A proxy may open one over a connection that it had before.
    if (this.#isDraining) restart(extra)
  }
}

/** A promise that is never settled and never referred to is collected. */
const neverAnswered = (): Promise<never> => new Promise(() => {})

/** An unreadable message ends its client's connection. It is not a fault of the gateway. */
function onError(this: WebSocket): void {
  this.terminate()
}

/** Releases the payload of `connection_init`, which the library keeps as long as the connection. */
function release(payload: Record<string, unknown> | undefined): void {
  for (const key of Object.keys(payload ?? {})) delete payload?.[key]
}

function forget(payload: { query?: unknown; variables?: unknown; extensions?: unknown }): void {
  payload.query = ''
  payload.variables = undefined
  payload.extensions = undefined
}
