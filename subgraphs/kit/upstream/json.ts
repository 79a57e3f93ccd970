/**
 * JSON from outside. What comes back has no key `__proto__` at any depth: an own key of that name would
 * set the prototype of whatever it is assigned to. And no whole number has lost digits.
 */

import { ExactNumber } from '../../../contract/json/exact-number.ts'
import { latin1Json } from './latin1-json.ts'

/** The key, with any of its letters escaped. */
const protoKey =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/

/** A number with all its digits where it is a whole one beyond 2^53; TypeScript does not know the third argument. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

const wholeNumber = /^-?\d+$/

const revive: Reviver = (key, value, context) => {
  if (key === '__proto__') return undefined
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && wholeNumber.test(source) ? new ExactNumber(source) : value
}

/** Throws a SyntaxError where the text is no JSON. `hasLongNumbers` says that digits may be lost in numbers. */
export function parseJson(text: string, hasLongNumbers = false): unknown {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const json = start === 0 ? text : text.slice(start)
  // Two plain searches rule the key out for nearly every text. Short ones: the machine looks for their first
  // letter, which it does not do for longer ones.
  if (hasLongNumbers || ((json.includes('__p') || json.includes('\\u00')) && protoKey.test(json))) {
    return JSON.parse(json, revive)
  }
  return JSON.parse(json)
}

/** The same for the body of an answer. Whole numbers beyond 2^53 are `ExactNumber`s. */
export function parseBody(body: Buffer): unknown {
  return parseJson(latin1Json(body), mayHoldLongNumber(body))
}

const zero = 0x30
const nine = 0x39
const space = 0x20
const minus = 0x2d
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
/** The last byte of a byte order mark. */
const endOfMark = 0xbf

/** 2^53 has so many digits. */
const longNumber = 16

/**
 * Whether a run of so many digits may be a number, as far as what stands before it tells: ids in texts and addresses
 * are none. Of each such run one digit stands at a multiple of its length, so that only these bytes are looked at.
 */
function mayHoldLongNumber(body: Buffer): boolean {
  const { length } = body
  for (let at = longNumber - 1; at < length; at += longNumber) {
    if (!isDigit(body[at] as number)) continue
    // Of a long run that holds this byte, one of these two is a digit as well.
    if (!isDigit(body[at - 8] as number) && (at + 8 >= length || !isDigit(body[at + 8] as number))) continue
    const end = shortRunEnd(body, at)
    if (end === undefined) return true
    at = end
  }
  return false
}

/** Where the run of digits around `at` ends; undefined where it may be a long number. */
function shortRunEnd(body: Buffer, at: number): number | undefined {
  let first = at
  while (first > 0 && isDigit(body[first - 1] as number)) first -= 1
  let end = at + 1
  while (end < body.length && isDigit(body[end] as number)) end += 1
  return end - first < longNumber || !mayBeginNumber(body, first) ? end : undefined
}

/** Whether a number may begin at `at`, with its sign before it: at the beginning, after a colon, in a list. */
function mayBeginNumber(body: Buffer, at: number): boolean {
  let before = at - 1
  if (body[before] === minus) before -= 1
  while (before >= 0 && (body[before] as number) <= space) before -= 1
  if (before < 0) return true
  const byte = body[before]
  return byte === colon || byte === comma || byte === openList || byte === endOfMark
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine
}

/** Whether a `Content-Type` promises JSON. No type promises nothing and forbids nothing. */
export function mayBeJson(contentType: unknown): boolean {
  if (contentType === undefined) return true
  return (
    typeof contentType === 'string' &&
    /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)
  )
}
