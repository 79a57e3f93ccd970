/**
 * Parses an expression to a syntax tree and checks its types, as Prometheus does before it evaluates. The whole
 * language is parsed, and the evaluator refuses what it does not implement. Any fault is a BadData with line and
 * column.
 *
 * Prometheus' own grammar for editors, `@prometheus-io/lezer-promql`, cannot be used here: docs/architecture.md
 * says why.
 */
import { checkedBinary, parseBinaryModifiers, peekBinaryOperator, signPrecedence } from './binary.ts'
import { isAggregation, parseAggregation, parseCall } from './call.ts'
import { type Expression, typeNames, typeOf } from './expression.ts'
import { parseError } from './lexer.ts'
import { parseModifiers } from './modifiers.ts'
import { parseSelector } from './selector.ts'
import { TokenCursor } from './token-cursor.ts'

export {
  type AggregateNode,
  type BinaryNode,
  type CallNode,
  comparisons,
  type Expression,
  type SelectorNode,
  setOperators,
  typeNameOf,
  typeOf,
  withoutParentheses,
} from './expression.ts'
export { lineAndColumn } from './lexer.ts'

/** Keywords that cannot be names of metrics. All others can. */
const reservedNames = new Set('on ignoring bool group_left group_right atan2'.split(' '))
const maxDepth = 250
/** Prometheus does not bound an expression, but its HTTP server bounds the whole request. */
const maxLength = 64 * 1024

export function parseExpression(input: string): Expression {
  if (input.length > maxLength) throw parseError(input, 0, `expression has more than ${maxLength} characters`)
  const cursor: TokenCursor = new TokenCursor(input)
  let depth = 0

  function parseOperation(leastPrecedence: number): Expression {
    if (++depth > maxDepth) cursor.fail(cursor.peek(), 'expression nests too deeply')
    let left = parseSigned()
    for (;;) {
      const found = peekBinaryOperator(cursor)
      if (found === undefined || found.precedence < leastPrecedence) break
      cursor.take()
      const modifiers = parseBinaryModifiers(cursor, found.operator)
      const right = parseOperation(found.rightPrecedence)
      left = checkedBinary(cursor, { operator: found.operator, left, right, ...modifiers })
    }
    depth--
    return left
  }

  function parseSigned(): Expression {
    if (!cursor.isOperator('-') && !cursor.isOperator('+')) return parseModifiers(cursor, parseOperand())
    const sign = cursor.take()
    const operand = parseOperation(signPrecedence + 1)
    const type = typeOf(operand)
    if (type !== 'scalar' && type !== 'vector') {
      cursor.fail(
        sign,
        `unary expression only allowed on expressions of type scalar or instant vector, got "${typeNames[type]}"`,
      )
    }
    if (sign.text === '+') return operand
    const span = { start: sign.start, end: operand.end }
    if (operand.kind === 'number') return { kind: 'number', value: -operand.value, ...span }
    return { kind: 'negate', expression: operand, ...span }
  }

  function parseOperand(): Expression {
    const first = cursor.peek()
    const span = { start: first.start, end: first.end }
    if (first.kind === 'identifier') return parseNamed()
    if (cursor.isOperator('{')) return parseSelector(cursor, undefined)
    if (first.kind === 'end' && cursor.isAtStart) cursor.fail(first, 'no expression found in input')
    if (first.kind === 'end' || (first.kind === 'operator' && first.text !== '(')) cursor.unexpected('')
    cursor.take()
    if (first.kind === 'number') return { kind: 'number', value: cursor.numberOf(first), ...span }
    if (first.kind === 'duration') return { kind: 'number', value: cursor.durationOf(first) / 1000, ...span }
    if (first.kind === 'string') return { kind: 'string', value: first.text, ...span }
    const inner = parseOperation(0)
    const { end } = cursor.expect(')', 'in parenthesized expression')
    return { kind: 'paren', expression: inner, start: first.start, end }
  }

  /** Parses what begins with a name: an aggregation, a number, a call or a selector. */
  function parseNamed(): Expression {
    if (isAggregation(cursor)) return parseAggregation(cursor, parseArgument)
    const name = cursor.peek()
    const word = name.text.toLowerCase()
    if ((word === 'inf' || word === 'nan') && !cursor.isOperator('{', 1)) {
      cursor.take()
      const value = word === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY
      return { kind: 'number', value, start: name.start, end: name.end }
    }
    if (cursor.isOperator('(', 1)) return parseCall(cursor, parseArgument)
    if (reservedNames.has(word)) return cursor.unexpected('')
    cursor.take()
    return parseSelector(cursor, name)
  }

  function parseArgument(): Expression {
    return parseOperation(0)
  }

  const result = parseOperation(0)
  if (cursor.peek().kind !== 'end') cursor.unexpected('')
  return result
}
