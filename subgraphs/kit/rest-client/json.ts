/**
 * JSON from outside. At no depth does the result have a key `__proto__` with anything but a text, because such a
 * key would set a prototype when it is assigned. A text sets none, and users may choose that name for a label.
 * Whole numbers keep all their digits.
 */

import { withoutByteOrderMark } from '../../../shared/json/byte-order-mark.ts'
import { ExactNumber } from '../../../shared/json/exact-number.ts'
import { parseRevived } from '../../../shared/json/revive.ts'

/** Parses a body. Throws a SyntaxError if it is not JSON. */
export type ParseBody = (body: Buffer) => unknown

const wholeNumber = /^-?\d+$/

/** Throws a SyntaxError if the text is not JSON. Whole numbers beyond 2^53 are `ExactNumber`s. */
export function parseJson(text: string): unknown {
  return parseRevived(withoutByteOrderMark(text), (key, value: unknown, { source }) => {
    if (key === '__proto__' && typeof value !== 'string') return undefined
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    return source !== undefined && wholeNumber.test(source) ? new ExactNumber(source) : value
  })
}

export const parseBody: ParseBody = (body) => parseJson(body.toString('utf8'))

export function isPlainText(contentType: unknown): boolean {
  return typeof contentType === 'string' && /^\s*text\/plain\s*(?:;|$)/i.test(contentType)
}

/** Whether a `Content-Type` allows JSON. A missing type allows it. */
export function mayBeJson(contentType: unknown): boolean {
  if (contentType === undefined) return true
  return (
    typeof contentType === 'string' &&
    /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)
  )
}
