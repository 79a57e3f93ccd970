/** The values of number and duration tokens. */
import { floatFrom, unitDurationFrom } from '../number.ts'
import type { Token } from './lexer.ts'
import type { TokenCursor } from './token-cursor.ts'

export function numberOf(token: Token, cursor: TokenCursor): number {
  // As in Go, an integer with a leading zero is octal, and a hexadecimal number needs no exponent.
  if (/^0[0-7]+$/.test(token.text)) return Number.parseInt(token.text, 8)
  if (/^0[xX]/.test(token.text)) return Number.parseInt(token.text, 16)
  return floatFrom(token.text) ?? cursor.fail(token, `error parsing number: ${JSON.stringify(token.text)}`)
}

/** The milliseconds of a token with units, such as `1h30m`. */
export function durationOf(token: Token, cursor: TokenCursor): number {
  return (
    unitDurationFrom(token.text) ??
    cursor.fail(token, `not a valid duration string: ${JSON.stringify(token.text)}`)
  )
}

/** Takes a duration with units or a number of seconds. Returns milliseconds. */
export function takeDuration(cursor: TokenCursor, allowsZero = false): number {
  const token = cursor.peek()
  if (token.kind !== 'duration' && token.kind !== 'number') return cursor.unexpected('', 'duration')
  cursor.take()
  const milliseconds = token.kind === 'duration' ? durationOf(token, cursor) : numberOf(token, cursor) * 1000
  if (!allowsZero && milliseconds <= 0) cursor.fail(token, 'duration must be greater than 0')
  return Math.trunc(milliseconds)
}
