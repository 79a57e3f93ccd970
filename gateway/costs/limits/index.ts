/**
 * Bounds on one operation. They are checked in this order, and each makes the next safe: nesting in the text before
 * it is parsed, because parsers recurse; sizes of the document before it is validated, because validation reads spread
 * fragments; values with the variables before it is executed.
 */

export type { Limits } from './document.ts'
export { checkDocument, checkLiterals, checkNesting, checkValue } from './document.ts'
export { compileValueCount } from './value-count.ts'
