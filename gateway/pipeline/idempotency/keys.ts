/**
 * The idempotency keys of a request: the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) for all
 * root fields of a mutation, or `extensions.idempotencyKey`, which is one key for all of them or an object with a key
 * for each response key.
 */
import { tesseraError } from '../../../shared/errors.ts'
import type { IdempotencyKeys } from '../../../shared/request.ts'

export const idempotencyHeader = 'idempotency-key'

/** Throws a `tesseraError` if a key is malformed; undefined if there is none. */
export function idempotencyKeysOf(
  header: string | undefined,
  extension: unknown,
): IdempotencyKeys | undefined {
  const ofHeader = header === undefined ? undefined : readHeader(header)
  if (extension === undefined || extension === null) return ofHeader
  if (ofHeader !== undefined && ofHeader !== extension)
    throw malformed('The header `Idempotency-Key` and `extensions.idempotencyKey` differ: send one of them.')
  if (typeof extension === 'string') return checked(extension)
  if (typeof extension !== 'object' || Array.isArray(extension)) throw malformed(expected)
  const entries = Object.entries(extension)
  if (entries.length === 0 || entries.length > mostKeys) throw malformed(expected)
  return new Map(entries.map(([field, key]) => [field, checked(key)]))
}

/** A string of a structured field (RFC 9651), or the same without its quotes, as many clients send it. */
function readHeader(header: string): string {
  const [, quoted] = /^\s*"((?:[^"\\]|\\["\\])*)"\s*$/.exec(header) ?? []
  if (quoted !== undefined) return checked(quoted.replaceAll(/\\(["\\])/g, '$1'))
  const bare = header.trim()
  if (bare.startsWith('"')) throw malformed(expected)
  return checked(bare)
}

function checked(key: unknown): string {
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key) || key.trim() === '')
    throw malformed(expected)
  return key
}

const mostKeys = 100
const expected =
  'An idempotency key is 1 to 255 characters of printable ASCII: in the header `Idempotency-Key`, or in `extensions.idempotencyKey` as a text or as an object with a key for each root field.'

const malformed = (message: string) => tesseraError('BAD_REQUEST', message)
