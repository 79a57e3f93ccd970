/** The head of a response as it is written, with what `node:http` adds to each. */
import { STATUS_CODES } from '../../../../../contract/http/node-http.ts'

const notInValue = /[^\t\x20-\x7e\x80-\xff]/

export interface ResponseHead {
  readonly status: number
  /** Alternating names and values. */
  readonly head: readonly string[]
  /** Of the body, in bytes. */
  readonly length: number
  /** Whether the connection is kept. */
  readonly isKept: boolean
}

/** Makes heads for connections that are kept for so long without a request. A head that would not be one throws. */
export function createResponseText(keepAliveMs: number): (response: ResponseHead) => string {
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`
  return ({ status, head, length, isKept }) => {
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
    let values = ''
    for (let at = 0; at < head.length; at += 2) {
      text += `${head[at]}: ${head[at + 1]}\r\n`
      values += head[at + 1]
    }
    if (notInValue.test(values))
      throw new TypeError('a header of the response has a character that none may have')
    return `${text}content-length: ${length}\r\nDate: ${dateOfNow()}\r\n${isKept ? kept : ''}\r\n`
  }
}

let date = ''
/** In milliseconds: until then it is this date. */
let dateUntil = 0

function dateOfNow(): string {
  const now = Date.now()
  if (now >= dateUntil || now < dateUntil - 1000) {
    dateUntil = now - (now % 1000) + 1000
    date = new Date(now).toUTCString()
  }
  return date
}
