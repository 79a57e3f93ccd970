/**
 * Reads the HTTP responses of one connection for the generator of arrivals, which must be late for none: their status
 * and how they begin, which tells right answers from wrong ones. All else is counted and dropped, so that the generator
 * has next to no garbage to collect.
 */

export interface Answer {
  readonly status: number
  /** How the body begins, in the chunks in which it came; valid until the next response. */
  readonly start: Buffer
  /** The server closes the connection after it. */
  readonly closes: boolean
}

/** So much is kept of each response. */
const keptBytes = 8 * 1024
const headEnd = '\r\n\r\n'
const lastChunk = Buffer.from('0\r\n\r\n')

export class AnswerReader {
  readonly #kept = Buffer.allocUnsafe(keptBytes)
  readonly #last = Buffer.alloc(lastChunk.length)
  /** Bytes that came of the response. */
  #have = 0
  /** Bytes that it has; not a number until its head is known, infinite for chunks. */
  #need = Number.NaN
  #bodyAt = 0
  #status = 0
  #closes = false

  /** The response that has come whole with the first `length` bytes of `bytes`; they must end it. */
  push(bytes: Buffer, length: number): Answer | undefined {
    bytes.copy(this.#kept, this.#have, 0, length)
    this.#have += length
    if (Number.isNaN(this.#need) && !this.#readHead()) return undefined
    if (this.#need === Number.POSITIVE_INFINITY) this.#keepLast(bytes, length)
    const isWhole =
      this.#need === Number.POSITIVE_INFINITY ? this.#last.equals(lastChunk) : this.#have >= this.#need
    if (!isWhole) return undefined
    const start = this.#kept.subarray(this.#bodyAt, Math.min(this.#have, keptBytes))
    this.#have = 0
    this.#need = Number.NaN
    return { status: this.#status, start, closes: this.#closes }
  }

  #readHead(): boolean {
    const kept = this.#kept.subarray(0, Math.min(this.#have, keptBytes))
    const end = kept.indexOf(headEnd)
    if (end < 0) {
      if (this.#have >= keptBytes) throw new Error(`the head of a response is longer than ${keptBytes} bytes`)
      return false
    }
    const head = kept.toString('latin1', 0, end)
    this.#status = Number(head.slice(9, 12))
    this.#closes = /\r\nconnection: *close/i.test(head)
    this.#bodyAt = end + headEnd.length
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    this.#need = length === undefined ? Number.POSITIVE_INFINITY : this.#bodyAt + Number(length)
    return true
  }

  #keepLast(bytes: Buffer, length: number): void {
    const size = lastChunk.length
    if (length < size) this.#last.copy(this.#last, 0, length)
    bytes.copy(this.#last, Math.max(0, size - length), Math.max(0, length - size), length)
  }
}
