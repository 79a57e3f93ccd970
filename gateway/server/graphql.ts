/**
 * The handler of GraphQL requests, directly on `node:http`: most of what a framework does for a request (routing,
 * hooks, content types) is not needed here, and every request would pay for it.
 *
 * A body is never held beyond its bound, each request gets exactly one response, and work for a client that went away
 * is cancelled.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayRequest } from '../../engine/request.ts'
import { tesseraError } from '../../shared/errors.ts'
import { type Coding, codingOf } from '../../shared/http/codings.ts'
import { requestDecoders } from '../../shared/http/decoders.ts'
import { jsonText } from '../../shared/json/byte-string.ts'
import type { GraphqlOverHttp, HttpResponse } from '../graphql-http/graphql-over-http.ts'
import { sendPieces } from '../graphql-http/incremental/index.ts'
import type { Gate } from '../overload/index.ts'
import { callerTrace, type Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { bytesIn, collectBody, HeldBody, jsonType, type NoBody, refuseBody } from './body.ts'
import { bodyRefusal } from './body-refusal.ts'
import type { ChooseEncoding } from './compression.ts'
import type { Connections } from './connections.ts'
import { corsOfKept } from './cors.ts'
import { type Ending, isGone } from './delivery.ts'
import { Reply, sendBusy, sendCompressed } from './reply.ts'
import { securityHeaders } from './routes.ts'
import type { Traffic } from './traffic.ts'

export interface GraphqlHandlerOptions {
  readonly respond: GraphqlOverHttp
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly connections: Connections
  readonly corsOrigins: readonly string[]
  readonly csrf: boolean
  readonly chooseEncoding: ChooseEncoding
  /** Counts every accepted request. */
  readonly traffic: Traffic
  readonly metrics: Metrics
  /** The queue in which requests begin. */
  readonly gate: Gate
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
const commonHead = (id: string): string[] => [...securityList, 'x-request-id', id]

/** Headers that a page of another site cannot send without a preflight request. */
const preflightHeaders = ['apollo-require-preflight', 'x-apollo-operation-name', 'x-tessera-csrf'] as const

/** The response to requests that arrive after draining began. */
export const stoppingResponse: HttpResponse = {
  status: 503,
  head: ['content-type', jsonType, 'retry-after', '1', 'connection', 'close'],
  body: jsonText({ errors: [tesseraError('SERVICE_STOPPING', 'This server is shutting down.')] }),
}

export class GraphqlHandler {
  readonly #options: GraphqlHandlerOptions
  readonly #failureBody: FailureBody
  readonly #keptCors: readonly string[]
  #leaving = false
  #refusing = false

  constructor(options: GraphqlHandlerOptions) {
    this.#options = options
    this.#failureBody = options.failureBody ?? graphqlFailure
    this.#keptCors = corsOfKept(options.corsOrigins)
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { requestId, connections, traffic, maxBodyBytes } = this.#options
    const reply = new Reply(request, response)
    const id = requestId(request.headers['x-request-id'])
    const refused = this.#refusal(request)
    if (refused !== undefined) {
      request.resume()
      connections.awaitBody(request, () => request.destroy())
      this.#send(reply, id, refused)
      return
    }
    const held = new HeldBody(connections)
    const running = new RequestOperations(held)
    traffic.take(request, response, running)
    const refuseIt = (why: NoBody): void =>
      sendBodyRefusal(request, response, why, maxBodyBytes, commonHead(id), this.#failureBody)
    collectBody(request, maxBodyBytes, connections, held, (body) => {
      if (typeof body === 'string') {
        refuseIt(body)
        return
      }
      const coding = codingOf(request.headers['content-encoding'])
      if (coding === undefined) admit(body)
      else if (coding === null || body.length === 0)
        this.#send(reply, id, coding === null ? uncoded() : this.#failure(400, emptyBody))
      else decode(body, coding)
    })
    const decode = (body: Buffer, coding: Coding): void => {
      const hold = (bytes: number): boolean => held.hold(body.length + bytes)
      const stop = requestDecoders.decode(body, coding, { maxBytes: maxBodyBytes, hold }, (decoded) => {
        if (typeof decoded !== 'string') {
          held.hold(decoded.length)
          admit(decoded)
          return
        }
        held.release()
        if (decoded === 'too-large' || decoded === 'busy') refuseIt(decoded)
        else this.#send(reply, id, this.#failure(400, bodyRefusal(decoded, maxBodyBytes).error))
      })
      reply.whenGone(stop)
    }
    const admit = (body: Buffer): void => this.#admit(request, reply, id, body, { held, running })
  }

  /** From now on connections are not kept alive; with `refuse` new requests are refused. */
  leave(refuse: boolean): void {
    this.#leaving = true
    this.#refusing = refuse
  }

  /** Waits for the turn of a request whose body is here. */
  #admit(
    request: IncomingMessage,
    reply: Reply,
    id: string,
    body: Buffer,
    { held, running }: { readonly held: HeldBody; readonly running: RequestOperations },
  ): void {
    this.#options.gate.enter({
      isGone: () => isGone(request.socket),
      begin: () => {
        held.release()
        this.#start(request, reply, id, body, running)
      },
      refuse: () => {
        held.release()
        sendBusy(reply, this.#headOf(id, noHead))
      },
    })
  }

  #failure(status: number, error: Error): HttpResponse {
    return { status, head: ['content-type', jsonType], body: jsonText(this.#failureBody(error)) }
  }

  /** The response that does not depend on the body; undefined for most requests. */
  #refusal(request: IncomingMessage): HttpResponse | undefined {
    const { metrics, csrf, corsOrigins } = this.#options
    if (this.#refusing) {
      metrics.refused('stopping')
      return stoppingResponse
    }
    if (csrf && request.method === 'GET' && isForeignPage(request, corsOrigins)) {
      const names = preflightHeaders.join(', ')
      return this.#failure(
        403,
        tesseraError('FORBIDDEN', `A page of another site must send one of these headers: ${names}.`),
      )
    }
    return undefined
  }

  #headOf(id: string, { head }: Pick<HttpResponse, 'head'>, reply?: Reply): string[] {
    const isKept = head.includes('cache-control')
    const whole = [...(isKept ? securityOfKept : securityList), 'x-request-id', id, ...head]
    const before = isKept ? reply?.vary : undefined
    if (before !== undefined) whole.push('vary', before)
    if (isKept && reply?.hasCors === false) whole.push(...this.#keptCors)
    if (this.#leaving && !head.includes('connection')) whole.push('connection', 'close')
    return whole
  }

  /** Without `cache-control`, because an incremental response has its own. */
  #streamHeadOf(id: string, result: HttpResponse): string[] {
    const head = this.#headOf(id, result)
    const at = head.indexOf('cache-control')
    return at < 0 ? head : head.toSpliced(at, 2)
  }

  /** For the short responses of this module. */
  #send(reply: Reply, id: string, result: HttpResponse): void {
    reply.send(result.status, this.#headOf(id, result), result.body)
  }

  #start(request: IncomingMessage, reply: Reply, id: string, body: Buffer, running: RequestOperations): void {
    this.#run(request, reply, id, body, running).catch((error: unknown) => {
      const line = { request: id, ...callerTrace(request.headers), err: error }
      this.#options.log.error(line, 'the HTTP server failed')
      reply.destroy()
    })
  }

  async #run(
    request: IncomingMessage,
    reply: Reply,
    id: string,
    body: Buffer,
    running: RequestOperations,
  ): Promise<void> {
    const { respond, log, gate, chooseEncoding } = this.#options
    const { headers, method = 'GET', url = '/graphql', socket } = request
    let result: HttpResponse
    try {
      result = await respond({ id, method, url, headers, socket, body }, (one) => running.add(one))
    } catch (error) {
      log.error({ request: id, ...callerTrace(headers), err: error }, 'the HTTP server failed')
      const message = `Internal error. The log has it under ${id}.`
      result = this.#failure(500, tesseraError('INTERNAL_SERVER_ERROR', message))
    }
    gate.ended()
    const head = this.#headOf(id, result, reply)
    if (result.stream !== undefined) {
      // Later messages have requests of their own: this one would be kept for as long as they come.
      running.forget()
      result.stream(reply.inPieces(), this.#streamHeadOf(id, result))
      return
    }
    if (result.pieces !== undefined) {
      await sendPieces(reply.inPieces(), result.status, head, result.pieces)
      return
    }
    const encoding = chooseEncoding(request, bytesIn(result.body))
    if (encoding === undefined) reply.send(result.status, head, result.body)
    else await sendCompressed(reply, result.status, head, result.body, encoding)
  }
}

/**
 * The operations of an HTTP request, which are cancelled if nobody waits for their response any more. It is an object
 * because it outlives the handling of the request: a closure would hold everything in scope there.
 */
class RequestOperations implements Ending {
  readonly #held: HeldBody
  #one: GatewayRequest | undefined
  /** Further ones of a batch. */
  #others: GatewayRequest[] | undefined

  constructor(held: HeldBody) {
    this.#held = held
  }

  add(one: GatewayRequest): void {
    if (this.#one === undefined) this.#one = one
    else if (this.#others === undefined) this.#others = [one]
    else this.#others.push(one)
  }

  forget(): void {
    this.#one = undefined
    this.#others = undefined
  }

  ended(whole: boolean): void {
    this.#held.release()
    if (!whole) this.cancel()
  }

  cancel(): void {
    this.#one?.cancel()
    for (const one of this.#others ?? []) one.cancel()
  }
}

const emptyBody = tesseraError('BAD_REQUEST', 'The request has no body.')
const noHead: Pick<HttpResponse, 'head'> = { head: [] }

/**
 * Responds to a request whose body was given up, and closes its connection. `head` has the headers of every response.
 */
export function sendBodyRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  why: NoBody,
  maxBodyBytes: number,
  head: readonly string[] = [],
  failureBody: FailureBody = graphqlFailure,
): void {
  const { status, error, head: more } = bodyRefusal(why, maxBodyBytes)
  const json = jsonText(failureBody(error))
  refuseBody(request, response, status, [...head, 'content-type', jsonType, ...more], json)
}

function uncoded(): HttpResponse {
  const { status, error, head } = bodyRefusal('uncoded', 0)
  return { status, head: ['content-type', jsonType, ...head], body: jsonText(graphqlFailure(error)) }
}

const graphqlFailure: FailureBody = (error) => ({ errors: [error] })

/** Whether a browser says that a page of another site sent this without a preflight request. */
function isForeignPage({ headers }: IncomingMessage, origins: readonly string[]): boolean {
  if (headers['sec-fetch-site'] !== 'cross-site') return false
  if (preflightHeaders.some((name) => headers[name] !== undefined)) return false
  return headers.origin === undefined || !origins.includes(headers.origin)
}
