/**
 * Parses server-sent events (HTML Living Standard, section 9.2) from chunks of bytes. The memory for an incomplete
 * event is bounded. A longer event is an error.
 */

export interface ServerSentEvent {
  readonly event: string
  readonly data: string
  /**
   * Its own id. Undefined if it had none, or an empty one. In a browser the id of an earlier event lasts, but whoever
   * resumed there would get this event twice.
   */
  readonly id: string | undefined
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const colon = 0x3a
/** The most memory that a stream keeps between events. */
const mostIdleBytes = 65_536
/** The form of a retry time, with at most nine digits of milliseconds. */
const retryForm = /^[0-9]{1,9}$/

interface ReaderOptions {
  readonly mostBytes: number
  event(event: ServerSentEvent): void
  retry(milliseconds: number): void
}

export class EventStreamReader {
  readonly #options: ReaderOptions
  /** An incomplete line, up to `#held`. It doubles when it grows, because bytes may come one by one. */
  #rest = Buffer.alloc(0)
  #held = 0
  /** The last chunk ended with a carriage return: a line feed that follows belongs to it. */
  #skipsLineFeed = false
  #name = ''
  #data: string[] = []
  #bytes = 0
  #id: string | undefined
  #lines = 0

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** How many lines were read, comments and those of unfinished events included: the work that they made. */
  get lines(): number {
    return this.#lines
  }

  /** False if an event is too long: then nothing more is read. */
  read(chunk: Buffer): boolean {
    const { mostBytes } = this.#options
    let bytes = chunk
    if (this.#skipsLineFeed && bytes.length > 0) {
      if (bytes[0] === lineFeed) bytes = bytes.subarray(1)
      this.#skipsLineFeed = false
    }
    // The earlier bytes contain no line end.
    let from = this.#held
    if (this.#held > 0) {
      this.#hold(bytes)
      bytes = this.#rest.subarray(0, this.#held)
    }
    let start = 0
    const lineEnd = lineEndsIn(bytes)
    for (;;) {
      const end = lineEnd(Math.max(start, from))
      if (end === Number.POSITIVE_INFINITY) break
      const isFirst = this.#lines === 0
      this.#lines += 1
      // Nothing of a comment is kept. Heartbeats may be lines within a quiet hour's one event.
      if (bytes[start] !== colon) this.#bytes += end - start
      if (this.#bytes > mostBytes) return false
      const line = bytes.toString('utf8', start, end)
      start = end + 1
      if (bytes[end] === carriageReturn) {
        if (start === bytes.length) this.#skipsLineFeed = true
        else if (bytes[start] === lineFeed) start += 1
      }
      from = 0
      this.#take(isFirst && line.startsWith('\uFEFF') ? line.slice(1) : line)
    }
    if (start > 0 || this.#held === 0) {
      this.#held = 0
      this.#hold(bytes.subarray(start))
      if (this.#held === 0 && this.#rest.length > mostIdleBytes) this.#rest = Buffer.alloc(0)
    }
    return this.#bytes + this.#held <= mostBytes
  }

  #hold(more: Buffer): void {
    const needed = this.#held + more.length
    if (needed > this.#rest.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#rest.length * 2))
      this.#rest.copy(larger, 0, 0, this.#held)
      this.#rest = larger
    }
    more.copy(this.#rest, this.#held)
    this.#held = needed
  }

  #take(line: string): void {
    if (line === '') {
      this.#dispatch()
      return
    }
    const end = line.indexOf(':')
    if (end === 0) return
    const field = end < 0 ? line : line.slice(0, end)
    const after = end < 0 ? '' : line.slice(end + 1)
    const value = after.startsWith(' ') ? after.slice(1) : after
    if (field === 'event') this.#name = value
    else if (field === 'data') this.#data.push(value)
    else if (field === 'id' && !value.includes('\0')) this.#id = value === '' ? undefined : value
    else if (field === 'retry' && retryForm.test(value)) this.#options.retry(Number(value))
  }

  #dispatch(): void {
    const name = this.#name
    // The standard skips an event without data. Hot Chocolate and gqlgen end their streams with such a `complete`.
    if (this.#data.length > 0 || name === 'complete') {
      const data = this.#data.join('\n')
      this.#options.event({ event: name === '' ? 'message' : name, data, id: this.#id })
      this.#id = undefined
    }
    this.#name = ''
    this.#data = []
    this.#bytes = 0
  }
}

/**
 * The offset of the next line end. `from` must only grow; infinite if there is none. Each byte is searched once for
 * either kind of line end.
 */
function lineEndsIn(bytes: Buffer): (from: number) => number {
  const next = (end: number) => {
    let found = -1
    return (from: number): number => {
      if (found < from) {
        found = bytes.indexOf(end, from)
        if (found < 0) found = Number.POSITIVE_INFINITY
      }
      return found
    }
  }
  const feed = next(lineFeed)
  const carriage = next(carriageReturn)
  return (from) => Math.min(feed(from), carriage(from))
}
