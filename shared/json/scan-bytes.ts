/**
 * Scans JSON in bytes: finds the ends of values and checks that they are well-formed (RFC 8259, in UTF-8), without
 * parsing. Every function takes the offset at which something starts and returns the one at which it ends, or -1 if
 * it is not that.
 */
import { isUtf8 } from 'node:buffer'

const space = 0x20
const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const dot = 0x2e
const minus = 0x2d
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d
const lowerE = 0x65
const upperE = 0x45

/** 1 for bytes that may be in a string unescaped. */
const plainInString = new Uint8Array(256).fill(1, space)
plainInString[quote] = 0
plainInString[backslash] = 0

/** Whether `bytes` are UTF-8 and one value, whose end `read` returns for its beginning. */
export function readWhole(bytes: Buffer, read: (at: number) => number): boolean {
  if (!isUtf8(bytes)) return false
  const end = read(skipSpace(bytes, 0))
  return end !== -1 && skipSpace(bytes, end) === bytes.length
}

/**
 * Reads the object at `at` in one pass. `visit` receives each member's key and the offset of its value, and returns
 * the offset of its end, or -1 if it is malformed. Returns the offset of the object's end, or -1.
 */
export function readObject(
  bytes: Buffer,
  at: number,
  visit: (key: string, valueAt: number) => number,
): number {
  if (bytes[at] !== openObject) return -1
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === closeObject) return i + 1
  for (;;) {
    const keyEnd = stringEnd(bytes, i)
    if (keyEnd === -1) return -1
    const after = skipSpace(bytes, keyEnd)
    if (bytes[after] !== colon) return -1
    const end = visit(JSON.parse(bytes.toString('utf8', i, keyEnd)) as string, skipSpace(bytes, after + 1))
    if (end === -1) return -1
    i = skipSpace(bytes, end)
    if (bytes[i] === closeObject) return i + 1
    if (bytes[i] !== comma) return -1
    i = skipSpace(bytes, i + 1)
  }
}

const hexDigits = new Set([...'0123456789abcdefABCDEF'].map((char) => char.charCodeAt(0)))
const escapes = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)))
const literals = ['true', 'false', 'null'].map((word) => Buffer.from(word))

const maxDepth = 512
const inList = 1
const inObject = 2

// A read past the end returns undefined, which is in no table and equals no byte, so every loop stops there.

const isSpace = (byte: number): boolean =>
  byte <= space && (byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09)

/** The offset after the white space at `at`. A read past the end would make V8 compile the loop for any value. */
function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at
  while (i < bytes.length && isSpace(bytes[i] as number)) i++
  return i
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** The offset after the string at `at`. -1 if there is none. Small enough to be inlined. */
function stringEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== quote) return -1
  let i = at + 1
  while (plainInString[bytes[i] as number] === 1) i++
  return bytes[i] === quote ? i + 1 : escapedEnd(bytes, i)
}

/** The offset after the rest of a string. `at` is its first byte that is not plain. */
function escapedEnd(bytes: Uint8Array, at: number): number {
  for (let i = at; ; i++) {
    const byte = bytes[i] as number
    if (plainInString[byte] === 1) continue
    if (byte === quote) return i + 1
    if (byte !== backslash) return -1
    i++
    const escaped = bytes[i] as number
    if (escapes.has(escaped)) continue
    if (escaped !== 0x75) return -1
    for (const end = i + 4; i < end; i++) if (!hexDigits.has(bytes[i + 1] as number)) return -1
  }
}

function digitsEnd(bytes: Uint8Array, at: number): number {
  if (!isDigit(bytes[at])) return -1
  let i = at + 1
  while (isDigit(bytes[i])) i++
  return i
}

/** The offset after the number at `at`. */
function numberEnd(bytes: Uint8Array, at: number): number {
  let i = bytes[at] === minus ? at + 1 : at
  i = bytes[i] === 0x30 ? i + 1 : digitsEnd(bytes, i)
  if (i !== -1 && bytes[i] === dot) i = digitsEnd(bytes, i + 1)
  if (i !== -1 && (bytes[i] === lowerE || bytes[i] === upperE)) {
    const sign = bytes[i + 1]
    i = digitsEnd(bytes, sign === 0x2b || sign === minus ? i + 2 : i + 1)
  }
  return i
}

function standsAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let k = 0; k < expected.length; k++) if (bytes[at + k] !== expected[k]) return false
  return true
}

function literalEnd(bytes: Uint8Array, at: number): number {
  for (const literal of literals) if (standsAt(bytes, at, literal)) return at + literal.length
  return -1
}

/** Whether a list or an object is open at each depth of the current value. */
const nesting = new Uint8Array(maxDepth)

/**
 * The offset after the value at `at`. -1 if it is malformed or nested deeper than 512 levels. It is not recursive,
 * because senders choose the depth.
 */
export function valueEnd(bytes: Uint8Array, at: number): number {
  let depth = 0
  let i = at

  /** The offset of the value after a key and its colon. -1 if there is none. */
  const enterMember = (at: number): number => {
    const end = stringEnd(bytes, skipSpace(bytes, at))
    if (end === -1) return -1
    const after = skipSpace(bytes, end)
    return bytes[after] === colon ? skipSpace(bytes, after + 1) : -1
  }

  for (;;) {
    // At the first byte of a value.
    const byte = bytes[i]
    if (byte === openObject || byte === openList) {
      if (depth === maxDepth - 1) return -1
      nesting[++depth] = byte === openList ? inList : inObject
      i = skipSpace(bytes, i + 1)
      if (bytes[i] === (byte === openList ? closeList : closeObject)) {
        depth--
        i++
      } else {
        if (byte === openObject) i = enterMember(i)
        if (i === -1) return -1
        continue
      }
    } else {
      if (byte === quote) i = stringEnd(bytes, i)
      else if (byte === minus || isDigit(byte)) i = numberEnd(bytes, i)
      else i = literalEnd(bytes, i)
      if (i === -1) return -1
    }
    // After a value: close what ends here, and continue with the next value.
    for (;;) {
      if (depth === 0) return i
      i = skipSpace(bytes, i)
      const next = bytes[i]
      const list = nesting[depth] === inList
      if (next === comma) {
        i = list ? skipSpace(bytes, i + 1) : enterMember(i + 1)
        if (i === -1) return -1
        break
      }
      if (next !== (list ? closeList : closeObject)) return -1
      depth--
      i++
    }
  }
}
