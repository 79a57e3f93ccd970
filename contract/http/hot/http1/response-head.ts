/** Reads the head of a response, and from it where the body ends. Strict: what two readers could take in two ways is an error. */
import type { IncomingHttpHeaders } from 'node:http'
import { errors } from 'undici'
import { createHeaderNames, valueEnd, valueStart } from '../../header-text.ts'

/** Where the body ends: after so many bytes, with its last chunk, or with the connection. */
export type BodyEnd = number | 'chunked' | 'closed'

export interface ResponseHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bodyEnd: BodyEnd
  /** Whether the connection may be used again. */
  readonly persistent: boolean
}

/** Status line and header lines with nothing in them that may not stand there; each line ends with CRLF. */
const statusLine = /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?$/
const notInName = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/
/** Line breaks among them. */
const notInValue = /[^\t\x20-\x7e\x80-\xff]/
const lengthForm = /^\d{1,15}$/
const closeToken = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i
const keepAliveToken = /(?:^|,)[\t ]*keep-alive[\t ]*(?:,|$)/i

const nameFrom = createHeaderNames((name) => !notInName.test(name))

export const badResponse = (why: string): Error =>
  new errors.HTTPParserError(`Response does not match HTTP/1.1: ${why}`)

/** `text`: in Latin-1, without the empty line at its end. Throws where it is no such head. */
export function responseHeadFrom(text: string, method: string): ResponseHead {
  const lineEnd = text.indexOf('\r\n')
  const first = text.slice(0, lineEnd)
  if (!statusLine.test(first)) throw badResponse('status line')
  const status = Number(first.slice(9, 12))
  const headers = headersFrom(text, lineEnd + 2)
  const bodyEnd = bodyEndOf(status, headers, method)
  const isNewer = text.charCodeAt(7) === 0x31
  return { status, headers, bodyEnd, persistent: bodyEnd !== 'closed' && isPersistent(headers, isNewer) }
}

function headersFrom(text: string, from: number): IncomingHttpHeaders {
  const headers: Record<string, string | string[] | undefined> = {}
  for (let at = from; at < text.length; ) {
    const end = text.indexOf('\r\n', at)
    const colon = text.indexOf(':', at)
    if (colon <= at || colon > end) throw badResponse('header line')
    const name = nameFrom(text.slice(at, colon))
    if (name === undefined) throw badResponse('header name')
    const first = valueStart(text, colon + 1, end)
    const value = text.slice(first, valueEnd(text, first, end))
    if (notInValue.test(value)) throw badResponse('header value')
    const before = headers[name]
    // A name such as `constructor` is inherited; it is no header of this response.
    if (before === undefined || !Object.hasOwn(headers, name)) headers[name] = value
    else if (typeof before === 'string') headers[name] = [before, value]
    else before.push(value)
    at = end + 2
  }
  return headers as IncomingHttpHeaders
}

function bodyEndOf(status: number, headers: IncomingHttpHeaders, method: string): BodyEnd {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  if (coding !== undefined) {
    if (length !== undefined) throw badResponse('length and coding')
    if (typeof coding !== 'string' || coding.toLowerCase() !== 'chunked') throw badResponse('transfer coding')
  }
  if (length !== undefined && !(typeof length === 'string' && lengthForm.test(length)))
    throw badResponse('length')
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 0
  if (coding !== undefined) return 'chunked'
  return length === undefined ? 'closed' : Number(length)
}

function isPersistent({ connection }: IncomingHttpHeaders, isNewer: boolean): boolean {
  if (connection === undefined) return isNewer
  const all = String(connection)
  return !closeToken.test(all) && (isNewer || keepAliveToken.test(all))
}

/** For so long the service keeps a connection without requests, in milliseconds; undefined where it does not say. */
export function announcedIdleMs({ 'keep-alive': value }: IncomingHttpHeaders): number | undefined {
  if (value === undefined) return undefined
  const seconds = /timeout=(\d{1,9})/.exec(String(value))?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
