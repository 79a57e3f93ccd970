/**
 * Recognises requests that need no HTTP parser: a POST of a short body to a known path, whose head is of the plainest form
 * and which is all that was read. Whatever else comes is for `node:http`, valid or not: of a request that is recognised,
 * `node:http` would read the same headers and the same body, and expect the next request right after it.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createHeaderNames, valueEnd, valueStart } from '../../../../../contract/http/header-text.ts'
import type { Received } from '../../reply.ts'

export interface WholeRequest extends Received {
  readonly body: Buffer
}

export interface WholeRequests {
  /** What was read of a connection, where that is one request in the plainest form. */
  read(bytes: Buffer, socket: Socket): WholeRequest | undefined
  /** Whether the client sends requests in that form, as far as one tells that `node:http` has read. */
  mayComeAgain(request: IncomingMessage): boolean
}

const headEnd = '\r\n\r\n'
/** A longer head is for `node:http`, which has limits of its own. */
const mostHeadBytes = 8 * 1024

/** Names are tokens, and values have neither control characters nor folded lines (RFC 9110, section 5). */
const plainHeaders = /^(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+$/
/**
 * Headers that change how the body is read, what the response is, or what becomes of the connection; and names that are no
 * plain members of an object.
 */
const notPlain: ReadonlySet<string> = new Set([
  ...['transfer-encoding', 'content-encoding', 'trailer', 'expect', 'upgrade', 'http2-settings'],
  ...['proxy-connection', 'set-cookie', '__proto__'],
])
const nameOf = createHeaderNames((name) => !notPlain.has(name))
const lengthForm = /^[ \t]*\d{1,7} *$/
const keepAliveForm = /^keep-alive$/i
/** What comes in pieces is written by `node:http`. */
const piecesForm = /event-stream|multipart/i

export interface WholeRequestOptions {
  /** Of the requests that are recognised. */
  readonly paths: readonly string[]
  /** The longest bodies that they have. */
  readonly mostBodyBytes: number
  /** Whether what a page of a browser sends may need CORS, and so is not for here. */
  readonly hasCors: boolean
}

export function createWholeRequests({ paths, mostBodyBytes, hasCors }: WholeRequestOptions): WholeRequests {
  /** Whether a whole response is asked for, which needs no headers for CORS, and the connection is to be kept. */
  const isPlain = ({ accept, connection, origin }: IncomingMessage['headers']): boolean => {
    if (hasCors && origin !== undefined) return false
    if (connection !== undefined && !keepAliveForm.test(connection)) return false
    return accept === undefined || !piecesForm.test(accept)
  }
  const firstLines = paths.map((path) => ({ path, line: `POST ${path} HTTP/1.1\r\n` }))
  return {
    read(bytes, socket) {
      const end = bytes.indexOf(headEnd)
      if (end < 0 || end > mostHeadBytes) return undefined
      const bodyBytes = bytes.length - end - headEnd.length
      if (bodyBytes === 0 || bodyBytes > mostBodyBytes) return undefined
      const head = bytes.toString('latin1', 0, end + 2)
      const first = firstLines.find(({ line }) => head.startsWith(line))
      if (first === undefined) return undefined
      const headers = headersOf(bytes, head, first.line.length)
      if (headers === undefined || headers.host === undefined) return undefined
      if (Number(headers['content-length']) !== bodyBytes || !isPlain(headers)) return undefined
      return { method: 'POST', url: first.path, headers, socket, body: bytes.subarray(end + headEnd.length) }
    },
    mayComeAgain({ method, url, headers }) {
      if (method !== 'POST' || !firstLines.some(({ path }) => path === url)) return false
      if (!(Number(headers['content-length']) <= mostBodyBytes) || !isPlain(headers)) return false
      for (const name of notPlain) if (Object.hasOwn(headers, name)) return false
      return true
    },
  }
}

/**
 * As `node:http` has them: those of the head, which is the beginning of these bytes, from `start` on. Undefined where one
 * comes twice, or is not plain.
 */
function headersOf(bytes: Buffer, head: string, start: number): IncomingMessage['headers'] | undefined {
  if (!plainHeaders.test(head.slice(start))) return undefined
  const headers: IncomingMessage['headers'] = {}
  for (let at = start; at < head.length; ) {
    const colon = head.indexOf(':', at)
    const end = head.indexOf('\r', colon)
    const name = nameOf(head.slice(at, colon))
    // A name that every object inherits is refused as well.
    if (name === undefined || headers[name] !== undefined) return undefined
    if (name === 'content-length' && !lengthForm.test(head.slice(colon + 1, end))) return undefined
    headers[name] = valueIn(bytes, head, colon + 1, end)
    at = end + 2
  }
  return headers
}

/** Shorter parts of a text V8 makes as texts of their own. */
const longestCopied = 12

/** In memory of its own, as some values are kept for long. */
function valueIn(bytes: Buffer, head: string, start: number, end: number): string {
  const from = valueStart(head, start, end)
  const to = valueEnd(head, from, end)
  return to - from > longestCopied ? bytes.toString('latin1', from, to) : head.slice(from, to)
}
