// Parses an expression to a tree and checks its types, as the service does before it evaluates anything. The whole
// language parses; that something cannot be evaluated here is told by the evaluator. Any fault is a BadData with
// line and column.

import {
  comparisons,
  type Expression,
  type Matcher,
  type Matching,
  type MatchOperator,
  type Place,
  type SelectorNode,
  setOperators,
  typeNameOf,
  typeNames,
  typeOf,
} from './expression.ts'
import { signatures, type ValueType } from './functions.ts'
import { metricName } from './labels.ts'
import { parseError, type Token, tokenize } from './lexer.ts'
import { floatFrom, unitDurationFrom } from './number.ts'
import { compileAnchored } from './regex.ts'

const aggregators = new Set(
  'sum avg count min max group stddev stdvar topk bottomk count_values quantile limitk limit_ratio'.split(
    ' ',
  ),
)
const withParameter = new Set('topk bottomk count_values quantile limitk limit_ratio'.split(' '))
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
/** Keywords that even a metric may not be named after. */
const neverMetrics = new Set('on ignoring bool group_left group_right atan2'.split(' '))
const unaryPrecedence = 5
const maxDepth = 250
export function parseExpression(input: string): Expression {
  const tokens = tokenize(input)
  let at = 0
  let depth = 0
  const token = (ahead = 0): Token => tokens[Math.min(at + ahead, tokens.length - 1)] ?? endToken
  const fail = (where: number | Token, problem: string): never => {
    throw parseError(input, typeof where === 'number' ? where : where.start, problem)
  }
  const unexpected = (context: string, wanted?: string): never =>
    fail(
      token(),
      `unexpected ${printToken(token())}${context === '' ? '' : ` ${context}`}${wanted === undefined ? '' : `, expected ${wanted}`}`,
    )
  const isOperator = (text: string, ahead = 0): boolean =>
    token(ahead).kind === 'operator' && token(ahead).text === text
  const isWord = (word: string): boolean =>
    token().kind === 'identifier' && token().text.toLowerCase() === word
  const take = (): Token => {
    const taken = token()
    at++
    return taken
  }
  const expect = (text: string, context: string): Token =>
    isOperator(text) ? take() : unexpected(context, JSON.stringify(text))

  function expression(minimum: number): Expression {
    if (++depth > maxDepth) fail(token(), 'expression nests too deeply')
    let left = unary()
    for (;;) {
      const operator = binaryOperator()
      const precedence = operator === undefined ? undefined : precedences.get(operator)
      if (operator === undefined || precedence === undefined || precedence < minimum) break
      take()
      left = binary(operator, precedence, left)
    }
    depth--
    return left
  }

  function binaryOperator(): string | undefined {
    const { kind, text } = token()
    if (kind === 'operator') return precedences.has(text) ? text : undefined
    const word = text.toLowerCase()
    return kind === 'identifier' && (setOperators.has(word) || word === 'atan2') ? word : undefined
  }

  function binary(operator: string, precedence: number, left: Expression): Expression {
    let bool = false
    if (isWord('bool')) {
      if (!comparisons.has(operator)) fail(take(), 'bool modifier can only be used on comparison operators')
      take()
      bool = true
    }
    let matching: Matching = { on: false, labels: [], group: undefined, include: [] }
    let explicit = false
    if (isWord('on') || isWord('ignoring')) {
      explicit = true
      const on = take().text.toLowerCase() === 'on'
      matching = { ...matching, on, labels: labelList() }
      if (isWord('group_left') || isWord('group_right')) {
        const modifier = take()
        if (setOperators.has(operator)) fail(modifier, `no grouping allowed for "${operator}" operation`)
        const group = modifier.text.toLowerCase() === 'group_left' ? 'left' : 'right'
        const include = isOperator('(') ? labelList() : []
        const doubled = on ? include.find((label) => matching.labels.includes(label)) : undefined
        if (doubled !== undefined)
          fail(modifier, `label "${doubled}" must not occur in ON and GROUP clause at once`)
        matching = { ...matching, group, include }
      }
    }
    // Power is right-associative, all others left.
    const right = expression(operator === '^' ? precedence : precedence + 1)
    const span = { start: left.start, end: right.end }
    const types = [typeOf(left), typeOf(right)]
    for (const [index, type] of types.entries()) {
      if (type !== 'scalar' && type !== 'vector') {
        fail(
          (index === 0 ? left : right).start,
          'binary expression must contain only scalar and instant vector types',
        )
      }
    }
    const scalars = types.filter((type) => type === 'scalar').length
    if (comparisons.has(operator) && !bool && scalars === 2) {
      fail(left.start, 'comparisons between scalars must use BOOL modifier')
    }
    if (setOperators.has(operator) && scalars > 0) {
      fail(left.start, `set operator "${operator}" not allowed in binary scalar expression`)
    }
    if (explicit && scalars > 0) fail(left.start, 'vector matching only allowed between instant vectors')
    return { kind: 'binary', operator, left, right, bool, matching, ...span }
  }

  function unary(): Expression {
    if (!isOperator('-') && !isOperator('+')) return postfix(primary())
    const sign = take()
    const operand = expression(unaryPrecedence + 1)
    const type = typeOf(operand)
    if (type !== 'scalar' && type !== 'vector') {
      fail(
        sign,
        `unary expression only allowed on expressions of type scalar or instant vector, got "${typeNames[type]}"`,
      )
    }
    if (sign.text === '+') return operand
    const span = { start: sign.start, end: operand.end }
    if (operand.kind === 'number') return { kind: 'number', value: -operand.value, ...span }
    return { kind: 'negate', expression: operand, ...span }
  }

  function primary(): Expression {
    const first = token()
    const span = { start: first.start, end: first.end }
    switch (first.kind) {
      case 'number':
        take()
        return { kind: 'number', value: numberFrom(first), ...span }
      case 'duration':
        take()
        return { kind: 'number', value: duration(first) / 1000, ...span }
      case 'string':
        take()
        return { kind: 'string', value: first.text, ...span }
      case 'identifier':
        return named()
      case 'end':
        return at === 0 ? fail(first, 'no expression found in input') : unexpected('')
      default:
    }
    if (isOperator('{')) return selector(undefined)
    if (!isOperator('(')) return unexpected('')
    take()
    const inner = expression(0)
    const close = expect(')', 'in parenthesized expression')
    return { kind: 'paren', expression: inner, start: first.start, end: close.end }
  }

  function named(): Expression {
    const first = token()
    const word = first.text.toLowerCase()
    if (aggregators.has(word)) {
      const following = token(1)
      const modified =
        following.kind === 'identifier' && ['by', 'without'].includes(following.text.toLowerCase())
      if (isOperator('(', 1) || modified) return aggregate(word)
    }
    if ((word === 'inf' || word === 'nan') && !isOperator('{', 1)) {
      take()
      const value = word === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY
      return { kind: 'number', value, start: first.start, end: first.end }
    }
    if (isOperator('(', 1)) return call()
    if (neverMetrics.has(word)) return unexpected('')
    take()
    return selector(first)
  }

  function call(): Expression {
    const name = take()
    const signature = signatures.get(name.text)
    if (signature === undefined) return fail(name, `unknown function with name "${name.text}"`)
    expect('(', 'in function call')
    const args: Expression[] = []
    while (!isOperator(')')) {
      if (args.length > 0) expect(',', 'in function call')
      args.push(expression(0))
    }
    const close = take()
    const most = signature.args.length
    if (signature.optional === 0 && args.length !== most) {
      fail(name, `expected ${most} argument(s) in call to "${name.text}", got ${args.length}`)
    }
    const least = most - Math.abs(signature.optional)
    if (args.length < least)
      fail(name, `expected at least ${least} argument(s) in call to "${name.text}", got ${args.length}`)
    if (signature.optional > 0 && args.length > most) {
      fail(name, `expected at most ${most} argument(s) in call to "${name.text}", got ${args.length}`)
    }
    for (const [index, argument] of args.entries()) {
      const wanted = signature.args[Math.min(index, most - 1)]
      if (wanted !== undefined && typeOf(argument) !== wanted) {
        fail(
          argument.start,
          `expected type ${typeNames[wanted]} in call to function "${name.text}", got ${typeNameOf(argument)}`,
        )
      }
    }
    return { kind: 'call', name: name.text, args, signature, start: name.start, end: close.end }
  }

  function aggregate(operator: string): Expression {
    const name = take()
    let grouping: { without: boolean; labels: readonly string[] } | undefined
    const readGrouping = (): boolean => {
      if (!isWord('by') && !isWord('without')) return false
      const without = take().text.toLowerCase() === 'without'
      grouping = { without, labels: labelList() }
      return true
    }
    const before = readGrouping()
    expect('(', 'in aggregation')
    const args: Expression[] = []
    while (!isOperator(')')) {
      if (args.length > 0) expect(',', 'in aggregation')
      args.push(expression(0))
    }
    let end = take().end
    if (!before && readGrouping()) end = tokens[at - 1]?.end ?? end
    const wanted = withParameter.has(operator) ? 2 : 1
    if (args.length === 0) fail(name, 'no arguments for aggregate expression provided')
    if (args.length !== wanted) {
      fail(
        name,
        `wrong number of arguments for aggregate expression provided, expected ${wanted}, got ${args.length}`,
      )
    }
    const operand = args[wanted - 1]
    const parameter = wanted === 2 ? args[0] : undefined
    if (operand === undefined) return fail(name, 'no arguments for aggregate expression provided')
    if (typeOf(operand) !== 'vector') {
      fail(
        operand.start,
        `expected type instant vector in aggregation expression, got ${typeNameOf(operand)}`,
      )
    }
    if (parameter !== undefined) {
      const type: ValueType = operator === 'count_values' ? 'string' : 'scalar'
      if (typeOf(parameter) !== type) {
        fail(
          parameter.start,
          `expected type ${typeNames[type]} in aggregation parameter, got ${typeNameOf(parameter)}`,
        )
      }
    }
    const { without = false, labels = [] } = grouping ?? {}
    return {
      kind: 'aggregate',
      operator,
      expression: operand,
      parameter,
      without,
      labels,
      start: name.start,
      end,
    }
  }

  function labelList(): string[] {
    expect('(', 'in grouping opts')
    const labels: string[] = []
    while (!isOperator(')')) {
      const label = take()
      const valid = label.kind === 'string' ? label.text !== '' : isLabelName(label)
      if (!valid) fail(label, `unexpected ${printToken(label)} in grouping opts, expected label`)
      labels.push(label.text)
      if (!isOperator(')')) expect(',', 'in grouping opts')
    }
    take()
    return labels
  }

  function selector(name: Token | undefined): SelectorNode {
    const start = name?.start ?? token().start
    const matchers: Matcher[] = name === undefined ? [] : [matcher(name, metricName, '=', name.text)]
    let end = name?.end ?? token().end
    if (isOperator('{')) {
      take()
      while (!isOperator('}')) {
        matchers.push(matcherInBraces(matchers))
        if (!isOperator('}')) {
          if (!isOperator(',')) unexpected('inside braces', '"," or "}"')
          take()
        }
      }
      end = take().end
    }
    if (matchers.every((one) => one.matches(''))) {
      fail(start, 'vector selector must contain at least one non-empty matcher')
    }
    return { kind: 'selector', matchers, offset: 0, at: undefined, start, end }
  }

  function matcherInBraces(earlier: readonly Matcher[]): Matcher {
    const label = token()
    if (label.kind === 'end') unexpected('inside braces')
    const quoted = label.kind === 'string'
    if (!quoted && !isLabelName(label)) unexpected('inside braces', 'identifier or "}"')
    take()
    if (quoted && (isOperator(',') || isOperator('}'))) {
      if (earlier.some(({ name }) => name === metricName)) {
        fail(label, `metric name must not be set twice: "${label.text}"`)
      }
      return matcher(label, metricName, '=', label.text)
    }
    const operator = token()
    if (operator.kind !== 'operator' || !isMatchOperator(operator.text)) {
      return unexpected('inside braces', 'label matching operator')
    }
    take()
    const value = token()
    if (value.kind !== 'string') return unexpected('inside braces', 'string')
    take()
    if (label.text === metricName && earlier.some((one) => one.name === metricName && one.operator === '=')) {
      fail(label, `metric name must not be set twice: ${JSON.stringify(value.text)}`)
    }
    return matcher(value, label.text, operator.text, value.text)
  }

  function matcher(where: Token, name: string, operator: MatchOperator, value: string): Matcher {
    const negated = operator.startsWith('!')
    if (!operator.endsWith('~')) {
      return { name, operator, value, matches: (tested) => (tested === value) !== negated }
    }
    try {
      const test = compileAnchored(value)
      return { name, operator, value, matches: (tested) => test(tested) !== negated }
    } catch (cause) {
      return fail(where, cause instanceof Error ? cause.message : 'invalid regular expression')
    }
  }

  /** What may follow an operand: a range or subquery in brackets, `offset` and `@`. */
  function postfix(operand: Expression): Expression {
    let result = operand
    let moved: Place | undefined
    for (;;) {
      if (isOperator('[')) {
        const bracket = take()
        const range = durationToken()
        if (isOperator(':')) {
          take()
          if (!isOperator(']')) durationToken()
          const end = expect(']', 'in subquery selector').end
          if (typeOf(result) !== 'vector' && typeOf(result) !== 'scalar') {
            fail(
              result.start,
              `subquery is only allowed on instant vector, got ${typeNameOf(result)} instead`,
            )
          }
          result = {
            kind: 'subquery',
            expression: result,
            range,
            offset: 0,
            at: undefined,
            start: result.start,
            end,
          }
        } else {
          const end = expect(']', 'in matrix selector').end
          if (result.kind !== 'selector') return fail(bracket, 'ranges only allowed for vector selectors')
          if (moved !== undefined) {
            return fail(
              bracket,
              `no ${moved.at === undefined ? 'offset' : '@'} modifiers allowed before range`,
            )
          }
          result = { kind: 'range', selector: result, range, start: result.start, end }
        }
        moved = undefined
      } else if (isWord('offset')) {
        const word = take()
        moved = placeOf(result, word, 'offset')
        if (moved.offset !== 0) fail(word, 'offset may not be set multiple times')
        const negative = isOperator('-')
        if (negative || isOperator('+')) take()
        const milliseconds = durationToken(true)
        moved.offset = negative ? -milliseconds : milliseconds
        result.end = tokens[at - 1]?.end ?? result.end
      } else if (isOperator('@')) {
        const sign = take()
        moved = placeOf(result, sign, '@')
        if (moved.at !== undefined) fail(sign, '@ <timestamp> may not be set multiple times')
        moved.at = pinned()
        result.end = tokens[at - 1]?.end ?? result.end
      } else return result
    }
  }

  function placeOf(target: Expression, where: Token, modifier: string): Place {
    if (target.kind === 'selector' || target.kind === 'subquery') return target
    if (target.kind === 'range') return target.selector
    return fail(
      where,
      `${modifier} modifier must be preceded by an instant vector selector or range vector selector or a subquery`,
    )
  }

  function pinned(): number | 'start' | 'end' {
    if (isWord('start') || isWord('end')) {
      const edge = take().text.toLowerCase() === 'start' ? 'start' : 'end'
      expect('(', 'in @')
      expect(')', 'in @')
      return edge
    }
    const negative = isOperator('-')
    if (negative || isOperator('+')) take()
    const seconds = token()
    if (seconds.kind !== 'number') return unexpected('in @', 'timestamp')
    take()
    return Math.round(numberFrom(seconds) * 1000) * (negative ? -1 : 1)
  }

  function durationToken(zeroAllowed = false): number {
    const written = token()
    if (written.kind !== 'duration' && written.kind !== 'number') return unexpected('', 'duration')
    take()
    const milliseconds = written.kind === 'duration' ? duration(written) : numberFrom(written) * 1000
    if (!zeroAllowed && milliseconds <= 0) fail(written, 'duration must be greater than 0')
    return Math.trunc(milliseconds)
  }

  function duration(written: Token): number {
    return (
      unitDurationFrom(written.text) ??
      fail(written, `not a valid duration string: ${JSON.stringify(written.text)}`)
    )
  }

  function numberFrom(written: Token): number {
    // As in Go, whole numbers with a leading zero are octal, and hexadecimal needs no exponent.
    if (/^0[0-7]+$/.test(written.text)) return Number.parseInt(written.text, 8)
    if (/^0[xX]/.test(written.text)) return Number.parseInt(written.text, 16)
    return floatFrom(written.text) ?? fail(written, `error parsing number: ${JSON.stringify(written.text)}`)
  }

  const result = expression(0)
  if (token().kind !== 'end') unexpected('')
  return result
}

const endToken: Token = { kind: 'end', text: '', start: 0, end: 0 }

function isMatchOperator(text: string): text is MatchOperator {
  return text === '=' || text === '!=' || text === '=~' || text === '!~'
}

function isLabelName(token: Token): boolean {
  return token.kind === 'identifier' && !token.text.includes(':')
}

function printToken(token: Token): string {
  if (token.kind === 'end') return 'end of input'
  if (token.kind === 'operator') return JSON.stringify(token.text)
  return `${token.kind} ${JSON.stringify(token.text)}`
}
