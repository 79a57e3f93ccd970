/** Binary operators: their precedence, their modifiers, and the types of their operands. */
import {
  type BinaryNode,
  comparisons,
  type Expression,
  type Matching,
  setOperators,
  typeOf,
} from './expression.ts'
import { parseLabelList } from './selector.ts'
import type { TokenCursor } from './token-cursor.ts'

const precedences: ReadonlyMap<string, number> = new Map([
  ['or', 1],
  ['and', 2],
  ['unless', 2],
  ...[...comparisons].map((operator): [string, number] => [operator, 3]),
  ['+', 4],
  ['-', 4],
  ['*', 5],
  ['/', 5],
  ['%', 5],
  ['atan2', 5],
  ['^', 6],
])
/** A sign binds as tightly as a multiplication: `-1 ^ 2` is `-(1 ^ 2)`. */
export const signPrecedence = 5

interface BinaryOperator {
  readonly operator: string
  readonly precedence: number
  /** The lowest precedence of operators that belong to the right operand. Only the power is right-associative. */
  readonly rightPrecedence: number
}

export function peekBinaryOperator(cursor: TokenCursor): BinaryOperator | undefined {
  const { kind, text } = cursor.peek()
  const operator = kind === 'operator' ? text : text.toLowerCase()
  const isWord = setOperators.has(operator) || operator === 'atan2'
  if (kind !== 'operator' && !(kind === 'identifier' && isWord)) return undefined
  const precedence = precedences.get(operator)
  if (precedence === undefined) return undefined
  return { operator, precedence, rightPrecedence: operator === '^' ? precedence : precedence + 1 }
}

interface BinaryModifiers {
  readonly bool: boolean
  readonly matching: Matching
  /** Whether `on` or `ignoring` was written. */
  readonly isExplicit: boolean
}

export function parseBinaryModifiers(cursor: TokenCursor, operator: string): BinaryModifiers {
  let bool = false
  if (cursor.isWord('bool')) {
    if (!comparisons.has(operator)) {
      cursor.fail(cursor.take(), 'bool modifier can only be used on comparison operators')
    }
    cursor.take()
    bool = true
  }
  const isExplicit = cursor.isWord('on') || cursor.isWord('ignoring')
  const matching: Matching = isExplicit
    ? parseMatching(cursor, operator)
    : { on: false, labels: [], group: undefined, include: [] }
  return { bool, matching, isExplicit }
}

function parseMatching(cursor: TokenCursor, operator: string): Matching {
  const on = cursor.take().text.toLowerCase() === 'on'
  const labels = parseLabelList(cursor)
  if (!cursor.isWord('group_left') && !cursor.isWord('group_right')) {
    return { on, labels, group: undefined, include: [] }
  }
  const modifier = cursor.take()
  if (setOperators.has(operator)) cursor.fail(modifier, `no grouping allowed for "${operator}" operation`)
  const group = modifier.text.toLowerCase() === 'group_left' ? 'left' : 'right'
  const include = cursor.isOperator('(') ? parseLabelList(cursor) : []
  const doubled = on ? include.find((label) => labels.includes(label)) : undefined
  if (doubled !== undefined) {
    cursor.fail(modifier, `label "${doubled}" must not occur in ON and GROUP clause at once`)
  }
  return { on, labels, group, include }
}

export function checkedBinary(
  cursor: TokenCursor,
  binary: Pick<BinaryNode, 'operator' | 'left' | 'right'> & BinaryModifiers,
): Expression {
  const { operator, left, right, bool, matching, isExplicit } = binary
  for (const operand of [left, right]) {
    if (typeOf(operand) !== 'scalar' && typeOf(operand) !== 'vector') {
      cursor.fail(operand.start, 'binary expression must contain only scalar and instant vector types')
    }
  }
  const scalars = [left, right].filter((operand) => typeOf(operand) === 'scalar').length
  if (comparisons.has(operator) && !bool && scalars === 2) {
    cursor.fail(left.start, 'comparisons between scalars must use BOOL modifier')
  }
  if (setOperators.has(operator) && scalars > 0) {
    cursor.fail(left.start, `set operator "${operator}" not allowed in binary scalar expression`)
  }
  if (isExplicit && scalars > 0) {
    cursor.fail(left.start, 'vector matching only allowed between instant vectors')
  }
  return { kind: 'binary', operator, left, right, bool, matching, start: left.start, end: right.end }
}
