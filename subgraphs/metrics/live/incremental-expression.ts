/**
 * Finds expressions that cannot be evaluated incrementally, for a range that grows. Such a range is evaluated step by
 * step as the steps end. The result equals one query over the whole range only if the value at a step depends neither
 * on later samples nor on the bounds of the range.
 */
import { wrong } from '../arguments.ts'

/**
 * Blanks and comments, strings, names, numbers with their exponents or units, and any other single character. A duration
 * of MetricsQL may have negative parts, which follow without a blank and have units (`1h-5m`; in `5m-1e3` a number is
 * subtracted).
 */
const token =
  /(?<skip>\s+|#[^\n]*)|(?<text>"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|`[^`]*`?)|(?<name>[\p{L}_:][\p{L}\d_:.]*)|(?<number>\.?\d[\d.]*e[+-]\d+|\.?\d[\w.]*(?:-\d[\d.]*[smhdwyi]\w*)*)|[\s\S]/giuy

interface Token {
  readonly kind: 'text' | 'name' | 'number' | 'sign'
  /** In lower case, because keywords and functions are not case-sensitive. */
  readonly text: string
}

/** Words that are followed by an operand, so what comes next is not a modifier. */
const beforeOperands: ReadonlySet<string> = new Set(
  'and or unless atan2 by without on ignoring group_left group_right bool offset if ifnot default'.split(' '),
)

/** Words whose list of labels is followed by an operand, which may be a metric with the name of a modifier. */
const matching: ReadonlySet<string> = new Set(['on', 'ignoring', 'group_left', 'group_right'])

/** Functions without arguments that return the bounds of the range or the time of the evaluation. */
const bounds: ReadonlySet<string> = new Set(['start', 'end', 'range', 'now'])

/** Functions of MetricsQL whose values depend on all points of the range. */
const wholeRange =
  /^(?:(?:range|running)_\w+|(?:top|bottom)k_(?:min|max|avg|median|last)|outliersk?|outliers_\w+|smooth_exponential|interpolate|keep_(?:last|next)_value|remove_resets|drop_common_labels|drop_empty_series|limit_offset|any|buckets_limit)$/

function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = []
  for (const { 0: found, groups = {} } of expression.matchAll(token)) {
    if (groups.skip !== undefined) continue
    const kind =
      groups.text !== undefined
        ? 'text'
        : groups.name !== undefined
          ? 'name'
          : groups.number !== undefined
            ? 'number'
            : 'sign'
    tokens.push({ kind, text: kind === 'text' ? '' : found.toLowerCase() })
  }
  return tokens
}

/** Whether an operand can end here, so that a modifier may follow. */
function endsOperand(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined) return false
  if (token.kind !== 'sign') return token.kind !== 'name' || !beforeOperands.has(token.text)
  if (token.text === ')') return !matching.has(wordBeforeList(tokens, at) ?? '')
  return token.text === ']' || token.text === '}'
}

/** The word before the list that ends here. Lists of labels contain no parentheses. */
function wordBeforeList(tokens: readonly Token[], end: number): string | undefined {
  let at = end - 1
  while (at > 0 && tokens[at]?.text !== '(' && tokens[at]?.text !== ')') at--
  return tokens[at]?.text === '(' ? tokens[at - 1]?.text : undefined
}

/** How many tokens of a duration are read. No useful one has more. */
const longestDuration = 50

/** Functions in durations. The values of the first two are positive, and those of the others follow from their arguments. */
const durationFunctions: ReadonlySet<string> = new Set(['step', 'range', 'min_of', 'max_of'])
const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^'])

/** A minus that is not a part of an exponent. */
const minus = /(?<!e)-/

/**
 * Whether a duration that begins here may be negative. Prometheus computes those that begin with a parenthesis or two
 * signs, and reads operators after it as a part of them (findings/promql-parenthesised-offset-takes-operators.sh).
 * MetricsQL has names for durations, whose values are elsewhere.
 */
function mayBeNegative(tokens: readonly Token[], at: number): boolean {
  const read = tokens.slice(at, at + longestDuration)
  const isComputed = read[0]?.text === '(' || (read[0]?.text === '+' && read[1]?.text === '+')
  let depth = 0
  for (const [index, { kind, text }] of read.entries()) {
    if (minus.test(text)) return true
    if (kind === 'name' && !(durationFunctions.has(text) && read[index + 1]?.text === '(')) return true
    if (kind === 'name' || arithmetic.has(text)) continue
    if (text === '(') depth++
    if (text === ')') depth--
    if (depth <= 0 && !(isComputed && arithmetic.has(read[index + 1]?.text ?? ''))) return false
  }
  return true
}

/**
 * Whether a time that has passed begins here, after `@`: a number with or without a sign. The bounds of the range are
 * read by themselves. Other functions and names may have any value, which MetricsQL takes from the first step.
 */
function isPast(tokens: readonly Token[], at: number, nowSeconds: number): boolean {
  const [first, second] = tokens.slice(at, at + 2)
  if (first?.kind === 'name') return bounds.has(first.text) && second?.text === '('
  const number = first?.text === '+' || first?.text === '-' ? second : first
  if (number?.kind !== 'number') return false
  // What is subtracted without a blank does not belong to the time.
  return first?.text === '-' || Number(number.text.split(minus, 1)[0]) <= nowSeconds
}

/** The part of an expression that makes it unusable, as it is written; undefined if there is none. */
export function nonIncrementalPart(expression: string, nowSeconds = Date.now() / 1000): string | undefined {
  const tokens = tokensOf(expression)
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'sign' && text === '@' && !isPast(tokens, at + 1, nowSeconds))
      return `@ ${tokens[at + 1]?.text ?? ''}`
    if (kind !== 'name') continue
    const next = tokens[at + 1]?.text
    if (next === '(' && bounds.has(text) && tokens[at + 2]?.text === ')') return `${text}()`
    if (next === '(' && wholeRange.test(text)) return text
    if (!endsOperand(tokens, at - 1)) continue
    if (text === 'smoothed') return text
    if (text !== 'offset' || !mayBeNegative(tokens, at + 1)) continue
    const { kind: after, text: duration = '' } = tokens[at + 1] ?? {}
    return after === 'name' && !durationFunctions.has(duration) ? `offset ${duration}` : 'offset -'
  }
  return undefined
}

export function incrementalExpressionFrom(query: string): string {
  const part = nonIncrementalPart(query)
  if (part === undefined) return query
  throw wrong(
    'query',
    `expected an expression whose value at a step does not depend on later samples or on the bounds of the range; got one with \`${part}\`.`,
  )
}
