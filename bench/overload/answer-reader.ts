/**
 * Reads the HTTP responses of one connection for the generator of arrivals, which must never be late. It keeps
 * their status and how they begin, which tells right responses from wrong ones. The rest is counted and dropped, so
 * that the generator makes little garbage.
 */

export interface Answer {
  readonly status: number
  /** How the body begins, in chunks as they came; valid until the next response. */
  readonly start: Buffer
  /** Whether the server closes the connection after it. */
  readonly closes: boolean
}

/** How much of each response is kept. */
const keptBytes = 8 * 1024
const headEnd = '\r\n\r\n'
const lastChunk = Buffer.from('0\r\n\r\n')

export class AnswerReader {
  readonly #kept = Buffer.allocUnsafe(keptBytes)
  readonly #last = Buffer.alloc(lastChunk.length)
  /** How many bytes of the response have arrived. */
  #have = 0
  /** How many bytes the response has: NaN until its head is known, infinite for chunks. */
  #need = Number.NaN
  #bodyAt = 0
  #status = 0
  #closes = false

  /** The response that is complete with the first `length` bytes of `bytes`, which must end it. */
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
