/**
 * Bounds on a message over a WebSocket, in bytes and in pieces: `ws` keeps an object of some hundred bytes for each piece
 * that the system hands over and for each fragment, so a message in pieces of one byte would take hundreds of times its
 * length. The pieces of a slow connection are packets of some hundred bytes at least.
 */
const leastPieces = 256
const bytesOfPiece = 256

/** Options of `ws`, for a server and for a client. */
export function messageBounds(mostBytes: number): {
  readonly maxPayload: number
  readonly maxFragments: number
  readonly maxBufferedChunks: number
} {
  const pieces = leastPieces + Math.ceil(mostBytes / bytesOfPiece)
  return { maxPayload: mostBytes, maxFragments: pieces, maxBufferedChunks: pieces }
}

/** What `ws` names an error for a message that is beyond them. */
export const beyondBounds: ReadonlySet<string | undefined> = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_TOO_MANY_BUFFERED_PARTS',
])
