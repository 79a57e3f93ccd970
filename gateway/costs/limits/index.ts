/**
 * Bounds on one operation. They are checked in this order, and each makes the next safe: nesting in the text before
 * it is parsed, because parsers recurse; sizes of the document before it is validated, because validation reads spread
 * fragments; values with the variables before it is executed.
 */
export { checkDocument } from './document.ts'
export type { Limits } from './limits.ts'
export { checkNesting } from './nesting.ts'
export { compileValueCount } from './value-count.ts'
export { checkLiterals, checkValue } from './values.ts'
