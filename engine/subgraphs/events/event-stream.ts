/**
 * Reads server-sent events (HTML Living Standard, section 9.2) out of bytes as they come. What is held of an event that
 * is not whole is bounded; an event that is longer is a fault.
 */

export interface ServerSentEvent {
  readonly event: string
  readonly data: string
  /** The last id that the stream has named; undefined if it named none, or an empty one. */
  readonly id: string | undefined
}

export interface EventStreamReader {
  /** False if an event is too long: nothing is read any more. */
  read(chunk: Buffer): boolean
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** So much memory a stream keeps between its events. */
const mostIdleBytes = 65_536
/** The longest wait that a stream may ask for, in digits of its milliseconds. */
const retryForm = /^[0-9]{1,9}$/

export function createEventStreamReader(options: {
  readonly mostBytes: number
  event(event: ServerSentEvent): void
  retry(milliseconds: number): void
}): EventStreamReader {
  const { mostBytes } = options
  /** Bytes of a line that is not whole, up to `held`. It grows by doubling: bytes may come one by one. */
  let rest = Buffer.alloc(0)
  let held = 0
  let isFirstLine = true
  /** The last chunk ended with a carriage return: a line feed that follows belongs to it. */
  let skipsLineFeed = false
  let name = ''
  let data: string[] = []
  let bytes = 0
  let id: string | undefined

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
    if (data.length > 0) options.event({ event: name === '' ? 'message' : name, data: data.join('\n'), id })
    name = ''
    data = []
    bytes = 0
  }

  function take(line: string): void {
    if (line === '') {
      dispatch()
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const after = colon < 0 ? '' : line.slice(colon + 1)
    const value = after.startsWith(' ') ? after.slice(1) : after
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value === '' ? undefined : value
    else if (field === 'retry' && retryForm.test(value)) options.retry(Number(value))
  }

  return {
    read(chunk) {
      let bytesNow = chunk
      if (skipsLineFeed && bytesNow.length > 0) {
        if (bytesNow[0] === lineFeed) bytesNow = bytesNow.subarray(1)
        skipsLineFeed = false
      }
      // What was looked through before has no end of a line.
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
        bytes += end - start
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
 * Where the next line ends, from a place on that only grows; infinite if none does. Each byte is looked at once for
 * either end, whatever ends the lines.
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
