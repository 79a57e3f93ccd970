/** Parses what may follow an operand: a range or a subquery in brackets, `offset` and `@`. */
import { type Expression, type TimeModifiers, typeNameOf, typeOf } from './expression.ts'
import type { Token } from './lexer.ts'
import type { TokenCursor } from './token-cursor.ts'

export function parseModifiers(cursor: TokenCursor, operand: Expression): Expression {
  let result = operand
  /** The `offset` and `@` since the last bracket. A range must come before them. */
  let modified: TimeModifiers | undefined
  for (;;) {
    if (cursor.isOperator('[')) {
      result = parseBrackets(cursor, result, modified)
      modified = undefined
    } else if (cursor.isWord('offset')) {
      const word = cursor.take()
      modified = modifiersOf(cursor, result, word, 'offset')
      if (modified.offset !== 0) cursor.fail(word, 'offset may not be set multiple times')
      const sign = takeSign(cursor)
      modified.offset = sign * cursor.takeDuration(true)
      result.end = cursor.previousEnd
    } else if (cursor.isOperator('@')) {
      const sign = cursor.take()
      modified = modifiersOf(cursor, result, sign, '@')
      if (modified.at !== undefined) cursor.fail(sign, '@ <timestamp> may not be set multiple times')
      modified.at = parseTimestamp(cursor)
      result.end = cursor.previousEnd
    } else return result
  }
}

function parseBrackets(
  cursor: TokenCursor,
  operand: Expression,
  modified: TimeModifiers | undefined,
): Expression {
  const bracket = cursor.take()
  const range = cursor.takeDuration()
  const { start } = operand
  if (cursor.isOperator(':')) {
    cursor.take()
    if (!cursor.isOperator(']')) cursor.takeDuration()
    const { end } = cursor.expect(']', 'in subquery selector')
    if (typeOf(operand) !== 'vector' && typeOf(operand) !== 'scalar') {
      cursor.fail(start, `subquery is only allowed on instant vector, got ${typeNameOf(operand)} instead`)
    }
    return { kind: 'subquery', expression: operand, range, offset: 0, at: undefined, start, end }
  }
  const { end } = cursor.expect(']', 'in matrix selector')
  if (operand.kind !== 'selector') return cursor.fail(bracket, 'ranges only allowed for vector selectors')
  if (modified !== undefined) {
    const modifier = modified.at === undefined ? 'offset' : '@'
    return cursor.fail(bracket, `no ${modifier} modifiers allowed before range`)
  }
  return { kind: 'range', selector: operand, range, start, end }
}

function modifiersOf(
  cursor: TokenCursor,
  operand: Expression,
  where: Token,
  modifier: string,
): TimeModifiers {
  if (operand.kind === 'selector' || operand.kind === 'subquery') return operand
  if (operand.kind === 'range') return operand.selector
  return cursor.fail(
    where,
    `${modifier} modifier must be preceded by an instant vector selector or range vector selector or a subquery`,
  )
}

function parseTimestamp(cursor: TokenCursor): number | 'start' | 'end' {
  if (cursor.isWord('start') || cursor.isWord('end')) {
    const edge = cursor.take().text.toLowerCase() === 'start' ? 'start' : 'end'
    cursor.expect('(', 'in @')
    cursor.expect(')', 'in @')
    return edge
  }
  const sign = takeSign(cursor)
  const seconds = cursor.peek()
  if (seconds.kind !== 'number') return cursor.unexpected('in @', 'timestamp')
  cursor.take()
  const at = cursor.numberOf(seconds) * sign
  // NaN is out of bounds, too.
  if (!(Math.abs(at) < 2 ** 63)) cursor.fail(seconds, `timestamp out of bounds for @ modifier: ${at}`)
  return Math.round(at * 1000)
}

function takeSign(cursor: TokenCursor): 1 | -1 {
  const isNegative = cursor.isOperator('-')
  if (isNegative || cursor.isOperator('+')) cursor.take()
  return isNegative ? -1 : 1
}
