/** The syntax tree of an expression, and the types of its values. */
import type { Signature, ValueType } from './signatures.ts'

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

/** The name of a type in error messages: `range vector`, `string`. */
export function typeNameOf(expression: Expression): string {
  return typeNames[typeOf(expression)]
}

export function withoutParentheses(expression: Expression | undefined): Expression | undefined {
  return expression?.kind === 'paren' ? withoutParentheses(expression.expression) : expression
}
