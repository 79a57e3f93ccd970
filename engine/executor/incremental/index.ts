/** Incremental delivery: `@defer` and `@stream` over the plan of an operation. */
export { compileIncremental, type ExecuteIncremental, planBytes } from './compile.ts'
export { withIncrementalDirectives } from './directives.ts'
export type {
  ExecutionUpdate,
  ExecutionUpdates,
  IncrementalResult,
  PendingResult,
} from './execution-updates.ts'
export { createMergedResult } from './merged-result.ts'
export { incrementalRules } from './validation-rules.ts'
