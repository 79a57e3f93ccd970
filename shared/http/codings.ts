/** The codings of HTTP bodies that are understood, and how one is undone. */
import type { Transform } from 'node:stream'
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  zstdDecompressSync,
} from 'node:zlib'
import { mostWindowBits, mostWindowBytes, windowBytesOf } from './compression-window.ts'

export type Coding = 'gzip' | 'br' | 'zstd'

/** For `Accept-Encoding`: from the cheapest to the most costly. */
export const acceptedCodings = 'zstd, br, gzip'

/** The coding that a `Content-Encoding` names: undefined if there is none, null if it is not understood. */
export function codingOf(header: string | undefined): Coding | undefined | null {
  switch (header?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return 'gzip'
    case 'br':
      return 'br'
    case 'zstd':
      return 'zstd'
    default:
      return null
  }
}

/**
 * A body may have several frames (RFC 8878). Node's decoder ends with the first one if the next comes in the same piece,
 * and drops the rest without a word: such a body is refused instead.
 */
const zstdOptions = {
  params: { [constants.ZSTD_d_windowLogMax]: mostWindowBits },
  rejectGarbageAfterEnd: true,
}

/**
 * At once, in this thread. Throws, also if the window is too large; the code of the error is ERR_BUFFER_TOO_LARGE beyond
 * `maxBytes`.
 */
export function decodeNow(bytes: Buffer, coding: Coding, maxBytes: number): Buffer {
  if (windowBytesOf(bytes, coding) > mostWindowBytes)
    throw new Error('it was compressed with too large a window')
  const options = { maxOutputLength: maxBytes }
  switch (coding) {
    case 'gzip':
      return gunzipSync(bytes, options)
    case 'br':
      return brotliDecompressSync(bytes, options)
    case 'zstd':
      return zstdDecompressSync(bytes, { ...options, ...zstdOptions })
  }
}

/** As a stream, outside of the event loop's thread. `decoders.ts` makes few of them at a time. */
export function createDecoder(coding: Coding, chunkSize: number): Transform {
  switch (coding) {
    case 'gzip':
      return createGunzip({ chunkSize })
    case 'br':
      return createBrotliDecompress({ chunkSize })
    case 'zstd':
      return createZstdDecompress({ chunkSize, ...zstdOptions })
  }
}
