/**
 * Bytes for who keeps them longer than a request. What comes from a socket is often a small part of a piece of memory
 * that many share, all of which is kept as long as one of its parts.
 */

/** The same bytes, in memory of their own unless they are most of theirs. */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.length * 2 >= bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}
