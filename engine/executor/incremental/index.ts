/** Incremental delivery: `@defer` and `@stream` over the plan of an operation. */
export { compileInPieces, type ExecuteInPieces, planBytes } from './compile.ts'
export { withIncrementalDirectives } from './directives.ts'
export { createMergedAnswer } from './merged-answer.ts'
export type { Batch, DataPiece, ItemsPiece, Pending, Pieces } from './pieces.ts'
export { incrementalRules } from './validation-rules.ts'
