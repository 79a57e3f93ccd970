/**
 * JSON that is passed through unchanged. A large part of an upstream's response can reach the client as one scalar
 * without being parsed and printed. Its bytes are only checked against the grammar of JSON, and carried by a
 * `RawJson`.
 *
 * `bytes` is exactly one well-formed JSON value in UTF-8, so writers of responses can insert it as a value. Other
 * code still works: `JSON.stringify` receives the parsed value from `toJSON()`.
 */
import { randomBytes } from 'node:crypto'
import { asByteString, type ByteString, jsonText } from './byte-string.ts'
import { readObject, readWhole, valueEnd } from './scan-bytes.ts'

const made = Symbol('made here')

/** One JSON value that was checked and not parsed. Only this module creates it. */
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

  /** The value, parsed once on demand. During `gatherRaw` a placeholder for the bytes. */
  toJSON(): unknown {
    if (placeholders !== undefined) return `${placeholderMark}${placeholders.push(this) - 1}`
    this.#value ??= { parsed: JSON.parse(this.text) }
    return this.#value.parsed
  }
}

/** Wraps JSON that trusted code wrote. It is not checked. */
export function writtenJson(bytes: Buffer): RawJson {
  return new RawJson(bytes, made)
}

/** JSON as text, or as a sequence of texts and unchanged bytes. */
export type JsonText = ByteString | readonly (ByteString | Buffer)[]

const nullBytes = Buffer.from('null')

/** Fewer bytes are cheaper as text, which is sent in one piece with the rest. */
const worthBytes = 16 * 1024

/** No client or service can send this text: it is random in each process. */
const placeholderMark = `raw-json:${randomBytes(16).toString('hex')}:`
let placeholders: RawJson[] | undefined

/**
 * Calls `write`, which synchronously makes JSON by `JSON.stringify`, and inserts the bytes of every `RawJson` in
 * their places. A result of `write` other than text is returned unchanged.
 */
export function gatherRaw<Other = never>(write: () => ByteString | Other): JsonText | Other {
  const own: RawJson[] = []
  const outer = placeholders
  placeholders = own
  let text: ByteString | Other
  try {
    text = write()
  } finally {
    placeholders = outer
  }
  if (own.length === 0 || typeof text !== 'string') return text
  const [first = '', ...others] = text.split(`"${placeholderMark}`)
  const isSmall = own.reduce((sum, { bytes }) => sum + bytes.length, 0) < worthBytes
  const pieces: (ByteString | Buffer)[] = [asByteString(first)]
  for (const other of others) {
    const quoted = other.indexOf('"')
    const raw = own[Number(other.slice(0, quoted))]
    const bytes = raw?.bytes ?? nullBytes
    pieces.push(
      isSmall ? asByteString(bytes.toString('latin1')) : bytes,
      asByteString(other.slice(quoted + 1)),
    )
  }
  return isSmall ? asByteString(pieces.join('')) : pieces
}

/** `JSON.stringify`, with the bytes of every `RawJson` in their places. */
export function stringifyRaw(value: unknown): JsonText {
  return gatherRaw(() => jsonText(value))
}

/** JSON as one buffer, as it is sent. */
export function bytesOfJson(json: JsonText): Buffer<ArrayBuffer> {
  if (typeof json === 'string') return Buffer.from(json, 'latin1')
  return Buffer.concat(
    json.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)),
  )
}

/** How many bytes that is: a text has a character for each. */
export const lengthOfJson = (json: JsonText): number =>
  typeof json === 'string' ? json.length : json.reduce((sum, { length }) => sum + length, 0)

interface SplitJson {
  /** The requested member, unparsed. Undefined if the object has none. */
  readonly raw: RawJson | undefined
  /** All other members, parsed. */
  readonly rest: ReadonlyMap<string, unknown>
}

/**
 * Splits the member `key` from a JSON object without parsing it. Undefined if `body` is not one well-formed JSON
 * object in UTF-8, or is nested deeper than 512 levels: then parse it. The last of several members with the same name
 * counts, as in `JSON.parse`.
 */
export function splitJson(body: string | Uint8Array, key: string): SplitJson | undefined {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : bufferOf(body)
  let raw: RawJson | undefined
  const rest = new Map<string, unknown>()
  const whole = readWhole(bytes, (start) =>
    readObject(bytes, start, (name, at) => {
      const end = valueEnd(bytes, at)
      if (end === -1) return end
      const value = bytes.subarray(at, end)
      if (name === key) raw = new RawJson(value, made)
      else rest.set(name, JSON.parse(value.toString('utf8')))
      return end
    }),
  )
  return whole ? { raw, rest } : undefined
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
