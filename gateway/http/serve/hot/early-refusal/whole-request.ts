/**
 * Recognises requests that need no HTTP parser: a POST of a short body to a known path, whose head is of the plainest form
 * and which is all that was read. Whatever else comes is for `node:http`, valid or not: of a request that is recognised,
 * `node:http` would read the same body, and expect the next request right after it.
 */

export interface WholeRequest {
  readonly body: Buffer
  /** The value of `x-request-id`. */
  readonly id: string | undefined
}

export type ReadWhole = (bytes: Buffer) => WholeRequest | undefined

const headEnd = '\r\n\r\n'
/** A longer head is for `node:http`, which has limits of its own. */
const mostHeadBytes = 8 * 1024

/** Names are tokens, and values have neither control characters nor folded lines (RFC 9110, section 5). */
const plainHeaders = /^(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+$/
/** Those that change how the body is read, what the response is, or what becomes of the connection. */
const otherHeader =
  /\n(?:transfer-encoding|content-encoding|trailer|expect|upgrade|http2-settings|proxy-connection|origin|connection(?!:[ \t]*keep-alive[ \t]*\r)):/i
const lengthHeader = /\ncontent-length:(?:[ \t]*(\d{1,7}) *\r)?/gi
const idHeader = /\nx-request-id:(?:[ \t]*([!-~]+)[ \t]*\r)?/gi
const hostHeader = /\nhost:/i

/** `paths` are those of the requests that it recognises, `mostBodyBytes` the longest bodies that they have. */
export function createReadWhole(paths: readonly string[], mostBodyBytes: number): ReadWhole {
  const firstLines = paths.map((path) => `POST ${path} HTTP/1.1\r\n`)
  return (bytes) => {
    const end = bytes.indexOf(headEnd)
    if (end < 0 || end > mostHeadBytes) return undefined
    const bodyBytes = bytes.length - end - headEnd.length
    if (bodyBytes === 0 || bodyBytes > mostBodyBytes) return undefined
    const head = bytes.toString('latin1', 0, end + 2)
    const firstLine = firstLines.find((line) => head.startsWith(line))
    if (firstLine === undefined || !plainHeaders.test(head.slice(firstLine.length))) return undefined
    if (otherHeader.test(head) || !hostHeader.test(head)) return undefined
    if (Number(onlyValueOf(lengthHeader, head)) !== bodyBytes) return undefined
    return { body: bytes.subarray(end + headEnd.length), id: onlyValueOf(idHeader, head) }
  }
}

/** The first group of a header that is there once. */
function onlyValueOf(header: RegExp, head: string): string | undefined {
  header.lastIndex = 0
  const value = header.exec(head)?.[1]
  return value === undefined || header.test(head) ? undefined : value
}
