/**
 * Answers requests for the routes beside GraphQL. A body is read within a small bound before the route receives it, and
 * the response has its length and is compressed for clients that accept it. A failing route is answered with an error
 * that names the line of the log.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tesseraError } from '../../shared/errors.ts'
import { byteString, jsonText } from '../../shared/json/byte-string.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import { callerTrace, type Logger } from '../telemetry/log.ts'
import { bytesIn, collectBody, HeldBody, jsonType, sendBody } from './body.ts'
import type { ChooseEncoding } from './compression.ts'
import type { Connections } from './connections.ts'
import { sendBodyRefusal, stoppingResponse } from './graphql.ts'
import { Reply, sendCompressed } from './reply.ts'
import {
  type FoundRoute,
  type Route,
  type RouteAnswer,
  RouteTable,
  refusal,
  securityHeaders,
  unreadable,
} from './routes.ts'
import type { Traffic } from './traffic.ts'

export interface RouteOptions {
  readonly routes: readonly Route[]
  readonly connections: Connections
  readonly traffic: Traffic
  readonly chooseEncoding: ChooseEncoding
  readonly log: Logger
  /** `given`: the caller's own id. */
  requestId(given: unknown): string
}

/** The longest body of a route that does not stream it. */
const mostBodyBytes = 16 * 1024
const noBytes = Buffer.alloc(0)

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
    if (typeof found === 'object' && found.route.isStreamed === true) this.#stream(request, response, found)
    else if (method === 'GET' || method === 'HEAD') {
      connections.awaitBody(request, () => request.destroy())
      void this.#answer(request, response, found, noBytes)
    } else {
      // A body of this length does not count among those that are arriving.
      const held = new HeldBody(connections)
      collectBody(request, mostBodyBytes, connections, held, (body) => {
        if (typeof body !== 'string') void this.#answer(request, response, found, body)
        else sendBodyRefusal(request, response, body, mostBodyBytes, Object.entries(securityHeaders).flat())
      })
    }
  }

  #stream(request: IncomingMessage, response: ServerResponse, found: FoundRoute): void {
    const { connections, traffic } = this.#options
    if (this.#isStopping) {
      request.resume()
      connections.awaitBody(request, () => request.destroy())
      const { status, head, body } = stoppingResponse
      sendBody(response, status, [...head], body)
      return
    }
    traffic.take(request, response)
    connections.awaitProgress(request, () => request.destroy())
    void this.#answer(request, response, found, noBytes)
  }

  /** Never rejects. */
  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    found: FoundRoute | 'nothing' | 'unreadable',
    body: Buffer,
  ): Promise<void> {
    const { log, requestId } = this.#options
    const id = requestId(request.headers['x-request-id'])
    const reply = new Reply(request, response)
    const failed = (error: unknown): void =>
      log.error({ request: id, ...callerTrace(request.headers), err: error }, 'the HTTP server failed')
    let answer: RouteAnswer
    try {
      if (found === 'nothing') answer = nothing
      else if (found === 'unreadable') answer = refusal(400, unreadable())
      else {
        const whenGone = (call: () => void): void => reply.whenGone(call)
        answer = await found.route.answer({ id, raw: request, last: found.last, body, whenGone })
      }
    } catch (error) {
      failed(error)
      const message = `Internal error. The log has it under ${id}.`
      answer = refusal(500, tesseraError('INTERNAL_SERVER_ERROR', message))
    }
    try {
      await this.#send(request, response, reply, answer)
    } catch (error) {
      failed(error)
      reply.destroy()
    }
  }

  async #send(
    request: IncomingMessage,
    response: ServerResponse,
    reply: Reply,
    answer: RouteAnswer,
  ): Promise<void> {
    const { vary, ...others } = answer.headers ?? {}
    // The value that CORS has set before is kept.
    if (vary !== undefined)
      response.setHeader('vary', reply.vary === undefined ? vary : `${reply.vary}, ${vary}`)
    const type = answer.json === undefined ? {} : { 'content-type': jsonType }
    const head = Object.entries({ ...type, ...others }).flat()
    if (this.#isStopping && others.connection === undefined) head.push('connection', 'close')
    const body = bodyOf(answer)
    const encoding =
      answer.bytes === undefined ? this.#options.chooseEncoding(request, bytesIn(body)) : undefined
    if (encoding === undefined) reply.send(answer.status ?? 200, head, body)
    else await sendCompressed(reply, answer.status ?? 200, head, body, encoding)
  }
}

const nothing: RouteAnswer = {
  status: 404,
  json: { errors: [tesseraError('NOT_FOUND', 'This path does not exist. GraphQL is served at /graphql.')] },
}

function bodyOf({ json, text = '', bytes }: RouteAnswer): JsonText {
  if (bytes !== undefined) return [bytes]
  return json === undefined ? byteString(text) : jsonText(json)
}
