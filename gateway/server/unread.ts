/**
 * The responses that `node:http` makes by itself, in the form of every other one: to requests that cannot be read or
 * name no host (400), are late (408), have an unknown expectation (417) or headers that are too long (431), and to
 * `Expect: 100-continue`. None of them may be within the response to an earlier request of the connection, because a
 * client would take it for a part of that.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { tesseraError } from '../../shared/errors.ts'
import { STATUS_CODES } from '../../shared/http/node-http.ts'
import { jsonText } from '../../shared/json/byte-string.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { jsonType } from './body.ts'
import { securityHeaders } from './routes.ts'

/** Counts and logs unreadable requests. */
export interface Unread {
  readonly metrics: Pick<Metrics, 'request'>
  readonly log: Logger
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The parser's code for a connection that ends within a request. */
const endedEarly = 'HPE_INVALID_EOF_STATE'

/** How long a client may continue to send, so that it can read its refusal before the connection is closed. */
const lingerMs = 500

/** The same listener, without requests of HTTP/1.1 that lack `Host` (RFC 9112, section 3.2). */
export function withHost(listener: RequestListener, unread: Unread | undefined): RequestListener {
  return (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') listener(request, response)
    else
      refuseHead(request, response, 400, tesseraError('BAD_REQUEST', 'The header Host is missing.'), unread)
  }
}

/** Refuses a readable request, in its turn on the connection. */
function refuseHead(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  error: Error,
  unread: Unread | undefined,
): void {
  note(unread, status, error.message)
  request.resume()
  const body = jsonText({ errors: [error] })
  response.writeHead(status, headOf(body))
  response.end(body as string, 'latin1')
}

function note(unread: Unread | undefined, status: number, reason: string | undefined): void {
  unread?.metrics.request({ operationName: undefined, status, milliseconds: 0, codes: [codeOf(status)] })
  unread?.log.info({ status, reason }, 'a request could not be read')
}

/** Handles what the listener of requests does not receive. */
export function answerUnread(server: Server, unread: Unread | undefined): void {
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

  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    lastOf.set(request.socket, { request, response })
    const error = tesseraError('BAD_REQUEST', 'The only supported expectation is 100-continue.', {
      status: 417,
    })
    refuseHead(request, response, 417, error, unread)
  })

  server.on('clientError', (error: Error & { readonly code?: string }, socket: Duplex) => {
    // Later data are read and dropped.
    if (refused.has(socket)) return
    refused.add(socket)
    if (!socket.writable || error.code === 'ECONNRESET' || isBeforeTls(socket)) {
      socket.destroy()
      return
    }
    const { status, body } = refusalOf(error.code)
    note(unread, status, error.code)
    const last = lastOf.get(socket)
    if (last === undefined || isOver(last)) refuse(socket, status, body)
    else if (last.request.complete) last.response.once('close', () => refuse(socket, status, body))
    // A client that ends in the middle of its body is gone: a response would suggest to the readers of the body that it
    // is not.
    else if (last.response.headersSent || error.code === endedEarly) socket.destroy()
    else {
      // The fault is in its own body. Its turn may not have come yet.
      last.response.writeHead(status, headOf(body))
      last.response.end(body as string, 'latin1')
    }
  })
}

/** An HTTPS server reports an error of the handshake as a client's error, too. */
const isBeforeTls = (socket: Duplex): boolean => socket instanceof TLSSocket && socket.getProtocol() === null

const codeOf = (status: number): string =>
  status === 408 ? 'REQUEST_TIMEOUT' : status === 400 || status === 417 ? 'BAD_REQUEST' : 'REQUEST_TOO_LARGE'

function refusalOf(code: string | undefined): { status: number; body: JsonText } {
  const answer = (status: number, error: Error): { status: number; body: JsonText } => ({
    status,
    body: jsonText({ errors: [error] }),
  })
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return answer(408, tesseraError('REQUEST_TIMEOUT', 'The request did not arrive in time.'))
    case 'HPE_HEADER_OVERFLOW':
      return answer(431, tesseraError('REQUEST_TOO_LARGE', 'The headers are too long.', { status: 431 }))
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return answer(413, tesseraError('REQUEST_TOO_LARGE', 'The extensions of the chunks are too long.'))
    default:
      return answer(400, tesseraError('BAD_REQUEST', 'The HTTP request cannot be read.'))
  }
}

const headOf = (body: JsonText): string[] => [
  ...Object.entries(securityHeaders).flat(),
  ...['content-type', jsonType, 'content-length', String(body.length), 'connection', 'close'],
]

/** Closes the connection, with or without TLS, when the refusal has left and its client has had time to read it. */
function refuse(socket: Duplex, status: number, body: JsonText): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const head = headOf(body)
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  for (let at = 0; at < head.length; at += 2) text += `${head[at]}: ${head[at + 1]}\r\n`
  socket.end(`${text}\r\n${String(body)}`, 'latin1')
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
