/** Parses function calls and aggregations, and checks the number and types of their arguments. */
import { type Expression, signatures, typeNameOf, typeNames, typeOf, type ValueType } from './expression.ts'
import { parseLabelList } from './selector.ts'
import type { TokenCursor } from './token-cursor.ts'

const aggregators = new Set(
  'sum avg count min max group stddev stdvar topk bottomk count_values quantile limitk limit_ratio'.split(
    ' ',
  ),
)
const withParameter = new Set('topk bottomk count_values quantile limitk limit_ratio'.split(' '))

type ParseExpression = () => Expression

/** Whether the next tokens begin an aggregation, because a metric may have the name of an operator. */
export function isAggregation(cursor: TokenCursor): boolean {
  if (!aggregators.has(cursor.peek().text.toLowerCase())) return false
  const following = cursor.peek(1)
  const hasGrouping =
    following.kind === 'identifier' && ['by', 'without'].includes(following.text.toLowerCase())
  return hasGrouping || cursor.isOperator('(', 1)
}

export function parseCall(cursor: TokenCursor, parseArgument: ParseExpression): Expression {
  const name = cursor.take()
  const signature = signatures.get(name.text)
  if (signature === undefined) return cursor.fail(name, `unknown function with name "${name.text}"`)
  const args = parseArguments(cursor, parseArgument, 'in function call')
  const end = cursor.previousEnd
  const most = signature.args.length
  const least = most - Math.abs(signature.optional)
  const wrongNumber = (expected: string): never =>
    cursor.fail(name, `expected ${expected} argument(s) in call to "${name.text}", got ${args.length}`)
  if (signature.optional === 0 && args.length !== most) wrongNumber(String(most))
  if (args.length < least) wrongNumber(`at least ${least}`)
  if (signature.optional > 0 && args.length > most) wrongNumber(`at most ${most}`)
  for (const [index, argument] of args.entries()) {
    const expected = signature.args[Math.min(index, most - 1)]
    if (expected === undefined || typeOf(argument) === expected) continue
    const types = `expected type ${typeNames[expected]} in call to function "${name.text}", got ${typeNameOf(argument)}`
    cursor.fail(argument.start, types)
  }
  return { kind: 'call', name: name.text, args, signature, start: name.start, end }
}

export function parseAggregation(cursor: TokenCursor, parseArgument: ParseExpression): Expression {
  const name = cursor.take()
  const operator = name.text.toLowerCase()
  const before = parseGrouping(cursor)
  const args = parseArguments(cursor, parseArgument, 'in aggregation')
  const { without, labels } = before ?? parseGrouping(cursor) ?? { without: false, labels: [] }
  const end = cursor.previousEnd
  const expected = withParameter.has(operator) ? 2 : 1
  const operand = args[expected - 1]
  if (args.length === 0) cursor.fail(name, 'no arguments for aggregate expression provided')
  if (operand === undefined || args.length !== expected) {
    return cursor.fail(
      name,
      `wrong number of arguments for aggregate expression provided, expected ${expected}, got ${args.length}`,
    )
  }
  if (typeOf(operand) !== 'vector') {
    const got = typeNameOf(operand)
    cursor.fail(operand.start, `expected type instant vector in aggregation expression, got ${got}`)
  }
  const parameter = expected === 2 ? args[0] : undefined
  const type: ValueType = operator === 'count_values' ? 'string' : 'scalar'
  if (parameter !== undefined && typeOf(parameter) !== type) {
    const got = typeNameOf(parameter)
    cursor.fail(parameter.start, `expected type ${typeNames[type]} in aggregation parameter, got ${got}`)
  }
  const { start } = name
  return { kind: 'aggregate', operator, expression: operand, parameter, without, labels, start, end }
}

function parseArguments(cursor: TokenCursor, parseArgument: ParseExpression, context: string): Expression[] {
  cursor.expect('(', context)
  const args: Expression[] = []
  while (!cursor.isOperator(')')) {
    if (args.length > 0) cursor.expect(',', context)
    args.push(parseArgument())
  }
  cursor.take()
  return args
}

function parseGrouping(cursor: TokenCursor): { without: boolean; labels: readonly string[] } | undefined {
  if (!cursor.isWord('by') && !cursor.isWord('without')) return undefined
  const without = cursor.take().text.toLowerCase() === 'without'
  return { without, labels: parseLabelList(cursor) }
}
