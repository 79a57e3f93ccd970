/**
 * Bounds for a WebSocket message, in bytes and chunks. `ws` keeps an object of some hundred bytes for each chunk and
 * fragment, so a message in chunks of one byte would take hundreds of times its length. Chunks of a slow connection
 * are packets of some hundred bytes at least.
 */
const leastPieces = 256
const bytesOfPiece = 256

/** Options of `ws`, for servers and clients. */
export function webSocketBounds(mostBytes: number): {
  readonly maxPayload: number
  readonly maxFragments: number
  readonly maxBufferedChunks: number
} {
  const pieces = leastPieces + Math.ceil(mostBytes / bytesOfPiece)
  return { maxPayload: mostBytes, maxFragments: pieces, maxBufferedChunks: pieces }
}

/** The error codes of `ws` for a message beyond these bounds. */
export const beyondBounds: ReadonlySet<string | undefined> = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_TOO_MANY_BUFFERED_PARTS',
])
