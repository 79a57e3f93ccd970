/** Answers in pieces: `@defer` and `@stream` over the plan of an operation. */
export { withIncrementalDirectives, withoutIncrementalDirectives } from './directives.ts'
export { incrementalRules } from './rules.ts'
