/**
 * Reads one response after the other from the bytes of a connection, in whatever pieces they come. It holds a head, a
 * line or trailers that are not whole yet, whose length is bounded; the pieces of a body are passed on as they come.
 */
import { errors } from 'undici'
import { badResponse, type ResponseHead, responseHeadFrom } from './response-head.ts'

export interface ResponseSink {
  head(head: ResponseHead): void
  data(bytes: Buffer): void
  /** `more`: bytes came that belong to no response. */
  end(more: boolean): void
}

/** As Node bounds them. */
const mostHeadBytes = 16 * 1024
/** The size of a chunk with its extensions. */
const mostLineBytes = 4096
const mostInformational = 16

const emptyLine = Buffer.from('\r\n\r\n')
const lineBreak = Buffer.from('\r\n')
const start = Buffer.from('HTTP/1.')
/** At most 13 digits: what is longer is no safe number. */
const chunkLine = /^([0-9a-fA-F]{1,13})(?:;[\t\x20-\x7e\x80-\xff]*)?$/
const trailerLine = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/

/** `body`: of a known length; `data` and `afterData`: of a chunk; `rest`: until the connection is closed. */
type Part = 'nothing' | 'head' | 'body' | 'rest' | 'size' | 'data' | 'afterData' | 'trailers'

export class ResponseReader {
  readonly #sink: ResponseSink
  #part: Part = 'nothing'
  #method = ''
  /** Bytes that are missing of the body or of the chunk. */
  #left = 0
  #informational = 0
  #trailerBytes = 0
  /** Of a line or a head that is not whole. */
  #held: Buffer | undefined

  constructor(sink: ResponseSink) {
    this.#sink = sink
  }

  /** A response to a request of this method comes next. */
  expect(method: string): void {
    this.#part = 'head'
    this.#method = method
    this.#informational = 0
  }

  /** Nobody waits for the rest of a response; may be called by the sink. */
  stop(): void {
    this.#part = 'nothing'
    this.#held = undefined
  }

  /** The other side sends no more. Whether that was the end of a body. */
  close(): boolean {
    if (this.#part !== 'rest') return false
    this.#end(false)
    return true
  }

  /** Throws where these bytes are no response. */
  push(chunk: Buffer): void {
    let bytes = chunk
    if (this.#held !== undefined) {
      bytes = Buffer.concat([this.#held, chunk])
      this.#held = undefined
    }
    let at = 0
    while (at < bytes.length) {
      const next = this.#read(bytes, at)
      // What stands behind the end was reported with it.
      if (this.#part === 'nothing') return
      if (next === undefined) {
        this.#held = at === 0 ? bytes : bytes.subarray(at)
        return
      }
      at = next
    }
  }

  /** Reads on from `at`; how far. Undefined where more has to come first. */
  #read(bytes: Buffer, at: number): number | undefined {
    switch (this.#part) {
      case 'head':
        return this.#head(bytes, at)
      case 'body':
      case 'data':
        return this.#data(bytes, at)
      case 'rest':
        this.#sink.data(at === 0 ? bytes : bytes.subarray(at))
        return bytes.length
      case 'size':
        return this.#size(bytes, at)
      case 'afterData':
        if (bytes.length - at < lineBreak.length) return undefined
        if (lineAt(bytes, at, mostLineBytes) !== '') throw badResponse('chunk')
        this.#part = 'size'
        return at + lineBreak.length
      case 'trailers':
        return this.#trailer(bytes, at)
      default:
        throw badResponse('a response that was not asked for')
    }
  }

  #head(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf(emptyLine, at)
    if ((end === -1 ? bytes.length : end) - at > mostHeadBytes) throw new errors.HeadersOverflowError()
    if (end === -1) {
      const length = Math.min(bytes.length - at, start.length)
      if (bytes.compare(start, 0, length, at, at + length) !== 0) throw badResponse('status line')
      return undefined
    }
    const head = responseHeadFrom(bytes.toString('latin1', at, end + lineBreak.length), this.#method)
    const body = end + emptyLine.length
    if (head.status < 200) {
      this.#informational += 1
      // Neither was asked for, and after the second it is not HTTP that goes on.
      if (head.status < 102 || this.#informational > mostInformational)
        throw new errors.SocketError('bad response')
      return body
    }
    const { bodyEnd } = head
    if (bodyEnd === 'chunked') {
      this.#part = 'size'
      this.#trailerBytes = 0
    } else if (bodyEnd === 'closed') this.#part = 'rest'
    else {
      this.#part = 'body'
      this.#left = bodyEnd
    }
    this.#sink.head(head)
    if (bodyEnd === 0 && this.#part === 'body') this.#end(body < bytes.length)
    return body
  }

  #data(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.#sink.data(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
    if (this.#left > 0) return end
    if (this.#part === 'data') this.#part = 'afterData'
    else if (this.#part === 'body') this.#end(end < bytes.length)
    return end
  }

  #size(bytes: Buffer, at: number): number | undefined {
    const line = lineAt(bytes, at, mostLineBytes)
    if (line === undefined) return undefined
    const digits = chunkLine.exec(line)?.[1]
    if (digits === undefined) throw badResponse('chunk size')
    this.#left = Number.parseInt(digits, 16)
    this.#part = this.#left === 0 ? 'trailers' : 'data'
    return at + line.length + lineBreak.length
  }

  #trailer(bytes: Buffer, at: number): number | undefined {
    const line = lineAt(bytes, at, mostHeadBytes)
    if (line === undefined) return undefined
    const end = at + line.length + lineBreak.length
    this.#trailerBytes += end - at
    if (this.#trailerBytes > mostHeadBytes) throw new errors.HeadersOverflowError()
    if (line === '') this.#end(end < bytes.length)
    else if (!trailerLine.test(line)) throw badResponse('trailer')
    return end
  }

  #end(more: boolean): void {
    this.#part = 'nothing'
    this.#sink.end(more)
  }
}

/** The line at `at`, without its end; undefined where that has not come yet. */
function lineAt(bytes: Buffer, at: number, most: number): string | undefined {
  const end = bytes.indexOf(lineBreak, at)
  if ((end === -1 ? bytes.length : end) - at > most) throw badResponse('a line too long')
  return end === -1 ? undefined : bytes.toString('latin1', at, end)
}
