/**
 * Which expressions a range that grows cannot have. What it sends is evaluated step by step as the steps end, and is what
 * one query over the whole range gives only if the value at a step depends neither on later samples nor on where the
 * range begins and ends.
 */
import { badInput } from '../../../shared/errors.ts'

/** Blanks and comments, texts, names, numbers with their units, and single characters of anything else. */
const token =
  /(?<skip>\s+|#[^\n]*)|(?<text>"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|`[^`]*`?)|(?<name>[\p{L}_:][\p{L}\d_:.]*)|(?<number>\d[\w.]*)|[\s\S]/guy

interface Token {
  readonly kind: 'text' | 'name' | 'number' | 'sign'
  /** In lower case, as keywords and functions may be written in any. */
  readonly text: string
}

/** Words after which an operand follows: what stands behind them is no modifier. */
const beforeOperands: ReadonlySet<string> = new Set(
  'and or unless atan2 by without on ignoring group_left group_right bool offset if ifnot default'.split(' '),
)

/** Functions without arguments that tell the bounds of the range, or the moment of the evaluation. */
const bounds: ReadonlySet<string> = new Set(['start', 'end', 'range', 'now'])

/** Functions of MetricsQL whose values follow from all points of the range. */
const wholeRange =
  /^(?:(?:range|running)_\w+|(?:top|bottom)k_(?:min|max|avg|median|last)|outliersk?|outliers_\w+|smooth_exponential|interpolate|keep_(?:last|next)_value|remove_resets|drop_common_labels)$/

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

/** Whether an operand may end here, so that a modifier may follow. */
function endsOperand(token: Token | undefined): boolean {
  if (token === undefined) return false
  if (token.kind === 'sign') return token.text === ')' || token.text === ']' || token.text === '}'
  return token.kind !== 'name' || !beforeOperands.has(token.text)
}

/** What makes an expression unfit, as it is written there; undefined if nothing does. */
export function unsteadyPart(expression: string): string | undefined {
  const tokens = tokensOf(expression)
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'name') continue
    const next = tokens[at + 1]?.text
    if (next === '(' && bounds.has(text) && tokens[at + 2]?.text === ')') return `${text}()`
    if (next === '(' && wholeRange.test(text)) return text
    if (!endsOperand(tokens[at - 1])) continue
    if (text === 'smoothed') return text
    if (text === 'offset' && next === '-') return 'offset -'
  }
  return undefined
}

/** The expression. Throws if it is unfit. */
export function steadyFrom(query: string): string {
  const part = unsteadyPart(query)
  if (part === undefined) return query
  throw badInput(
    `query: expected an expression whose value at a step depends on nothing later and not on the bounds of the range; got one with \`${part}\`.`,
    { argument: 'query' },
  )
}
