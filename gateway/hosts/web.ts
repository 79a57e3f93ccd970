/**
 * A handler for other servers: between `Request` and `Response`, and as a listener of `node:http`. A body is read
 * within its bound and decoded; a client that goes away cancels its work.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GraphQLError } from 'graphql'
import { statusOfError, tesseraError } from '../../shared/errors.ts'
import { codingOf } from '../../shared/http/codings.ts'
import { decodeRequest } from '../../shared/http/decoders.ts'
import { GatheredBytes } from '../../shared/http/gathered-bytes.ts'
import type { ClientAddress } from '../auth/client-address.ts'
import { joinedVary } from '../headers/index.ts'
import { bodyRefusal, refusalHead, refusals } from '../server/refusals.ts'
import { cancelledBy, type EndpointRequest, type EndpointResponse, headersOf } from './endpoint.ts'

type Respond = (request: EndpointRequest) => Promise<EndpointResponse>

interface WebBounds {
  /** The most bytes of a body, as received and decoded. */
  readonly maxBodyBytes: number
  /** Until a body is complete. */
  readonly bodyTimeoutMs: number
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
      isTaken: request.bodyUsed,
      body: (stop) => (request.body === null ? [] : chunksOf(request.body, stop)),
    })
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((line): [string, string] => [name, line]),
    )
    return new Response(body.length === 0 ? null : body, { status, headers: lines })
  }
}

/**
 * The chunks of a stream, which is cancelled as soon as no more are wanted. `Readable.fromWeb` takes no streams of other
 * implementations, which some servers' own `Request` has.
 */
async function* chunksOf(stream: ReadableStream<Uint8Array>, stop: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  stop.addEventListener('abort', cancel, { once: true })
  try {
    if (stop.aborted) return
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    cancel()
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
  clientAddress: ClientAddress,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request: Mounted, response) => {
    const { method = 'GET', url = '/', originalUrl = url, headers, socket } = request
    const gone = new AbortController()
    response.once('close', () => {
      // By HTTP/2 `writableFinished` is true of every response whose client has gone.
      if (!response.writableEnded) gone.abort()
    })
    // A body that is too long ends with a response, not with the connection.
    const isParsed = request.readableEnded
    const body: Asked['body'] = () =>
      isParsed ? parsed(request.body) : request.iterator({ destroyOnReturn: false })
    // A parser in front has also decoded the body, but left its coding in the headers.
    const sent = isParsed ? { ...headers, 'content-encoding': undefined } : headers
    const address = clientAddress(headers, socket)
    const isTaken = isParsed && request.body === undefined && request.readableDidRead
    const asked = { method, url: originalUrl, headers: sent, address, signal: gone.signal, isTaken, body }
    void answered(respond, bounds, asked).then(({ status, headers, body }) => {
      // The surrounding program may have responded meanwhile, for example after its own timeout.
      if (response.destroyed || response.headersSent) return
      // Otherwise all of a body that is not wanted would have to be received before the next request.
      if (!request.complete && request.httpVersionMajor === 1) response.setHeader('connection', 'close')
      const { vary, 'set-cookie': cookies, ...others } = headers
      // The surrounding program may have set some of its own, for example for CORS and sessions.
      if (vary !== undefined)
        response.setHeader('vary', joinedVary([response.getHeader('vary')?.toString(), vary].flat()))
      if (cookies !== undefined) response.appendHeader('set-cookie', cookies)
      response.writeHead(status, { ...others, ...(status === 304 ? {} : { 'content-length': body.length }) })
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
  /** Its bytes; none are wanted any more once the signal is aborted. */
  readonly body: (stop: AbortSignal) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Whether the surrounding program has read the body, and left it nowhere. */
  readonly isTaken: boolean
}

/** Never rejects. */
async function answered(respond: Respond, bounds: WebBounds, asked: Asked): Promise<EndpointResponse> {
  const bytes = await read(asked, bounds)
  if (bytes === 'taken') return refused(taken)
  if (bytes === 'broken') return refused(tesseraError('BAD_REQUEST', 'The body of the request broke off.'))
  if (typeof bytes === 'string') return refused(bodyRefusal(bytes, bounds.maxBodyBytes))
  const coding = codingOf(asked.headers['content-encoding'])
  if (coding === undefined || bytes.length === 0) return respond({ ...asked, body: bytes })
  if (coding === null) return refused(refusals.uncoded)
  const decoded = await decodeRequest(bytes, coding, { maxBytes: bounds.maxBodyBytes })
  return typeof decoded === 'string'
    ? refused(bodyRefusal(decoded, bounds.maxBodyBytes))
    : respond({ ...asked, body: decoded })
}

const taken = tesseraError(
  'INTERNAL_SERVER_ERROR',
  'The body of the request was read before the graph got it, for example by a body parser.',
)

type Unread = 'taken' | 'too-large' | 'late' | 'broken'

/** The bytes of the body, or why there are none. */
async function read(
  { method, headers, signal, isTaken, body }: Asked,
  { maxBodyBytes, bodyTimeoutMs }: WebBounds,
): Promise<Buffer | Unread> {
  if (method === 'GET' || method === 'HEAD') return Buffer.alloc(0)
  if (isTaken) return 'taken'
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) return 'too-large'
  const stop = new AbortController()
  const ended = Promise.withResolvers<Unread>()
  const endAs = (why: Unread): void => {
    ended.resolve(why)
    stop.abort()
  }
  const timer = setTimeout(endAs, bodyTimeoutMs, 'late')
  try {
    return await cancelledBy(signal, (watch) => {
      watch({ cancel: () => endAs('broken') })
      return Promise.race([ended.promise, gather(body(stop.signal), maxBodyBytes)])
    })
  } catch {
    return 'broken'
  } finally {
    clearTimeout(timer)
  }
}

async function gather(chunks: ReturnType<Asked['body']>, maxBytes: number): Promise<Buffer | 'too-large'> {
  const gathered = new GatheredBytes(maxBytes)
  for await (const chunk of chunks) if (!gathered.add(Buffer.from(chunk))) return 'too-large'
  return gathered.take()
}

function refused(error: GraphQLError): EndpointResponse {
  return {
    status: statusOfError(error),
    headers: headersOf(refusalHead(error)),
    body: Buffer.from(JSON.stringify({ errors: [error] })),
  }
}
