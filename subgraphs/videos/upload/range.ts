/** `Content-Range` and `Range` as resumable uploads use them. */
import { tesseraError } from '../../../shared/errors.ts'

export type Sent =
  /** Bytes from `first` to `last`, both inclusive. */
  | { readonly kind: 'bytes'; readonly first: number; readonly last: number }
  /** Sends no bytes and asks how many have arrived. */
  | { readonly kind: 'question' }

/** Every chunk but the last is a multiple of this many bytes. */
export const chunkUnit = 262_144

function wrong(message: string): Error {
  return tesseraError('BAD_USER_INPUT', message, { service: 'videos' })
}

/** What a request sends of a file of `total` bytes. Throws with what was expected. */
export function readSent(
  headers: { readonly contentRange: string | undefined; readonly contentLength: string | undefined },
  total: number,
): Sent {
  const { contentRange, contentLength } = headers
  const length = contentLength === undefined ? undefined : Number(contentLength)
  if (contentRange === undefined) {
    if (length !== undefined && length !== total) {
      throw wrong(
        `Content-Length must be the ${total} bytes that were announced, not ${length}; send parts with Content-Range.`,
      )
    }
    return { kind: 'bytes', first: 0, last: total - 1 }
  }
  const question = /^bytes \*\/(\d+|\*)$/.exec(contentRange)
  if (question !== null) {
    if (question[1] !== '*' && Number(question[1]) !== total) {
      throw wrong(`Content-Range names ${question[1]} bytes in all; ${total} were announced.`)
    }
    return { kind: 'question' }
  }
  const [, first, last, all] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(contentRange) ?? []
  if (first === undefined || last === undefined || all === undefined) {
    throw wrong(
      'Content-Range must read "bytes FIRST-LAST/TOTAL", or "bytes */TOTAL" to ask how much has arrived.',
    )
  }
  const sent = { kind: 'bytes', first: Number(first), last: Number(last) } as const
  if (Number(all) !== total) throw wrong(`Content-Range names ${all} bytes in all; ${total} were announced.`)
  if (sent.last < sent.first || sent.last >= total)
    throw wrong('Content-Range must lie within the file: FIRST ≤ LAST < TOTAL.')
  const size = sent.last - sent.first + 1
  if (length !== undefined && length !== size)
    throw wrong(`Content-Length is ${length}, but Content-Range has ${size} bytes.`)
  if (sent.last < total - 1 && size % chunkUnit !== 0) {
    throw wrong(`Every part but the last must be a multiple of ${chunkUnit} bytes; this one has ${size}.`)
  }
  return sent
}

/** How many bytes have arrived, from the `Range` of a 308: none if it is missing, undefined if it says something else. */
export function receivedFrom(range: string | undefined): number | undefined {
  if (range === undefined) return 0
  const last = /^bytes=0-(\d{1,15})$/.exec(range)?.[1]
  return last === undefined ? undefined : Number(last) + 1
}
