/**
 * A handler for other servers: between `Request` and `Response`, and as a listener of `node:http`. A body is read
 * within its bound and decoded; a client that goes away cancels its work.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { acceptedCodings, codingOf } from '../../shared/http/codings.ts'
import { type NotDecoded, requestDecoders } from '../../shared/http/decoders.ts'
import { GatheredBytes } from '../../shared/http/gathered-bytes.ts'
import type { EndpointRequest, EndpointResponse } from './endpoint.ts'

type Respond = (request: EndpointRequest) => Promise<EndpointResponse>

export interface WebBounds {
  /** The most bytes of a body, as received and decoded. */
  readonly maxBodyBytes: number
}

export function fetchOver(respond: Respond, bounds: WebBounds): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, signal } = request
    const { pathname, search } = new URL(request.url)
    const { status, headers, body } = await answered(respond, bounds, {
      method,
      url: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      signal,
      body: request.body ?? [],
    })
    return new Response(body.length === 0 ? null : body, { status, headers })
  }
}

/** What Express adds to a request. */
interface Mounted extends IncomingMessage {
  readonly originalUrl?: string
  readonly body?: unknown
}

export function listenerOver(
  respond: Respond,
  bounds: WebBounds,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request: Mounted, response) => {
    const { method = 'GET', url = '/', originalUrl = url, headers } = request
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    // A body that is too long ends with a response, not with the connection.
    const body = request.readableEnded ? parsed(request.body) : request.iterator({ destroyOnReturn: false })
    const asked = { method, url: originalUrl, headers, signal: gone.signal, body }
    void answered(respond, bounds, asked).then(({ status, headers, body }) => {
      if (response.destroyed) return
      // The unread rest of such a body would be taken for the next request.
      if (!request.readableEnded) response.setHeader('connection', 'close')
      response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'content-length': body.length }) })
      response.end(body)
    })
  }
}

/** The result of a body parser in front: bytes, text, or the parsed object. */
function parsed(body: unknown): Iterable<Uint8Array> {
  if (body === undefined) return []
  if (body instanceof Uint8Array) return [body]
  return [Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))]
}

interface Asked extends Omit<EndpointRequest, 'body'> {
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Never rejects. */
async function answered(
  respond: Respond,
  { maxBodyBytes }: WebBounds,
  asked: Asked,
): Promise<EndpointResponse> {
  const bytes = await read(asked, maxBodyBytes)
  if (!Buffer.isBuffer(bytes)) return bytes
  const coding = codingOf(asked.headers['content-encoding'])
  if (coding === undefined || bytes.length === 0) return respond({ ...asked, body: bytes })
  if (coding === null) return refused(415, uncoded, { 'accept-encoding': acceptedCodings })
  const decoded = await new Promise<Buffer | NotDecoded>((resolve) => {
    requestDecoders.decode(bytes, coding, { maxBytes: maxBodyBytes }, resolve)
  })
  if (Buffer.isBuffer(decoded)) return respond({ ...asked, body: decoded })
  if (decoded === 'too-large') return tooLarge(maxBodyBytes)
  return decoded === 'busy' ? refused(503, busy, { 'retry-after': '1' }) : refused(400, garbled)
}

async function read({ method, headers, body }: Asked, maxBytes: number): Promise<Buffer | EndpointResponse> {
  if (method === 'GET' || method === 'HEAD') return Buffer.alloc(0)
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes)
  const gathered = new GatheredBytes(maxBytes)
  try {
    for await (const chunk of body) if (!gathered.add(Buffer.from(chunk))) return tooLarge(maxBytes)
  } catch {
    return refused(400, tesseraError('BAD_REQUEST', 'The body of the request broke off.'))
  }
  return gathered.take()
}

const uncoded = tesseraError('BAD_REQUEST', `The coding of the body must be one of ${acceptedCodings}.`)
const garbled = tesseraError('BAD_REQUEST', 'The body is not in the coding that Content-Encoding names.')
const busy = tesseraError('SERVICE_BUSY', 'Too many compressed requests arrive at once.', { retryAfter: 1 })
const tooLarge = (maxBytes: number): EndpointResponse =>
  refused(413, tesseraError('REQUEST_TOO_LARGE', `The request body is larger than ${maxBytes} bytes.`))

function refused(
  status: number,
  error: GraphQLError,
  headers: Readonly<Record<string, string>> = {},
): EndpointResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: Buffer.from(JSON.stringify({ errors: [error] })),
  }
}
