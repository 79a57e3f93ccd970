/**
 * JSON that passes through as it came. A large part of an upstream's answer can be handed to the client as
 * one scalar without being parsed and printed again: its bytes are checked against the grammar of JSON
 * (about a tenth of the cost of parsing) and then carried by a `RawJson`.
 *
 * It promises that `bytes` is exactly one well-formed JSON value in UTF-8, so a writer of responses may
 * put it where a value belongs and nothing in it can reach outside. Everything that does not know about it
 * still works: `JSON.stringify` gets the parsed value from `toJSON()`.
 */
import { randomBytes } from 'node:crypto'
import { asByteString, type ByteString, jsonText } from './byte-string.ts'
import { readObject, readWhole, valueEnd } from './bytes.ts'

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

  /** The text, if it is cheaper so than as bytes: then it leaves in one piece with the rest. */
  get shortText(): ByteString | undefined {
    return this.bytes.length < worthBytes ? asByteString(this.bytes.toString('latin1')) : undefined
  }

  /** The value, parsed once and only if somebody asks; a place to put the bytes while `gatherRaw` writes. */
  toJSON(): unknown {
    if (places !== undefined) return `${placeMark}${places.push(this) - 1}`
    this.#value ??= { parsed: JSON.parse(this.text) }
    return this.#value.parsed
  }
}

/** One JSON value that was written, or looked over, by somebody who knows JSON: it is not checked here. */
export function writtenJson(bytes: Buffer): RawJson {
  return new RawJson(bytes, made)
}

/** JSON as text, or as pieces one after the other: text, and bytes of what passes through. */
export type JsonText = ByteString | readonly (ByteString | Buffer)[]

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
export function gatherRaw<Other = never>(write: () => ByteString | Other): JsonText | Other {
  const mine: RawJson[] = []
  const outer = places
  places = mine
  let text: ByteString | Other
  try {
    text = write()
  } finally {
    places = outer
  }
  if (mine.length === 0 || typeof text !== 'string') return text
  const [first = '', ...others] = text.split(`"${placeMark}`)
  const isSmall = mine.reduce((sum, { bytes }) => sum + bytes.length, 0) < worthBytes
  const pieces: (ByteString | Buffer)[] = [asByteString(first)]
  for (const other of others) {
    const quoted = other.indexOf('"')
    const raw = mine[Number(other.slice(0, quoted))]
    const bytes = raw?.bytes ?? nullBytes
    pieces.push(
      isSmall ? asByteString(bytes.toString('latin1')) : bytes,
      asByteString(other.slice(quoted + 1)),
    )
  }
  return isSmall ? asByteString(pieces.join('')) : pieces
}

/** `JSON.stringify`, with every `RawJson` in its place as it came. */
export function stringifyRaw(value: unknown): JsonText {
  return gatherRaw(() => jsonText(value))
}

/** JSON as the bytes that it takes on the wire, in one piece. */
export function bytesOfJson(json: JsonText): Buffer {
  if (typeof json === 'string') return Buffer.from(json, 'latin1')
  return Buffer.concat(
    json.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)),
  )
}

export interface SplitJson {
  /** The member that was asked for, unparsed; undefined if the object has none. */
  readonly raw: RawJson | undefined
  /** All other members, parsed. */
  readonly rest: ReadonlyMap<string, unknown>
}

/**
 * Takes the member `key` out of a JSON object without parsing it. Undefined if `body` is not one
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
 * Hands the value at `at` to `take`, checked and as it came. Answers where it ends, or -1 if it is not
 * well-formed, or nests deeper than 512 levels.
 */
function readRaw(bytes: Buffer, at: number, take: (value: RawJson) => void): number {
  const end = valueEnd(bytes, at)
  if (end !== -1) take(new RawJson(bytes.subarray(at, end), made))
  return end
}

/** The same, parsed. */
function readValue(bytes: Buffer, at: number, take: (value: unknown) => void): number {
  return readRaw(bytes, at, (raw) => take(JSON.parse(raw.text)))
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
