/**
 * Copies bytes that are kept longer than a request. Bytes from a socket are often a small part of a shared buffer,
 * all of which remains allocated as long as one of its parts.
 */

/** Whether the bytes take most of their buffer, so that a copy would save little. */
const isMostOfItsMemory = ({ buffer, length }: Buffer): boolean => length * 2 >= buffer.byteLength

/** The same bytes in their own memory, unless they take most of their buffer. */
export function unsharedBytes(bytes: Buffer): Buffer {
  if (isMostOfItsMemory(bytes)) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}

/** The memory of `unsharedBytes`: at most twice the bytes. */
export const unsharedLength = (bytes: Buffer): number =>
  isMostOfItsMemory(bytes) ? bytes.buffer.byteLength : bytes.length
