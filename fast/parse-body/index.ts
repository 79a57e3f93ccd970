/**
 * Parses the body of an answer without a reviver, if nothing in it needs one. The plain parser's reviver is called for
 * every value; two searches tell first whether there may be a key `__proto__`, or a whole number with more digits than a
 * double holds. Nearly no answer has either.
 */
import { type ParseBody, parseBody } from '../../subgraphs/kit/rest-client/index.ts'

/** The key, with any of its letters escaped. */
const protoKey =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/

/** Leaves what may need a reviver, and what begins with a byte order mark, to the plain parser. */
export const parseQuickly: ParseBody = (body) => {
  if (body[0] === startOfMark || mayHoldLongNumber(body)) return parseBody(body)
  const text = body.toString('utf8')
  return mayHoldProtoKey(text) ? parseBody(body) : JSON.parse(text)
}

/** Two plain searches rule the key out for nearly every text. For such short ones V8 looks for their first letter only. */
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

/** Where the run of digits around `at` ends; undefined if it may be a long number. */
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
  return byte === colon || byte === comma || byte === openList
}

/** With one comparison. */
function isDigit(byte: number): boolean {
  return (byte ^ zero) < 10
}
