/** The expression language: text to a syntax tree whose types are checked. Knows nothing of series and samples. */
export {
  type AggregateNode,
  type BinaryNode,
  type CallNode,
  comparisons,
  type Expression,
  type Matching,
  type SelectorNode,
  setOperators,
  typeNameOf,
  typeOf,
  withoutParentheses,
} from './expression.ts'
export { parseExpression } from './parse.ts'
export { lineAndColumn } from './parse-error.ts'
