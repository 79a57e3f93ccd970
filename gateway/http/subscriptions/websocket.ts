/**
 * `graphql-transport-ws` on the address of the graph, by the library of its author (`graphql-ws`) over `ws`. Here are
 * the sockets themselves: who may open one, what may wait for its client, signs of life, and the bytes of results, which
 * are made once for all who get them.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ExecutionArgs, type FormattedExecutionResult, type GraphQLError, parse } from 'graphql'
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { tesseraError } from '../../../contract/errors.ts'
import { bytesOfJson, type JsonText } from '../../../contract/json/raw.ts'
import type { Authenticator } from '../../access/authenticate/index.ts'
import { responseBody } from '../../engine/index.ts'
import type { Logger } from '../../observe/log.ts'
import { maskError } from '../mask.ts'
import { paramsFrom } from '../negotiation.ts'
import type { OperationResponse } from '../pipeline/index.ts'
import { clientCertificateOf } from '../serve/tls.ts'
import type { BeginInput } from './begin.ts'
import { Caller, type Connection, Subscriber } from './index.ts'

export interface WebSocketOptions {
  /** Begins an operation. Never rejects. */
  readonly begin: (input: BeginInput) => Promise<Begun>
  readonly authenticator: Authenticator
  /** Whether whoever opens a connection may; undefined admits all. Its payload counts as headers where `payload` is true. */
  readonly admit?:
    | ((
        request: Opening,
        payload: Readonly<Record<string, unknown>> | undefined,
      ) => { readonly payload: boolean } | undefined)
    | undefined
  /** Headers that a client may send in the payload of `connection_init`, in lower case. */
  readonly payloadHeaders: () => readonly string[]
  readonly log: Logger
  readonly heartbeatMs: number
  /** The most bytes of a message. */
  readonly maxMessageBytes: number
  /** The most bytes that the system has not taken for one client. */
  readonly mostBytes: number
  /** The most operations of one connection at once. */
  readonly mostOperations: number
}

type Begun = Pick<OperationResponse<JsonText | Subscriber>, 'result'>

export interface WebSockets {
  /** Takes a connection over, where the client speaks `graphql-transport-ws`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  readonly count: number
  /** Closes all connections, so that their clients connect again. */
  drain(): void
  close(): void
}

/** What is kept of the request that opened a connection: the rest of it is of no more use, and takes a kilobyte. */
export type Opening = Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'>

/** A connection, as the library hands it back. */
interface Extra extends Connection {
  readonly socket: WebSocket
  readonly request: Opening
  readonly id: string
  caller: Caller | undefined
  /** Whether it has shown a sign of life since the last look. */
  isAlive: boolean
}

/** Service Restart (RFC 6455, registry of close codes): clients connect again after a while. */
const restartCode = 1012
const initMs = 10_000
/** How long a client has to close its side. */
const lastMs = 400
/** The longest text of `connection_init` and of pings that is looked at. */
const longestHeader = 16_384

export function createWebSockets(options: WebSocketOptions): WebSockets {
  const { begin, authenticator, log, heartbeatMs, mostOperations } = options
  const connections = new Set<Extra>()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.maxMessageBytes,
    handleProtocols: (protocols) =>
      protocols.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false,
  })

  const timer = setInterval(() => {
    for (const extra of connections) {
      if (!extra.isAlive || extra.socket.bufferedAmount > options.mostBytes) extra.socket.terminate()
      else if (extra.socket.readyState === extra.socket.OPEN) {
        extra.isAlive = false
        extra.socket.ping()
      }
    }
  }, heartbeatMs)
  timer.unref()

  function callerOf({ request }: Extra, payload: Readonly<Record<string, unknown>> | undefined): Caller {
    const given = headersIn(payload, ['authorization', 'dpop', ...options.payloadHeaders()])
    const { headers, socket } = request
    return new Caller({
      authenticator,
      header(name) {
        const own = given.get(name)
        if (own !== undefined) return own
        const value = headers[name]
        return Array.isArray(value) ? value.join(', ') : value
      },
      names: () => [...new Set([...Object.keys(headers), ...given.keys()])],
      peer: () => socket.remoteAddress,
      certificate: () => clientCertificateOf(request),
    })
  }

  const protocol = makeServer<Record<string, unknown> | undefined, Extra>({
    connectionInitWaitTimeout: initMs,
    async onConnect({ connectionParams, extra }) {
      const { admit = () => ({ payload: true }) } = options
      const admitted = admit(extra.request, connectionParams)
      if (admitted === undefined) {
        extra.socket.close(CloseCode.Unauthorized, 'Unauthorized')
        return false
      }
      const caller = callerOf(extra, admitted.payload ? connectionParams : undefined)
      extra.caller = caller
      try {
        const { method, url } = extra.request
        const header = (name: string): string | undefined => caller.header(name)
        caller.noteEnd(
          await authenticator.authenticate(caller.header('authorization'), {
            method,
            url,
            header,
            peer: () => caller.peer(),
            certificate: () => caller.certificate(),
          }),
        )
        return true
      } catch (error) {
        const { message } = maskError(error, extra.id, log)
        extra.socket.close(CloseCode.Unauthorized, message.slice(0, 100))
        return false
      }
    },
    async onSubscribe({ extra, subscriptions }, _id, payload) {
      const { caller, request, id } = extra
      if (caller === undefined) return [tesseraError('UNAUTHENTICATED', 'Send connection_init first.')]
      if (Object.keys(subscriptions).length > mostOperations)
        return [
          tesseraError('TOO_MANY_SUBSCRIPTIONS', `A connection has ${mostOperations} operations at most.`, {
            extensions: { limit: 'connection', maximum: mostOperations },
          }),
        ]
      const response = await begin({
        id,
        method: 'GET',
        url: request.url ?? '',
        caller,
        isProven: true,
        params: () => paramsFrom(payload),
        mediaType: 'application/graphql-response+json',
        queriesOnly: false,
        connection: extra,
        resumeAfter: resumeIn(payload.extensions),
      })
      // The library hands it to `subscribe` or `execute` as it is.
      return executionOf(response, extra) as ExecutionArgs | readonly GraphQLError[]
    },
    subscribe: ((args: Execution) => args.made) as never,
    execute: ((args: Execution) => args.made) as never,
    // As it is: the library would make a plain object of it.
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
  })

  async function pong(
    extra: Extra,
    payload: Record<string, unknown> | undefined,
  ): Promise<object | undefined> {
    const { caller, request, id } = extra
    const given = headersIn(payload, ['authorization', 'dpop'])
    const authorization = given.get('authorization')
    if (authorization === undefined || caller === undefined) return payload
    try {
      const { method, url } = request
      const peer = (): string | undefined => caller.peer()
      const certificate = (): Buffer | undefined => caller.certificate()
      await caller.renew(authorization, { method, url, peer, certificate, header: (name) => given.get(name) })
      return { renewed: true }
    } catch (error) {
      const { message, extensions } = maskError(error, id, log)
      return { renewed: false, message, code: extensions.code }
    }
  }

  function accept(socket: WebSocket, request: Opening): void {
    const extra: Extra = {
      socket,
      request,
      // As one piece of text: Node makes it of thirty, which are kept otherwise.
      id: Buffer.from(randomUUID()).toString('latin1'),
      caller: undefined,
      isAlive: true,
      subscriptions: 0,
    }
    connections.add(extra)
    const alive = (): void => {
      extra.isAlive = true
    }
    socket.on('pong', alive)
    // What a client sends that cannot be read ends its connection, and says nothing of us.
    socket.on('error', () => socket.terminate())
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => send(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage(handle) {
          socket.on('message', (data, isBinary) => {
            extra.isAlive = true
            const message = isBinary ? '' : String(data)
            handle(message).catch((error: unknown) => {
              if (isOfServers(message)) {
                socket.close(CloseCode.BadRequest, 'Invalid message received')
                return
              }
              log.error({ request: extra.id, err: error }, 'a message over a WebSocket failed')
              socket.close(CloseCode.InternalServerError, 'Internal server error')
            })
          })
        },
        async onPing(payload) {
          const answer = await pong(extra, payload)
          await send(
            socket,
            JSON.stringify({ type: 'pong', ...(answer === undefined ? {} : { payload: answer }) }),
          )
        },
      },
      extra,
    )
    socket.once('close', (code, reason) => {
      connections.delete(extra)
      Promise.resolve(closed(code, String(reason))).catch((error: unknown) =>
        log.error({ request: extra.id, err: error }, 'a WebSocket could not be cleared up'),
      )
    })
  }

  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (opened) => accept(opened, openingOf(request)))
    },
    get count() {
      return connections.size
    },
    drain() {
      const open = [...connections]
      for (const { socket } of open) socket.close(restartCode, 'Service Restart')
      // Who does not answer is not waited for.
      setTimeout(() => {
        for (const { socket } of open) socket.terminate()
      }, lastMs).unref()
    },
    close() {
      clearInterval(timer)
      for (const { socket } of connections) socket.terminate()
    },
  }
}

/** Whether it is a message that only servers send: the library takes it for a fault of ours. */
function isOfServers(text: string): boolean {
  try {
    const { type } = JSON.parse(text) as { type?: unknown }
    return type === 'next' || type === 'error' || type === 'connection_ack'
  } catch {
    return false
  }
}

const openingOf = ({ headers, method, url, socket }: IncomingMessage): Opening => ({
  headers,
  method,
  url,
  socket,
})

/** What the library executes: a document that says which kind it is, and what was made already. */
interface Execution {
  readonly document: typeof aSubscription
  readonly operationName: undefined
  readonly made: Results | RawResult
}

const aSubscription = parse('subscription { events }', { noLocation: true })
const aQuery = parse('{ result }', { noLocation: true })

function executionOf({ result }: Begun, { socket }: Extra): Execution | readonly GraphQLError[] {
  const { data, errors, extensions } = result
  if (data instanceof Subscriber)
    return { document: aSubscription, operationName: undefined, made: new Results(data, socket) }
  // Nothing was executed: the protocol has a message of its own for that.
  if (data === undefined && errors !== undefined && errors.length > 0) return errors
  const made = new RawResult(bytesOfJson(responseBody({ data, errors, extensions })))
  return { document: aQuery, operationName: undefined, made }
}

/** The id of the last event that a client has, as it says it in the extensions of an operation. */
function resumeIn(extensions: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const id = extensions?.lastEventId
  return typeof id === 'string' && id.length <= 512 ? id : undefined
}

function headersIn(
  payload: Readonly<Record<string, unknown>> | undefined,
  allowed: readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const nested = payload?.headers
  const sources = [payload, typeof nested === 'object' && nested !== null ? nested : undefined]
  for (const source of sources) {
    for (const [key, value] of Object.entries(source ?? {})) {
      const name = key.toLowerCase()
      if (typeof value === 'string' && value.length <= longestHeader && allowed.includes(name))
        found.set(name, value)
    }
  }
  return found
}

/** A result whose JSON is made already. While the library writes its message, a mark stands in its place. */
class RawResult {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  toJSON(): string {
    marked = this
    return mark
  }
}

const mark = '\u0001result\u0001'
const markJson = JSON.stringify(mark)
let marked: RawResult | undefined

/** Sends a message, with the result that it is of in its place. Resolves when the system has taken it. */
function send(socket: WebSocket, text: string): Promise<void> {
  const result = marked
  marked = undefined
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  return new Promise((resolve) => {
    // A connection that fails closes: whoever waits is released there.
    const sent = (): void => resolve()
    if (result === undefined) {
      socket.send(text, sent)
      return
    }
    const at = text.lastIndexOf(markJson)
    const whole = Buffer.concat([
      Buffer.from(text.slice(0, at)),
      result.bytes,
      Buffer.from(text.slice(at + markJson.length)),
    ])
    socket.send(whole, { binary: false }, sent)
  })
}

/** The results of a subscription, taken one by one as the client takes them. */
class Results implements AsyncGenerator<RawResult, undefined, undefined> {
  readonly #subscriber: Subscriber
  readonly #socket: WebSocket
  #wake: (() => void) | undefined

  constructor(subscriber: Subscriber, socket: WebSocket) {
    this.#subscriber = subscriber
    this.#socket = socket
    subscriber.listen(() => this.#wake?.())
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  async next(): Promise<IteratorResult<RawResult, undefined>> {
    for (;;) {
      const delivery = this.#subscriber.take()
      if (delivery !== undefined) return { done: false, value: new RawResult(delivery.body) }
      const { end } = this.#subscriber
      if (end?.kind === 'failed') throw end.error
      if (end?.kind === 'restart') this.#socket.close(restartCode, 'Service Restart')
      if (end !== undefined) return { done: true, value: undefined }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  async return(): Promise<IteratorResult<RawResult, undefined>> {
    this.#subscriber.finish({ kind: 'left' })
    return { done: true, value: undefined }
  }

  async throw(): Promise<IteratorResult<RawResult, undefined>> {
    return this.return()
  }
}
