/** The syntax tree of an expression, and the types of its values. */

export type ValueType = 'scalar' | 'vector' | 'matrix' | 'string'

interface Signature {
  readonly args: readonly ValueType[]
  /** How many of the last arguments are optional; -1 means that the last one may be repeated or omitted. */
  readonly optional: number
  readonly returns: ValueType
}

const shapes: readonly (readonly [
  returns: ValueType,
  args: readonly ValueType[],
  optional: number,
  names: string,
])[] = [
  [
    'vector',
    ['matrix'],
    0,
    'rate increase irate delta idelta deriv changes resets avg_over_time count_over_time last_over_time max_over_time min_over_time present_over_time stddev_over_time stdvar_over_time sum_over_time absent_over_time mad_over_time',
  ],
  ['vector', ['scalar', 'matrix'], 0, 'quantile_over_time'],
  ['vector', ['matrix', 'scalar'], 0, 'predict_linear'],
  ['vector', ['matrix', 'scalar', 'scalar'], 0, 'holt_winters double_exponential_smoothing'],
  [
    'vector',
    ['vector'],
    0,
    'abs absent acos acosh asin asinh atan atanh ceil cos cosh deg exp floor histogram_avg histogram_count histogram_stddev histogram_stdvar histogram_sum ln log10 log2 rad sgn sin sinh sort sort_desc sqrt tan tanh timestamp',
  ],
  ['vector', ['vector', 'scalar'], 1, 'round'],
  ['vector', ['vector', 'scalar'], 0, 'clamp_max clamp_min'],
  ['vector', ['vector', 'scalar', 'scalar'], 0, 'clamp'],
  ['vector', ['scalar', 'vector'], 0, 'histogram_quantile'],
  ['vector', ['scalar', 'scalar', 'vector'], 0, 'histogram_fraction'],
  ['vector', ['vector', 'string', 'string', 'string', 'string'], 0, 'label_replace'],
  ['vector', ['vector', 'string', 'string', 'string'], -1, 'label_join'],
  ['vector', ['vector', 'string'], -1, 'sort_by_label sort_by_label_desc'],
  ['vector', ['vector'], 1, 'day_of_month day_of_week day_of_year days_in_month hour minute month year'],
  ['vector', ['scalar'], 0, 'vector'],
  ['scalar', ['vector'], 0, 'scalar'],
  ['scalar', [], 0, 'time pi'],
  ['vector', ['vector', 'vector'], 1, 'info'],
]

/**
 * The signatures of all functions of the language. The parser refuses an unknown name, and the evaluator refuses a
 * known one that it does not implement.
 */
export const signatures: ReadonlyMap<string, Signature> = new Map(
  shapes.flatMap(([returns, args, optional, names]) =>
    names.split(' ').map((name): [string, Signature] => [name, { returns, args, optional }]),
  ),
)

export type MatchOperator = '=' | '!=' | '=~' | '!~'
export interface Matcher {
  readonly name: string
  readonly operator: MatchOperator
  readonly value: string
  readonly matches: (value: string) => boolean
}

/** The `offset` and `@` modifiers of a selector or subquery, in milliseconds. */
export interface TimeModifiers {
  offset: number
  at: number | 'start' | 'end' | undefined
}

interface Span {
  readonly start: number
  end: number
}
export interface SelectorNode extends Span, TimeModifiers {
  readonly kind: 'selector'
  readonly matchers: readonly Matcher[]
}
export interface Matching {
  readonly on: boolean
  readonly labels: readonly string[]
  readonly group: 'left' | 'right' | undefined
  readonly include: readonly string[]
}
export interface AggregateNode extends Span {
  readonly kind: 'aggregate'
  readonly operator: string
  readonly expression: Expression
  readonly parameter: Expression | undefined
  readonly without: boolean
  readonly labels: readonly string[]
}
export interface CallNode extends Span {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Expression[]
  readonly signature: Signature
}
export interface BinaryNode extends Span {
  readonly kind: 'binary'
  readonly operator: string
  readonly left: Expression
  readonly right: Expression
  readonly bool: boolean
  readonly matching: Matching
}
export type Expression =
  | (Span & { readonly kind: 'number'; readonly value: number })
  | (Span & { readonly kind: 'string'; readonly value: string })
  | SelectorNode
  | (Span & { readonly kind: 'range'; readonly selector: SelectorNode; readonly range: number })
  | (Span &
      TimeModifiers & { readonly kind: 'subquery'; readonly expression: Expression; readonly range: number })
  | (Span & { readonly kind: 'negate'; readonly expression: Expression })
  | (Span & { readonly kind: 'paren'; readonly expression: Expression })
  | BinaryNode
  | AggregateNode
  | CallNode

export const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])
export const setOperators: ReadonlySet<string> = new Set(['and', 'or', 'unless'])
export const typeNames: Record<ValueType, string> = {
  scalar: 'scalar',
  vector: 'instant vector',
  matrix: 'range vector',
  string: 'string',
}

export function typeOf(expression: Expression): ValueType {
  switch (expression.kind) {
    case 'number':
      return 'scalar'
    case 'string':
      return 'string'
    case 'selector':
    case 'aggregate':
      return 'vector'
    case 'range':
    case 'subquery':
      return 'matrix'
    case 'negate':
    case 'paren':
      return typeOf(expression.expression)
    case 'binary':
      return typeOf(expression.left) === 'scalar' && typeOf(expression.right) === 'scalar'
        ? 'scalar'
        : 'vector'
    case 'call':
      return expression.signature.returns
  }
}

export function typeNameOf(expression: Expression): string {
  return typeNames[typeOf(expression)]
}

export function withoutParentheses(expression: Expression | undefined): Expression | undefined {
  return expression?.kind === 'paren' ? withoutParentheses(expression.expression) : expression
}
