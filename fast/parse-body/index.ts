/**
 * Parses the body of a response without a reviver if it needs none. The plain parser's reviver is called for every
 * value. Here two searches find out first whether there may be a key `__proto__`, or a whole number with more
 * digits than a double holds. Few responses have either.
 */
import { type ParseBody, parseBody } from '../../subgraphs/kit/rest-client/index.ts'

/** The key, with any of its letters escaped. */
const protoKey =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/

/** Bodies that may need a reviver, or begin with a byte order mark, are left to the plain parser. */
export const parseQuickly: ParseBody = (body) => {
  if (body[0] === startOfMark || mayHoldLongNumber(body)) return parseBody(body)
  const text = body.toString('utf8')
  return mayHoldProtoKey(text) ? parseBody(body) : JSON.parse(text)
}

/**
 * Two searches for constant strings exclude the key in nearly every text. V8 finds short strings by their first
 * letter, which is fast.
 */
function mayHoldProtoKey(text: string): boolean {
  return (text.includes('__p') || text.includes('\\u00')) && protoKey.test(text)
}

const zero = 0x30
const space = 0x20
const minus = 0x2d
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
/** The first byte of a byte order mark. */
const startOfMark = 0xef

/** The number of digits of 2^53. */
const longNumber = 16

/**
 * Whether the body may contain a whole number of so many digits. Ids in strings and URLs are excluded by the
 * character before them. Any run of so many digits has a digit at a multiple of that length, so only these bytes
 * are read.
 */
function mayHoldLongNumber(body: Buffer): boolean {
  const { length } = body
  for (let at = longNumber - 1; at < length; at += longNumber) {
    if (!isDigit(body[at] as number)) continue
    // In a long run that contains this byte, one of these two is a digit as well.
    if (!isDigit(body[at - 8] as number) && (at + 8 >= length || !isDigit(body[at + 8] as number))) continue
    const end = shortRunEnd(body, at)
    if (end === undefined) return true
    at = end
  }
  return false
}

/** Where the run of digits around `at` ends; undefined if it may be a long number. */
function shortRunEnd(body: Buffer, at: number): number | undefined {
  let first = at
  while (first > 0 && isDigit(body[first - 1] as number)) first -= 1
  let end = at + 1
  while (end < body.length && isDigit(body[end] as number)) end += 1
  return end - first < longNumber || !mayBeginNumber(body, first) ? end : undefined
}

/** Whether a number (perhaps with a sign) may begin at `at`: at the beginning, after a colon, or in a list. */
function mayBeginNumber(body: Buffer, at: number): boolean {
  let before = at - 1
  if (body[before] === minus) before -= 1
  while (before >= 0 && (body[before] as number) <= space) before -= 1
  if (before < 0) return true
  const byte = body[before]
  return byte === colon || byte === comma || byte === openList
}

function isDigit(byte: number): boolean {
  return (byte ^ zero) < 10
}
