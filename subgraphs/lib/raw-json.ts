/**
 * JSON that passes through as it came. A large part of an upstream's answer can be handed to the client as
 * one scalar without being parsed and printed again: its bytes are checked against the grammar of JSON
 * (about a tenth of the cost of parsing) and then carried by a `RawJson`.
 *
 * It promises that `bytes` is exactly one well-formed JSON value in UTF-8, so a writer of responses may
 * put it where a value belongs and nothing in it can reach outside. Everything that does not know about it
 * still works: `JSON.stringify` gets the parsed value from `toJSON()`.
 */
import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { asWireText, jsonText, type WireText } from './wire-text.ts'

const made = Symbol('made here')

/** One JSON value as text that was checked, not parsed. Only the functions of this module make them. */
export class RawJson {
  readonly bytes: Buffer
  #value: { parsed: unknown } | undefined

  constructor(bytes: Buffer, by: symbol) {
    if (by !== made) throw new Error('A RawJson is made by splitJson, which checks it, or by writtenJson')
    this.bytes = bytes
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  /** The value, parsed once and only if somebody asks; a place to put the bytes while `gatherRaw` writes. */
  toJSON(): unknown {
    if (places !== undefined) return `${placeMark}${places.push(this) - 1}`
    this.#value ??= { parsed: JSON.parse(this.text) }
    return this.#value.parsed
  }
}

/** One JSON value that was written by somebody who knows JSON: it is not checked. */
export function writtenJson(bytes: Buffer): RawJson {
  return new RawJson(bytes, made)
}

/** JSON as text, or as pieces one after the other: text, and bytes of what passes through. */
export type JsonText = WireText | readonly (WireText | Buffer)[]

const nullBytes = Buffer.from('null')

/** Fewer bytes are cheaper as text, which then leaves in one piece with the rest. */
const worthBytes = 16 * 1024

/** No text that a client or a service sends can hold this: it is made anew in each process. */
const placeMark = `raw-json:${randomBytes(16).toString('hex')}:`
let places: RawJson[] | undefined

/**
 * Calls `write`, which makes JSON by `JSON.stringify` (of the whole or of values in it) at once, and puts the
 * bytes of every `RawJson` in their places, as they came. What `write` answers other than text is handed on.
 */
export function gatherRaw<Other = never>(write: () => WireText | Other): JsonText | Other {
  const mine: RawJson[] = []
  places = mine
  let text: WireText | Other
  try {
    text = write()
  } finally {
    places = undefined
  }
  if (mine.length === 0 || typeof text !== 'string') return text
  const [first = '', ...others] = text.split(`"${placeMark}`)
  const isSmall = mine.reduce((sum, { bytes }) => sum + bytes.length, 0) < worthBytes
  const pieces: (WireText | Buffer)[] = [asWireText(first)]
  for (const other of others) {
    const quoted = other.indexOf('"')
    const raw = mine[Number(other.slice(0, quoted))]
    const bytes = raw?.bytes ?? nullBytes
    pieces.push(isSmall ? asWireText(bytes.toString('latin1')) : bytes, asWireText(other.slice(quoted + 1)))
  }
  return isSmall ? asWireText(pieces.join('')) : pieces
}

/** `JSON.stringify`, with every `RawJson` in its place as it came. */
export function stringifyRaw(value: unknown): JsonText {
  return gatherRaw(() => jsonText(value))
}

export interface SplitJson {
  /** The member that was asked for, unparsed; undefined where the object has none. */
  readonly raw: RawJson | undefined
  /** All other members, parsed. */
  readonly rest: ReadonlyMap<string, unknown>
}

/**
 * Takes the member `key` out of a JSON object without parsing it. Undefined where `body` is not one
 * well-formed JSON object in UTF-8 (or nests deeper than 512 levels: then parse it). As with `JSON.parse`,
 * the last of several members of the same name counts.
 */
export function splitJson(body: string | Uint8Array, key: string): SplitJson | undefined {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : bufferOf(body)
  let raw: RawJson | undefined
  const rest = new Map<string, unknown>()
  const whole = readWhole(bytes, (start) =>
    readObject(bytes, start, (name, at) =>
      name === key
        ? readRaw(bytes, at, (value) => {
            raw = value
          })
        : readValue(bytes, at, (value) => rest.set(name, value)),
    ),
  )
  return whole ? { raw, rest } : undefined
}

/**
 * Whether `bytes` are UTF-8 and one value, as `read` finds: it is told where the value starts, and answers where
 * it ends, or -1.
 */
export function readWhole(bytes: Buffer, read: (at: number) => number): boolean {
  if (!isUtf8(bytes)) return false
  const end = read(skipSpace(bytes, 0))
  return end !== -1 && skipSpace(bytes, end) === bytes.length
}

/**
 * Goes through the object at `at`, in one pass: `visit` is told each member's key and where its value starts, and
 * answers where that ends, or -1 where it is not well-formed. Answers where the object ends, or -1.
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

/** The same for the list at `at`: `visit` is told where each item starts. */
export function readList(bytes: Buffer, at: number, visit: (itemAt: number) => number): number {
  if (bytes[at] !== openList) return -1
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === closeList) return i + 1
  for (;;) {
    const end = visit(i)
    if (end === -1) return -1
    i = skipSpace(bytes, end)
    if (bytes[i] === closeList) return i + 1
    if (bytes[i] !== comma) return -1
    i = skipSpace(bytes, i + 1)
  }
}

/**
 * Hands the value at `at` to `take`, checked and as it came. Answers where it ends, or -1 where it is not
 * well-formed, or nests deeper than 512 levels.
 */
export function readRaw(bytes: Buffer, at: number, take: (value: RawJson) => void): number {
  const end = valueEnd(bytes, at)
  if (end !== -1) take(new RawJson(bytes.subarray(at, end), made))
  return end
}

/** The same, parsed. */
export function readValue(bytes: Buffer, at: number, take: (value: unknown) => void): number {
  return readRaw(bytes, at, (raw) => take(JSON.parse(raw.text)))
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

// --- the grammar of RFC 8259, over bytes --------------------------------------------------------------

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

/** What a byte may be: part of a string as it stands, white space, a hexadecimal digit. */
const plain = 1
const space = 2
const hex = 4
const classes = new Uint8Array(256)
for (let byte = 0x20; byte < 256; byte++) classes[byte] = plain
classes[quote] = 0
classes[backslash] = 0
for (const char of ' \t\n\r') classes[char.charCodeAt(0)] = (classes[char.charCodeAt(0)] ?? 0) | space
for (const char of '0123456789abcdefABCDEF')
  classes[char.charCodeAt(0)] = (classes[char.charCodeAt(0)] ?? 0) | hex
const escapes = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)))
const literals = ['true', 'false', 'null'].map((word) => Buffer.from(word))

const maxDepth = 512
const inList = 1
const inObject = 2

// A read past the end gives undefined, which is in no class and equals no byte: every loop stops there.
function classOf(bytes: Uint8Array, at: number): number {
  return classes[bytes[at] as number] as number
}

function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at
  while ((classOf(bytes, i) & space) !== 0) i++
  return i
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** Past the string that opens at `at`; -1 where it is none. */
function stringEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== quote) return -1
  let i = at + 1
  for (;;) {
    while ((classOf(bytes, i) & plain) !== 0) i++
    const byte = bytes[i]
    if (byte === quote) return i + 1
    if (byte !== backslash) return -1
    const escaped = bytes[i + 1]
    if (escaped === 0x75) {
      for (let k = 2; k < 6; k++) if ((classOf(bytes, i + k) & hex) === 0) return -1
      i += 6
    } else {
      if (escaped === undefined || !escapes.has(escaped)) return -1
      i += 2
    }
  }
}

function digitsEnd(bytes: Uint8Array, at: number): number {
  if (!isDigit(bytes[at])) return -1
  let i = at + 1
  while (isDigit(bytes[i])) i++
  return i
}

function numberEnd(bytes: Uint8Array, at: number): number {
  let i = bytes[at] === minus ? at + 1 : at
  i = bytes[i] === 0x30 ? i + 1 : digitsEnd(bytes, i)
  if (i !== -1 && bytes[i] === dot) i = digitsEnd(bytes, i + 1)
  if (i !== -1 && (bytes[i] === 0x65 || bytes[i] === 0x45)) {
    const sign = bytes[i + 1]
    i = digitsEnd(bytes, sign === 0x2b || sign === minus ? i + 2 : i + 1)
  }
  return i
}

function literalEnd(bytes: Uint8Array, at: number): number {
  for (const literal of literals) {
    let k = 0
    while (k < literal.length && bytes[at + k] === literal[k]) k++
    if (k === literal.length) return at + k
  }
  return -1
}

/**
 * Past a run of pairs `[1795206056.5,"0.25"],[…]` written without spaces, the form that fills large
 * answers; `at` itself where there is none. It accepts nothing that the general rules below would not, and
 * only saves their bookkeeping. Several pairs are a run only inside a list.
 */
function pairsEnd(bytes: Uint8Array, at: number, several: boolean): number {
  let end = at
  let i = at
  for (;;) {
    let byte = bytes[++i] as number
    if (!(byte >= 0x31 && byte <= 0x39)) return end
    do byte = bytes[++i] as number
    while (byte >= 0x30 && byte <= 0x39)
    if (byte === dot) {
      byte = bytes[++i] as number
      if (!(byte >= 0x30 && byte <= 0x39)) return end
      do byte = bytes[++i] as number
      while (byte >= 0x30 && byte <= 0x39)
    }
    if (byte !== comma || bytes[i + 1] !== quote) return end
    i += 2
    while (((classes[bytes[i] as number] as number) & plain) !== 0) i++
    if (bytes[i] !== quote || bytes[i + 1] !== closeList) return end
    end = i + 2
    if (!several || bytes[end] !== comma || bytes[end + 1] !== openList) return end
    i = end + 1
  }
}

/** What is open at each depth, of the one value that is looked at. */
const nesting = new Uint8Array(maxDepth)

/** Past the value at `at`; -1 where it is not well-formed. Without recursion: depth is the sender's choice. */
function valueEnd(bytes: Uint8Array, at: number): number {
  let depth = 0
  let i = at

  /** Past a key and its colon, at its value; -1 where there is none. */
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
      const pairs = byte === openList ? pairsEnd(bytes, i, nesting[depth] === inList) : i
      if (pairs !== i) i = pairs
      else {
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
      }
    } else {
      if (byte === quote) i = stringEnd(bytes, i)
      else if (byte === minus || isDigit(byte)) i = numberEnd(bytes, i)
      else i = literalEnd(bytes, i)
      if (i === -1) return -1
    }
    // Past a value: close what ends here, then go on to the next value.
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
