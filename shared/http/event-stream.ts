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

export type EventStreamReader = ReturnType<typeof createEventStreamReader>

const lineFeed = 0x0a
const carriageReturn = 0x0d
const colon = 0x3a
/** The most memory that a stream keeps between events. */
const mostIdleBytes = 65_536
/** The form of a retry time, with at most nine digits of milliseconds. */
const retryForm = /^[0-9]{1,9}$/

export function createEventStreamReader(options: {
  readonly mostBytes: number
  event(event: ServerSentEvent): void
  retry(milliseconds: number): void
}) {
  const { mostBytes } = options
  /** An incomplete line, up to `held`. It doubles when it grows, because bytes may come one by one. */
  let rest = Buffer.alloc(0)
  let held = 0
  let isFirstLine = true
  /** The last chunk ended with a carriage return: a line feed that follows belongs to it. */
  let skipsLineFeed = false
  let name = ''
  let data: string[] = []
  let bytes = 0
  let id: string | undefined
  let lines = 0

  function hold(more: Buffer): void {
    const needed = held + more.length
    if (needed > rest.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, rest.length * 2))
      rest.copy(larger, 0, 0, held)
      rest = larger
    }
    more.copy(rest, held)
    held = needed
  }

  function dispatch(): void {
    // The standard skips an event without data. Hot Chocolate and gqlgen end their streams with such a `complete`.
    if (data.length > 0 || name === 'complete') {
      options.event({ event: name === '' ? 'message' : name, data: data.join('\n'), id })
      id = undefined
    }
    name = ''
    data = []
    bytes = 0
  }

  function take(line: string): void {
    if (line === '') {
      dispatch()
      return
    }
    const end = line.indexOf(':')
    if (end === 0) return
    const field = end < 0 ? line : line.slice(0, end)
    const after = end < 0 ? '' : line.slice(end + 1)
    const value = after.startsWith(' ') ? after.slice(1) : after
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value === '' ? undefined : value
    else if (field === 'retry' && retryForm.test(value)) options.retry(Number(value))
  }

  return {
    /** How many lines were read, comments and those of unfinished events included: the work that they made. */
    get lines(): number {
      return lines
    },
    /** False if an event is too long: then nothing more is read. */
    read(chunk: Buffer): boolean {
      let bytesNow = chunk
      if (skipsLineFeed && bytesNow.length > 0) {
        if (bytesNow[0] === lineFeed) bytesNow = bytesNow.subarray(1)
        skipsLineFeed = false
      }
      // The earlier bytes contain no line end.
      let from = held
      if (held > 0) {
        hold(bytesNow)
        bytesNow = rest.subarray(0, held)
      }
      let start = 0
      const lineEnd = lineEndsIn(bytesNow)
      for (;;) {
        const end = lineEnd(Math.max(start, from))
        if (end === Number.POSITIVE_INFINITY) break
        const isFirst = isFirstLine
        isFirstLine = false
        lines += 1
        // Nothing of a comment is kept. Heartbeats may be lines within a quiet hour's one event.
        if (bytesNow[start] !== colon) bytes += end - start
        if (bytes > mostBytes) return false
        const line = bytesNow.toString('utf8', start, end)
        start = end + 1
        if (bytesNow[end] === carriageReturn) {
          if (start === bytesNow.length) skipsLineFeed = true
          else if (bytesNow[start] === lineFeed) start += 1
        }
        from = 0
        take(isFirst && line.startsWith('\uFEFF') ? line.slice(1) : line)
      }
      if (start > 0 || held === 0) {
        held = 0
        hold(bytesNow.subarray(start))
        if (held === 0 && rest.length > mostIdleBytes) rest = Buffer.alloc(0)
      }
      return bytes + held <= mostBytes
    },
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
