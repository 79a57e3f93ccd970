/**
 * Answers requests for the routes other than GraphQL. A body is read within a small bound before its route gets it, and
 * the response has its length and is compressed for clients that accept it. A failing route is answered with an error
 * that names the line of the log.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tesseraError } from '../../shared/errors.ts'
import { byteString, jsonText } from '../../shared/json/byte-string.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import { joinedVary } from '../headers/index.ts'
import { methodNotAllowed } from '../pipeline/result-status.ts'
import { callerTrace } from '../telemetry/log.ts'
import { collectBody, HeldBody, jsonType, type NoBody } from './body.ts'
import type { GraphqlHandlerOptions } from './graphql.ts'
import { bodyRefusal, failureOf, refusals } from './refusals.ts'
import { ResponseSender } from './response-sender.ts'
import {
  type FoundRoute,
  isFound,
  type NoRoute,
  type Route,
  type RouteResponse,
  RouteTable,
  refusal,
} from './routes.ts'

interface RouteOptions
  extends Pick<GraphqlHandlerOptions, 'connections' | 'traffic' | 'chooseEncoding' | 'log' | 'requestId'> {
  readonly routes: readonly Route[]
}

/** The longest body of a route that does not stream it. */
const mostBodyBytes = 16 * 1024
const noBytes = Buffer.alloc(0)

/** A request whose response is awaited. */
interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly reply: ResponseSender
  readonly found: FoundRoute | NoRoute
}

export class RouteHandler {
  readonly #options: RouteOptions
  readonly #table: RouteTable
  #isStopping = false

  constructor(options: RouteOptions) {
    this.#options = options
    this.#table = new RouteTable(options.routes)
  }

  /** From now on uploads are refused, and no connection is kept. */
  stop(): void {
    this.#isStopping = true
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { connections } = this.#options
    const { method = 'GET', url = '/' } = request
    const found = this.#table.find(method, url)
    const arrived: Arrived = { request, response, reply: new ResponseSender(request, response), found }
    if (isFound(found) && found.route.isStreamed === true) this.#stream(arrived)
    else if (method === 'GET' || method === 'HEAD') {
      connections.awaitBody(request, () => request.destroy())
      void this.#answer(arrived, noBytes)
    } else {
      // A body of this length does not count among those that are arriving.
      const held = new HeldBody(connections)
      void collectBody(request, mostBodyBytes, connections, held).then((body) => this.#answer(arrived, body))
    }
  }

  #stream(arrived: Arrived): void {
    const { connections, traffic } = this.#options
    const { request, response } = arrived
    if (this.#isStopping) {
      request.resume()
      connections.awaitBody(request, () => request.destroy())
      const { headers, ...refused } = refusal(refusals.stopping)
      void this.#send(arrived, {
        ...refused,
        headers: { ...headers, 'retry-after': '1', connection: 'close' },
      })
      return
    }
    traffic.take(request, response)
    connections.awaitProgress(request, () => request.destroy())
    void this.#answer(arrived, noBytes)
  }

  /** Never rejects. */
  async #answer(arrived: Arrived, body: Buffer | NoBody): Promise<void> {
    const { log, requestId } = this.#options
    const { request, reply, found } = arrived
    const id = requestId(request.headers['x-request-id'])
    const failed = (error: unknown): void =>
      log.error({ request: id, ...callerTrace(request.headers), err: error }, 'the HTTP server failed')
    let answer: RouteResponse
    try {
      if (!isFound(found)) answer = answerWithout(found)
      else if (typeof body === 'string') answer = refusal(bodyRefusal(body, mostBodyBytes))
      else {
        const whenGone = (call: () => void): void => reply.whenGone(call)
        answer = await found.route.answer({ id, raw: request, last: found.last, body, whenGone })
      }
    } catch (error) {
      failed(error)
      answer = refusal(failureOf(id))
    }
    try {
      const close = typeof body === 'string' ? { connection: 'close' } : {}
      await this.#send(arrived, { ...answer, headers: { ...answer.headers, ...close } })
    } catch (error) {
      failed(error)
      reply.destroy()
    }
  }

  async #send({ response, reply }: Arrived, answer: RouteResponse): Promise<void> {
    const { status = 200, bytes } = answer
    const { vary, connection, ...others } = answer.headers ?? {}
    // The value that CORS has set before is kept.
    if (vary !== undefined) response.setHeader('vary', joinedVary([reply.vary, vary]))
    const type = answer.json === undefined ? {} : { 'content-type': jsonType }
    const head = Object.entries({ ...type, ...others }).flat()
    if (connection === 'close') {
      reply.sendAndClose(status, head, jsonText(answer.json))
      return
    }
    if (this.#isStopping) head.push('connection', 'close')
    if (bytes !== undefined) reply.send(status, head, [bytes])
    else await reply.sendEncoded(status, head, textOf(answer), this.#options.chooseEncoding)
  }
}

const nothing: RouteResponse = {
  status: 404,
  json: { errors: [tesseraError('NOT_FOUND', 'This path does not exist. GraphQL is served at /graphql.')] },
}

function answerWithout(found: NoRoute): RouteResponse {
  if (found === 'nothing') return nothing
  if (found === 'unreadable') return refusal(refusals.unreadable)
  const { allow } = found
  const refused = refusal(methodNotAllowed(`The methods of this path: ${allow}.`))
  return { ...refused, headers: { ...refused.headers, allow } }
}

const textOf = ({ json, text = '' }: RouteResponse): JsonText =>
  json === undefined ? byteString(text) : jsonText(json)
