/** Reads HTTP responses from raw sockets, for clients that must cost little. */

export interface Response {
  readonly status: number
  readonly body: Buffer
}

export interface ResponseParser {
  /** The response that is complete with these bytes, which must be its last. */
  push(chunk: Buffer): Response | undefined
}

/** Responses on one connection, one after the other: with a length, or in chunks. */
export function createParser(): ResponseParser {
  let chunks: Buffer[] = []
  let have = 0
  let need = -1
  let bodyFrom = 0
  let status = 0
  let chunked = false
  const reset = (): void => {
    chunks = []
    have = 0
    need = -1
  }
  return {
    push(chunk) {
      chunks.push(chunk)
      have += chunk.length
      if (need < 0) {
        const head = chunks.length === 1 ? chunk : Buffer.concat(chunks)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return undefined
        const text = head.toString('latin1', 0, end)
        status = Number(text.slice(9, 12))
        bodyFrom = end + 4
        const length = /\r\ncontent-length: *(\d+)/i.exec(text)
        chunked = length === null
        need = length === null ? Number.POSITIVE_INFINITY : bodyFrom + Number(length[1])
        chunks = [head]
      }
      if (chunked) {
        // A chunked response can be complete only if the last bytes may be its end.
        if (!chunk.subarray(-5).equals(lastChunk) && chunk.length >= 5) return undefined
        const whole = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
        if (whole === undefined || !whole.subarray(-5).equals(lastChunk)) return undefined
        const body = unchunked(whole, bodyFrom)
        if (body === undefined) return undefined
        reset()
        return { status, body }
      }
      if (have < need) return undefined
      const whole = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
      const body = whole.subarray(bodyFrom, need)
      reset()
      return { status, body }
    },
  }
}

const lastChunk = Buffer.from('0\r\n\r\n')

function unchunked(whole: Buffer, from: number): Buffer | undefined {
  const parts: Buffer[] = []
  for (let at = from; ; ) {
    const end = whole.indexOf('\r\n', at)
    if (end < 0) return undefined
    const size = Number.parseInt(whole.toString('latin1', at, end), 16)
    if (size === 0) return Buffer.concat(parts)
    if (end + 2 + size > whole.length) return undefined
    parts.push(whole.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
