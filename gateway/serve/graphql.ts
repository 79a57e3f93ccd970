/**
 * The lane of GraphQL requests through the front, on `node:http` itself: most of what a framework does for a
 * request (routing, hooks, content types) this one path does not need, and every request would pay for it.
 *
 * It promises that a body is never held beyond its bound, that each request gets exactly one answer, and that
 * whoever went away is told to the requests that still run for them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tesseraError } from '../../subgraphs/lib/errors.ts'
import { jsonText } from '../../subgraphs/lib/wire-text.ts'
import type { Answerer, HttpAnswer } from '../answer.ts'
import type { Logger } from '../log.ts'
import type { GatewayRequest } from '../request.ts'
import { collectBody, jsonType, sendBody } from './body.ts'
import type { Traffic } from './traffic.ts'

export interface GraphqlLaneOptions {
  readonly answer: Answerer
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly corsOrigins: readonly string[]
  readonly csrf: boolean
  /** Told of every request that is taken on. */
  readonly traffic: Traffic
  requestId(raw: IncomingMessage): string
}

export interface GraphqlLane {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** From now on connections are not kept, and with `refuse` nothing new is answered. */
  leave(refuse: boolean): void
}

/** Headers of every answer. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

const securityList: readonly string[] = Object.entries(securityHeaders).flat()

/** Headers that a page of another site cannot send without asking first. */
const preflightHeaders = ['apollo-require-preflight', 'x-apollo-operation-name', 'x-tessera-csrf'] as const

/** For whoever comes too late. */
export const stoppingAnswer: HttpAnswer = {
  status: 503,
  head: ['content-type', jsonType, 'retry-after', '1', 'connection', 'close'],
  body: jsonText({ errors: [tesseraError('SERVICE_STOPPING', 'This server is shutting down.')] }),
}

export function createGraphqlLane(options: GraphqlLaneOptions): GraphqlLane {
  const { answer, log, maxBodyBytes, corsOrigins, csrf, traffic, requestId } = options
  let leaving = false
  let refusing = false

  const tooLarge = (): HttpAnswer =>
    failure(
      413,
      tesseraError('REQUEST_TOO_LARGE', `The request body is larger than ${maxBodyBytes} bytes.`),
      // What is still on its way is not read.
      ['connection', 'close'],
    )

  /** What is answered without looking at the body; undefined for most. */
  function refusal(request: IncomingMessage): HttpAnswer | undefined {
    if (refusing) return stoppingAnswer
    if (csrf && request.method === 'GET' && isForeignPage(request, corsOrigins)) {
      const names = preflightHeaders.join(', ')
      return failure(
        403,
        tesseraError('FORBIDDEN', `A page of another site must send one of these headers: ${names}.`),
      )
    }
    return Number(request.headers['content-length'] ?? 0) > maxBodyBytes ? tooLarge() : undefined
  }

  function send(response: ServerResponse, id: string, { status, head, body }: HttpAnswer): void {
    const whole = [...securityList, 'x-request-id', id, ...head]
    if (leaving && !head.includes('connection')) whole.push('connection', 'close')
    sendBody(response, status, whole, body)
  }

  async function run(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    body: Buffer,
    running: GatewayRequest[],
  ): Promise<void> {
    const { headers, method = 'GET', url = '/graphql' } = request
    let answered: HttpAnswer
    try {
      answered = await answer({ id, method, url, headers, body }, (one) => running.push(one))
    } catch (error) {
      log.error({ request: id, err: error }, 'the front failed')
      const words = `Something went wrong here. The log has it under ${id}.`
      answered = failure(500, tesseraError('INTERNAL_SERVER_ERROR', words))
    }
    send(response, id, answered)
  }

  return {
    handle(request, response) {
      const id = requestId(request)
      const refused = refusal(request)
      if (refused !== undefined) {
        request.resume()
        send(response, id, refused)
        return
      }
      // An operation, or several in a batch.
      const running: GatewayRequest[] = []
      traffic.take(request, response, (whole) => {
        if (!whole) for (const one of running) one.cancel()
      })
      collectBody(request, maxBodyBytes, (body) => {
        if (body === undefined) {
          send(response, id, tooLarge())
          return
        }
        run(request, response, id, body, running).catch((error: unknown) => {
          log.error({ request: id, err: error }, 'the front failed')
          response.destroy()
        })
      })
    },
    leave(refuse) {
      leaving = true
      refusing = refuse
    },
  }
}

function failure(status: number, error: Error, more: readonly string[] = []): HttpAnswer {
  return {
    status,
    head: ['content-type', jsonType, ...more],
    body: jsonText({ errors: [error] }),
  }
}

/** Whether a browser says that a page of another site sent this, without having been asked for leave. */
function isForeignPage({ headers }: IncomingMessage, origins: readonly string[]): boolean {
  if (headers['sec-fetch-site'] !== 'cross-site') return false
  if (preflightHeaders.some((name) => headers[name] !== undefined)) return false
  return headers.origin === undefined || !origins.includes(headers.origin)
}
