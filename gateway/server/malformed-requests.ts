/**
 * The responses that `node:http` makes by itself, in the form of every other one: to requests that cannot be read or
 * name no host (400), are late (408), have an unknown expectation (417) or headers that are too long (431), and to
 * `Expect: 100-continue`. Requests with another transfer coding than chunks, which Node does not decode, are refused
 * here, too (501). None of these responses may be written within the response to an earlier request of the connection,
 * because a client would take it for a part of that response.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { GraphQLError } from 'graphql'
import { statusOfError } from '../../shared/errors.ts'
import { STATUS_CODES } from '../../shared/http/node-http.ts'
import { jsonText } from '../../shared/json/byte-string.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { endConnection } from './end-connection.ts'
import { withBoundedPipeline } from './pipelined-requests.ts'
import { refusalHead, refusals } from './refusals.ts'
import { securityHeaders } from './routes.ts'

export interface MalformedRequestLog {
  readonly metrics: Pick<Metrics, 'request'>
  readonly log: Logger
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The parser's code for a connection that ends within a request. */
const endedEarly = 'HPE_INVALID_EOF_STATE'

/** The same listener, without requests whose head is well-formed but refused. */
export function withCheckedHead(
  listener: RequestListener,
  malformed: MalformedRequestLog | undefined,
): RequestListener {
  return (request, response) => {
    const fault = faultOf(request)
    if (fault === undefined) listener(request, response)
    else refuseHead(request, response, fault, malformed)
  }
}

/** Several `Host`, none in HTTP/1.1 (RFC 9112, section 3.2), or a transfer coding that is not decoded (6.1). */
function faultOf(request: IncomingMessage): GraphQLError | undefined {
  const coding = request.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return refusals.transferCoding
  const hosts = hostsOf(request)
  if (hosts === 1 || (hosts === 0 && request.httpVersion !== '1.1')) return undefined
  return hosts === 0 ? refusals.noHost : refusals.hosts
}

/** How many headers `Host` were sent. Node keeps the first one, and a proxy in front may have read another. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count
}

/** Refuses a readable request, in its turn on the connection. */
function refuseHead(
  request: IncomingMessage,
  response: ServerResponse,
  error: GraphQLError,
  malformed: MalformedRequestLog | undefined,
): void {
  note(malformed, error, error.message)
  request.resume()
  respond(response, error)
}

function respond(response: ServerResponse, error: GraphQLError): void {
  const body = bodyOf(error)
  response.writeHead(statusOfError(error), headOf(error, body))
  response.end(body, 'latin1')
}

function note(
  malformed: MalformedRequestLog | undefined,
  error: GraphQLError,
  reason: string | undefined,
): void {
  const status = statusOfError(error)
  const codes = [String(error.extensions.code)]
  malformed?.metrics.request({ operationName: undefined, status, milliseconds: 0, codes })
  malformed?.log.info({ status, reason }, 'a request could not be read')
}

/** Handles what the listener of requests does not receive. */
export function handleMalformedRequests(server: Server, malformed: MalformedRequestLog | undefined): void {
  const lastOf = new WeakMap<Duplex, Exchange>()
  const refused = new WeakSet<Duplex>()
  const isOver = (one: Exchange | undefined): boolean =>
    one === undefined || one.response.writableFinished || one.response.closed

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    lastOf.set(request.socket, { request, response })
  })

  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const before = lastOf.get(request.socket)
    lastOf.set(request.socket, { request, response })
    const goOn = (): void => {
      if (!response.headersSent && !response.destroyed && !request.complete) response.writeContinue()
    }
    if (before === undefined || isOver(before)) goOn()
    else before.response.once('close', goOn)
    server.emit('request', request, response)
  })

  const refuseExpectation = withBoundedPipeline((request, response) => {
    lastOf.set(request.socket, { request, response })
    refuseHead(request, response, refusals.expectation, malformed)
  }, malformed?.log)
  server.on('checkExpectation', refuseExpectation)

  server.on('clientError', (error: Error & { readonly code?: string }, socket: Duplex) => {
    // Later data are read and dropped.
    if (refused.has(socket)) return
    refused.add(socket)
    if (!socket.writable || error.code === 'ECONNRESET' || isBeforeTls(socket)) {
      socket.destroy()
      return
    }
    const refusal = refusalOf.get(error.code) ?? refusals.unreadable
    note(malformed, refusal, error.code)
    const last = lastOf.get(socket)
    if (last === undefined || isOver(last)) refuse(socket, refusal)
    else if (last.request.complete) last.response.once('close', () => refuse(socket, refusal))
    // A client that ends in the middle of its body is gone: a response would suggest to the readers of the body that it
    // is not.
    else if (last.response.headersSent || error.code === endedEarly) socket.destroy()
    else {
      // The fault is in its own body. Its turn may not have come yet.
      respond(last.response, refusal)
    }
  })
}

/** An HTTPS server reports an error of the handshake as a client's error, too. */
const isBeforeTls = (socket: Duplex): boolean => socket instanceof TLSSocket && socket.getProtocol() === null

/** By the codes of the parser; all others are unreadable. */
const refusalOf: ReadonlyMap<string | undefined, GraphQLError> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', refusals.lateHead],
  ['HPE_HEADER_OVERFLOW', refusals.longHead],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', refusals.longChunks],
])

const bodyOf = (error: GraphQLError): string => jsonText({ errors: [error] })
const headOf = (error: GraphQLError, body: string): string[] => [
  ...Object.entries(securityHeaders).flat(),
  ...[...refusalHead(error), 'content-length', String(body.length), 'connection', 'close'],
]

function refuse(socket: Duplex, error: GraphQLError): void {
  const status = statusOfError(error)
  const body = bodyOf(error)
  const head = headOf(error, body)
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  for (let at = 0; at < head.length; at += 2) text += `${head[at]}: ${head[at + 1]}\r\n`
  endConnection(socket, `${text}\r\n${body}`)
}
