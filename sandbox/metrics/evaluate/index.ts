/** The evaluator of the expression language, over series that the caller gives. */
export { evaluateInstant, evaluateRange } from './evaluate.ts'
export type { QueryOptions } from './query.ts'
export type { Element, SampledSeries, Value } from './value.ts'
