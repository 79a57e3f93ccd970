/**
 * Bytes that are kept longer than a request. What comes from a socket is often a small part of a piece of memory
 * that many share, all of which is kept as long as one of its parts.
 */

/** Copying what is most of its memory would save little. */
const isMostOfItsMemory = ({ buffer, length }: Buffer): boolean => length * 2 >= buffer.byteLength

/** The same bytes, in memory of their own unless they are most of theirs. */
export function ownBytes(bytes: Buffer): Buffer {
  if (isMostOfItsMemory(bytes)) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}

/** How much memory `ownBytes` of these keeps: up to twice of what they are. */
export const ownLength = (bytes: Buffer): number =>
  isMostOfItsMemory(bytes) ? bytes.buffer.byteLength : bytes.length
