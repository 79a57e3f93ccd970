/**
 * The memory of a decoder for its window. The sender chooses it, and a Brotli decoder allocates all of it even for a
 * body of a hundred bytes. It is read from the first bytes, before a decoder is made.
 */

/** Encoders exceed this only at their highest levels, and for long bodies. */
export const mostWindowBits = 22
export const mostWindowBytes = 2 ** mostWindowBits

const gzipWindowBytes = 2 ** 15

/** Infinity if the format is unknown. 0 if there are too few bytes or another coding, which the decoder reports. */
export function windowBytesOf(bytes: Buffer, coding: 'gzip' | 'br' | 'zstd'): number {
  switch (coding) {
    case 'gzip':
      return gzipWindowBytes
    case 'br':
      return brotliWindow(bytes)
    case 'zstd':
      return zstdWindow(bytes)
  }
}

/** RFC 7932, section 9.1. The pattern that it leaves unused begins the format for windows of up to 30 bits. */
function brotliWindow(bytes: Buffer): number {
  const first = bytes[0]
  if (first === undefined) return 0
  if ((first & 1) === 0) return 2 ** 16
  const three = (first >> 1) & 7
  if (three !== 0) return 2 ** (17 + three)
  const next = (first >> 4) & 7
  if (next === 0) return 2 ** 17
  if (next === 1) return Number.POSITIVE_INFINITY
  return 2 ** (8 + next)
}

const zstdMagic = 0xfd2fb528
/** Skippable frames, of which the last four bits are free (RFC 8878, section 3.1.2). */
const skippableMagic = 0x184d2a50
const dictionaryBytes = [0, 1, 2, 4] as const
const sizeBytes = [1, 2, 4, 8] as const

/** RFC 8878, section 3.1.1.1: the window of the first frame. The decoder bounds that of the others. */
function zstdWindow(bytes: Buffer): number {
  let at = 0
  while (at + 8 <= bytes.length && (bytes.readUInt32LE(at) & 0xfffffff0) >>> 0 === skippableMagic)
    at += 8 + bytes.readUInt32LE(at + 4)
  if (at + 6 > bytes.length || bytes.readUInt32LE(at) !== zstdMagic) return 0
  const descriptor = bytes[at + 4] ?? 0
  const isSingleSegment = (descriptor & 0b10_0000) !== 0
  if (!isSingleSegment) {
    const window = bytes[at + 5] ?? 0
    const base = 2 ** (10 + (window >> 3))
    return base + (base / 8) * (window & 7)
  }
  // The window is the whole content, whose size follows the dictionary id.
  const from = at + 5 + dictionaryBytes[(descriptor & 3) as 0 | 1 | 2 | 3]
  const size = sizeBytes[(descriptor >> 6) as 0 | 1 | 2 | 3]
  if (from + size > bytes.length) return 0
  if (size === 8) return Number(bytes.readBigUInt64LE(from))
  return bytes.readUIntLE(from, size) + (size === 2 ? 256 : 0)
}
