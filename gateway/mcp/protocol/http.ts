/**
 * The HTTP side of the protocol. A request is checked before the protocol reads it: the method, the origin of a page, and
 * the body. The library's answer becomes one of our HTTP responses, whole or as a stream of events.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { asByteString, byteString } from '../../../shared/json/byte-string.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import type { HttpResponse } from '../../graphql-http/graphql-over-http.ts'
import type { HttpRequest } from '../../graphql-http/http-operation.ts'
import { mediaRangesIn } from '../../graphql-http/media-ranges.ts'
import { contentTypeMessage, isJsonContent } from '../../graphql-http/negotiation.ts'
import { createHostCheck } from '../../server/host-check.ts'
import { rpcCodes, rpcFailure } from './errors.ts'

export interface HttpCheckOptions {
  /** Origins of pages that may call; `*` is none here: any page could use what its reader may. */
  readonly origins: readonly string[]
  /** Names of this server other than localhost and addresses. */
  readonly names: readonly string[]
}

export function createHttpCheck({ origins, names }: HttpCheckOptions) {
  const isOwnHost = createHostCheck(names)
  return (http: HttpRequest): HttpResponse | { readonly body: unknown } => {
    const { method, headers } = http
    if (method !== 'POST')
      return rpcFailure(
        405,
        rpcCodes.refused,
        'Messages are sent by POST: there is nothing to GET or DELETE.',
        { head: ['allow', 'POST'] },
      )
    if (!isKnownOrigin(headers, origins, isOwnHost))
      return rpcFailure(
        403,
        rpcCodes.refused,
        'The Origin header names a page of another site: TESSERA_CORS_ORIGINS has to name it.',
      )
    if (!isJsonContent(headers['content-type'])) return rpcFailure(415, rpcCodes.refused, contentTypeMessage)
    const body = parsedJson(http.body)
    if (body === undefined)
      return rpcFailure(400, rpcCodes.parse, 'The body is not JSON: expected one JSON-RPC message.')
    if (!isObject(body))
      return rpcFailure(400, rpcCodes.invalidRequest, 'Expected one JSON-RPC message; batches are not taken.')
    return { body }
  }
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A program that is no browser names no origin. A page is known by its name, or because it is of this very server. */
function isKnownOrigin(
  { origin, host }: IncomingHttpHeaders,
  origins: readonly string[],
  isOwnHost: (host: string | undefined) => boolean,
): boolean {
  if (origin === undefined) return true
  if (origins.includes(origin)) return true
  const url = URL.parse(origin)
  if (url === null) return false
  if (loopback.has(url.hostname) || url.hostname.endsWith('.localhost')) return isOwnHost(host)
  return url.host === host && isOwnHost(host)
}

const passedOn = ['content-type', 'mcp-protocol-version', 'allow']

const isEvents = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true

function headOf(response: Response): string[] {
  return passedOn.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [name, value]
  })
}

/**
 * `end`: given if the events come for as long as the client listens. It returns the message that the server adds when the
 * stream is over, if there is one. Other events are gathered, so that a refusal may still take their place.
 */
export async function httpResponseOf(
  response: Response,
  accept: string | undefined,
  end: (() => string | undefined) | undefined,
): Promise<HttpResponse> {
  const head = headOf(response)
  const { status, body } = response
  if (end !== undefined && body !== null && isEvents(response))
    return {
      status,
      head,
      body: asByteString(''),
      stream: (out, rest) => void send(body, end, out, status, [...rest, 'cache-control', 'no-store']),
    }
  const text = await response.text()
  if (!isEvents(response) || acceptsEvents(accept)) return { status, head, body: byteString(text) }
  // Clients of 2025-11-25 get one event, with the answer.
  const [, answer = ''] = /^data: ([^\n]*)/m.exec(text) ?? []
  return { status, head: ['content-type', 'application/json'], body: byteString(answer) }
}

const acceptsEvents = (accept = '*/*'): boolean =>
  mediaRangesIn(accept).some(({ name }) => ['text/event-stream', 'text/*', '*/*'].includes(name))

/** The most bytes of events that wait for a client; one that takes none is sent away. */
const mostWaiting = 256 * 1024

async function send(
  body: ReadableStream<Uint8Array>,
  end: () => string | undefined,
  out: ServerResponse,
  status: number,
  head: readonly string[],
): Promise<void> {
  const reader = body.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  if (out.destroyed) {
    stop()
    return
  }
  out.once('close', stop)
  out.writeHead(status, [...head])
  out.flushHeaders()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      out.write(part.value)
      if (out.writableLength > mostWaiting) out.destroy()
    }
    const last = end()
    out.end(last === undefined ? undefined : `event: message\ndata: ${last}\n\n`)
  } catch {
    out.destroy()
  }
}
