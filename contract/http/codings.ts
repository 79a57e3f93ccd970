/** The codings of HTTP bodies that are understood, and how one is undone within a bound on what comes out of it. */
import type { Transform } from 'node:stream'
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  zstdDecompressSync,
} from 'node:zlib'

export type Coding = 'gzip' | 'br' | 'zstd'

/** For `Accept-Encoding`: from the cheapest to the most costly. */
export const acceptedCodings = 'zstd, br, gzip'

/** The coding that a `Content-Encoding` names: undefined where there is none, null where it is not understood. */
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

/** At once, in this thread. Throws; the code of the error is ERR_BUFFER_TOO_LARGE beyond `maxBytes`. */
export function decodeNow(bytes: Buffer, coding: Coding, maxBytes: number): Buffer {
  const options = { maxOutputLength: maxBytes }
  switch (coding) {
    case 'gzip':
      return gunzipSync(bytes, options)
    case 'br':
      return brotliDecompressSync(bytes, options)
    case 'zstd':
      return zstdDecompressSync(bytes, options)
  }
}

/** As a stream, outside of the event loop's thread. */
export function createDecoder(coding: Coding, chunkSize: number): Transform {
  switch (coding) {
    case 'gzip':
      return createGunzip({ chunkSize })
    case 'br':
      return createBrotliDecompress({ chunkSize })
    case 'zstd':
      return createZstdDecompress({ chunkSize })
  }
}

const chunkBytes = 64 * 1024

/** The whole of it, or why there is none. What comes out beyond the bound is not held: the stream is ended there. */
export function decodeWithin(
  bytes: Buffer,
  coding: Coding,
  maxBytes: number,
): Promise<Buffer | 'too-large' | 'garbled'> {
  return new Promise((resolve) => {
    const decoder = createDecoder(coding, chunkBytes)
    const pieces: Buffer[] = []
    let length = 0
    decoder.on('data', (piece: Buffer) => {
      length += piece.length
      if (length <= maxBytes) {
        pieces.push(piece)
        return
      }
      resolve('too-large')
      decoder.destroy()
    })
    decoder.once('end', () => resolve(Buffer.concat(pieces, length)))
    decoder.on('error', () => resolve('garbled'))
    decoder.end(bytes)
  })
}
