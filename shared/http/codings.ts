/** Supported content codings of HTTP, and their decoders. */
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

export type Coding = keyof typeof decoders

/** For `Accept-Encoding`, the cheapest first. */
export const acceptedCodings = 'zstd, br, gzip'

/** The coding in a `Content-Encoding`. Undefined if there is none, null if it is not supported. */
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
 * A body may have several frames (RFC 8878). Node's decoder ends with the first one if the next is in the same chunk,
 * and drops the rest silently. Such a body is refused instead.
 */
const zstdOptions = {
  params: { [constants.ZSTD_d_windowLogMax]: mostWindowBits },
  rejectGarbageAfterEnd: true,
}

const decoders = {
  gzip: { decode: gunzipSync, create: createGunzip, options: {} },
  br: { decode: brotliDecompressSync, create: createBrotliDecompress, options: {} },
  zstd: { decode: zstdDecompressSync, create: createZstdDecompress, options: zstdOptions },
} as const

/**
 * Decodes synchronously. Throws if the body is invalid or its window too large. The code of the error is
 * ERR_BUFFER_TOO_LARGE beyond `maxBytes`.
 */
export function decodeNow(bytes: Buffer, coding: Coding, maxBytes: number): Buffer {
  if (windowBytesOf(bytes, coding) > mostWindowBytes)
    throw new Error('it was compressed with too large a window')
  const { decode, options } = decoders[coding]
  return decode(bytes, { ...options, maxOutputLength: maxBytes })
}

/** A decoder in the thread pool. `decoders.ts` limits their number. */
export function createDecoder(coding: Coding, chunkSize: number): Transform {
  const { create, options } = decoders[coding]
  return create({ ...options, chunkSize })
}
