/** The expression language: parses text to a syntax tree with checked types. Knows nothing of series and samples. */
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
export { lineAndColumn } from './lexer.ts'
export { parseExpression } from './parse.ts'
