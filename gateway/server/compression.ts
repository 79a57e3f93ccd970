/**
 * Compresses response bodies for clients that accept it, outside the event loop's thread. Short bodies are not
 * compressed, and neither are bodies for clients on the same machine, because a byte costs less than its compression
 * there.
 */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import Negotiator from 'negotiator'
import { readOnce } from '../graphql-http/media-ranges.ts'

/** `auto`: for every client that is not on this machine. */
export type CompressionMode = 'auto' | 'on' | 'off'

/** From the cheapest to the most expensive at the same size. */
const encodings = ['zstd', 'br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

/** Bodies of fewer bytes fit into one packet anyway. */
export const leastBytes = 1_024
/** Larger bodies are not compressed, because they would be held twice. */
export const mostBytes = 33_554_432

/** The encoding for a body of this many bytes; undefined for none. */
export type ChooseEncoding = (
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  bytes: number,
) => Encoding | undefined

export function createCompression(mode: CompressionMode): ChooseEncoding {
  if (mode === 'off') return () => undefined
  return (request, bytes) => {
    const accepted = request.headers['accept-encoding']
    if (accepted === undefined || typeof accepted !== 'string') return undefined
    if (bytes < leastBytes || bytes > mostBytes) return undefined
    if (mode === 'auto' && isLoopback(request.socket.remoteAddress)) return undefined
    return acceptedEncoding(accepted, encodings)
  }
}

const acceptedIn = readOnce((header): readonly string[] =>
  new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...encodings]),
)

/** The first of the available encodings, in their order, that an `Accept-Encoding` header accepts. */
export function acceptedEncoding<Name extends string>(
  header: string | undefined,
  available: readonly Name[],
): Name | undefined {
  if (header === undefined || header.length > longestHeader) return undefined
  const accepted = acceptedIn(header)
  return available.find((name) => accepted.includes(name))
}

/** No client has a reason to send more. */
const longestHeader = 256

const isLoopback = (address: string | undefined): boolean =>
  address === undefined || address === '::1' || /^(::ffff:)?127\./.test(address)

const brotli = promisify(brotliCompress)
const zipped = promisify(gzip)
const zstandard = promisify(zstdCompress)

/** The smallest window, as a power of two, that holds the body: the encoder's memory depends on it. */
const windowFor = (bytes: number): number => Math.min(22, Math.max(10, Math.ceil(Math.log2(bytes + 1))))

/** Levels at which a kilobyte costs about as much in all three; higher ones cost several times that for a tenth less. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'zstd':
      return zstandard(body, {
        params: {
          [constants.ZSTD_c_compressionLevel]: 3,
          [constants.ZSTD_c_windowLog]: windowFor(body.length),
        },
      })
    case 'br':
      return brotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 4,
          [constants.BROTLI_PARAM_LGWIN]: windowFor(body.length),
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      })
    case 'gzip':
      return zipped(body, { level: 4 })
  }
}
