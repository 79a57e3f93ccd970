/**
 * The handler of GraphQL requests, directly on `node:http`: most of what a framework does for a request (routing,
 * hooks, content types) is not needed here, and every request would pay for it.
 *
 * A body is never held beyond its bound, each request gets exactly one response, and work for a client that went away
 * is cancelled.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GraphQLError } from 'graphql'
import type { GatewayRequest } from '../../engine/request.ts'
import { statusOfError, tesseraError } from '../../shared/errors.ts'
import { cancelledBy } from '../../shared/http/cancellation.ts'
import { type Coding, codingOf } from '../../shared/http/codings.ts'
import { decodeRequest } from '../../shared/http/decoders.ts'
import { jsonText } from '../../shared/json/byte-string.ts'
import { type ClientAddress, directAddress } from '../auth/client-address.ts'
import type { GraphqlOverHttp, HttpResponse } from '../graphql-http/graphql-over-http.ts'
import type { Gate } from '../overload/index.ts'
import { callerTrace, type Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { type ActiveRequests, type Ending, isGone } from './active-requests.ts'
import { collectBody, HeldBody, type NoBody } from './body.ts'
import type { ChooseEncoding } from './compression.ts'
import type { Connections } from './connections.ts'
import { corsOfKept } from './cors.ts'
import { bodyRefusal, failureOf, refusalHead, refusals } from './refusals.ts'
import { ResponseSender } from './response-sender.ts'
import { securityHeaders } from './routes.ts'

export interface GraphqlHandlerOptions {
  readonly respond: GraphqlOverHttp
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly connections: Connections
  readonly corsOrigins: readonly string[]
  readonly csrf: boolean
  readonly chooseEncoding: ChooseEncoding
  readonly traffic: ActiveRequests
  readonly metrics: Metrics
  readonly gate: Gate
  /** That of the connection by default. */
  readonly clientAddress?: ClientAddress | undefined
  /** `given`: the caller's own id. */
  requestId(given: unknown): string
  /** The body of a refusal; that of GraphQL by default. */
  readonly failureBody?: FailureBody | undefined
}

/** Makes the body of a refusal that does not depend on the request. */
export type FailureBody = (error: Error) => object

const securityList: readonly string[] = Object.entries(securityHeaders).flat()
/** The same for a response that has its own cache headers. */
const securityOfKept: readonly string[] = Object.entries(securityHeaders)
  .filter(([name]) => name !== 'cache-control')
  .flat()

/** Headers that a page of another site cannot send without a preflight request. */
const preflightHeaders = ['apollo-require-preflight', 'x-apollo-operation-name', 'x-tessera-csrf'] as const

interface Arrived {
  readonly request: IncomingMessage
  readonly reply: ResponseSender
  readonly id: string
  readonly running: RequestOperations
}

export class GraphqlHandler {
  readonly #options: GraphqlHandlerOptions
  readonly #failureBody: FailureBody
  readonly #keptCors: readonly string[]
  readonly #clientAddress: ClientAddress
  #leaving = false
  #refusing = false

  constructor(options: GraphqlHandlerOptions) {
    this.#options = options
    this.#failureBody = options.failureBody ?? graphqlFailure
    this.#keptCors = corsOfKept(options.corsOrigins)
    this.#clientAddress = options.clientAddress ?? directAddress
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { requestId, connections, traffic, maxBodyBytes } = this.#options
    const reply = new ResponseSender(request, response)
    const id = requestId(request.headers['x-request-id'])
    const refused = this.#refusalOf(request)
    if (refused !== undefined) {
      request.resume()
      connections.awaitBody(request, () => request.destroy())
      this.#refuse(reply, id, refused)
      return
    }
    const running = new RequestOperations(new HeldBody(connections))
    traffic.take(request, response, running)
    const arrived = { request, reply, id, running }
    const received = collectBody(request, maxBodyBytes, connections, running.held)
    this.#watch(
      arrived,
      received.then((body) => this.#take(arrived, body)),
    )
  }

  /** From now on connections are not kept alive; with `refuse` new requests are refused. */
  leave(refuse: boolean): void {
    this.#leaving = true
    this.#refusing = refuse
  }

  /** A failure of our own leaves its request without a response. */
  #watch({ request, reply, id }: Arrived, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#logFailure(request, id, error)
      reply.destroy()
    })
  }

  #logFailure({ headers }: IncomingMessage, id: string, error: unknown): void {
    this.#options.log.error({ request: id, ...callerTrace(headers), err: error }, 'the HTTP server failed')
  }

  /** Decodes the body if that is necessary. Otherwise nothing waits, because each promise costs time. */
  #take(arrived: Arrived, body: Buffer | NoBody): Promise<void> | void {
    const { request, reply, id } = arrived
    const coding = codingOf(request.headers['content-encoding'])
    if (typeof body === 'string')
      this.#refuseAndClose(reply, id, bodyRefusal(body, this.#options.maxBodyBytes))
    else if (coding === undefined) this.#admit(arrived, body)
    else if (coding === null) this.#refuse(reply, id, refusals.uncoded)
    else if (body.length === 0) this.#refuse(reply, id, refusals.empty)
    else return this.#decode(arrived, body, coding)
  }

  async #decode(arrived: Arrived, body: Buffer, coding: Coding): Promise<void> {
    const { reply, id, running } = arrived
    const { held } = running
    const { maxBodyBytes } = this.#options
    const gone = new AbortController()
    reply.whenGone(() => gone.abort())
    const hold = (bytes: number): boolean => held.hold(body.length + bytes)
    const options = { maxBytes: maxBodyBytes, hold }
    const decoded = await decodeRequest(body, coding, options, cancelledBy(gone.signal))
    if (gone.signal.aborted) return
    if (typeof decoded !== 'string') {
      held.hold(decoded.length)
      this.#admit(arrived, decoded)
      return
    }
    held.release()
    const error = bodyRefusal(decoded, maxBodyBytes)
    if (decoded === 'too-large' || decoded === 'busy') this.#refuseAndClose(reply, id, error)
    else this.#refuse(reply, id, error)
  }

  /** Waits for the turn of a request whose body is here. */
  #admit(arrived: Arrived, body: Buffer): void {
    const { request, reply, id, running } = arrived
    this.#options.gate.enter({
      isGone: () => isGone(request.socket),
      begin: () => {
        running.held.release()
        this.#watch(arrived, this.#run(arrived, body))
      },
      refuse: () => {
        running.held.release()
        reply.sendBusy(this.#headOf(id, noHead))
      },
    })
  }

  /** Why the request is refused whatever its body is; undefined for most requests. */
  #refusalOf(request: IncomingMessage): GraphQLError | undefined {
    const { metrics, csrf, corsOrigins } = this.#options
    if (this.#refusing) {
      metrics.refused('stopping')
      return refusals.stopping
    }
    if (csrf && request.method === 'GET' && isForeignPage(request, corsOrigins)) {
      const names = preflightHeaders.join(', ')
      return tesseraError('FORBIDDEN', `A page of another site must send one of these headers: ${names}.`)
    }
    return undefined
  }

  #headOf(id: string, head: readonly string[], reply?: ResponseSender): string[] {
    const isKept = head.includes('cache-control')
    const whole = [...(isKept ? securityOfKept : securityList), 'x-request-id', id, ...head]
    const before = isKept ? reply?.vary : undefined
    if (before !== undefined) whole.push('vary', before)
    if (isKept && reply?.hasCors === false) whole.push(...this.#keptCors)
    if (this.#leaving && !head.includes('connection')) whole.push('connection', 'close')
    return whole
  }

  /** A request of which no operation was read has its line, too. */
  #report(id: string, status: number, error: GraphQLError): void {
    const code = String(error.extensions.code)
    this.#options.metrics.unread(code)
    this.#options.log.info({ request: id, status, codes: [code] }, 'request')
  }

  #refuse(reply: ResponseSender, id: string, error: GraphQLError): void {
    this.#report(id, statusOfError(error), error)
    const body = jsonText(this.#failureBody(error))
    reply.send(statusOfError(error), this.#headOf(id, refusalHead(error)), body)
  }

  /** The same if the rest of the body is not wanted. */
  #refuseAndClose(reply: ResponseSender, id: string, error: GraphQLError): void {
    this.#report(id, statusOfError(error), error)
    const head = [...securityList, 'x-request-id', id, ...refusalHead(error)]
    reply.sendAndClose(statusOfError(error), head, jsonText(this.#failureBody(error)))
  }

  async #run({ request, reply, id, running }: Arrived, body: Buffer): Promise<void> {
    const { respond, gate, chooseEncoding } = this.#options
    const { headers, method = 'GET', url = '/graphql', socket } = request
    const address = this.#clientAddress(headers, socket)
    let result: HttpResponse
    try {
      result = await respond({ id, method, url, headers, socket, address, body }, (one) => running.add(one))
    } catch (error) {
      this.#logFailure(request, id, error)
      gate.ended()
      this.#refuse(reply, id, failureOf(id))
      return
    }
    gate.ended()
    if (result.unread !== undefined) this.#report(id, result.status, result.unread)
    const head = this.#headOf(id, result.head, reply)
    if (result.stream === undefined) {
      await reply.sendEncoded(result.status, head, result.body, chooseEncoding)
      return
    }
    // Later messages have requests of their own: this one would be kept for as long as they come.
    running.forget()
    // A stream has its own `cache-control`.
    const at = head.indexOf('cache-control')
    await result.stream(reply.startStream(), at < 0 ? head : head.toSpliced(at, 2))
  }
}

/**
 * The operations of an HTTP request, which are cancelled if nobody waits for their response any more. It is an object
 * because it outlives the handling of the request: a closure would hold everything in scope there.
 */
class RequestOperations implements Ending {
  readonly held: HeldBody
  /** Usually one; several of a batch. */
  #all: GatewayRequest[] | undefined

  constructor(held: HeldBody) {
    this.held = held
  }

  add(one: GatewayRequest): void {
    if (this.#all === undefined) this.#all = [one]
    else this.#all.push(one)
  }

  forget(): void {
    this.#all = undefined
  }

  ended(whole: boolean): void {
    this.held.release()
    if (!whole) for (const one of this.#all ?? []) one.cancel()
  }
}

const noHead: readonly string[] = []
const graphqlFailure: FailureBody = (error) => ({ errors: [error] })

/** Whether a browser says that a page of another site sent this without a preflight request. */
function isForeignPage({ headers }: IncomingMessage, origins: readonly string[]): boolean {
  if (headers['sec-fetch-site'] !== 'cross-site') return false
  if (preflightHeaders.some((name) => headers[name] !== undefined)) return false
  return headers.origin === undefined || !origins.includes(headers.origin)
}
