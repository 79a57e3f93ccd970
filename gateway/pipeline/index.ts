/** The pipeline of one operation, without the server around it. */
export { dataOf, jsonForm, objectForm } from './executors.ts'
export { answerHook } from './hook-steps.ts'
export { OperationContext } from './operation-context.ts'
export type {
  DataForm,
  OperationRequest,
  OperationResponse,
  Result,
  SubsequentResult,
  SubsequentResults,
} from './operation-request.ts'
export { createPipeline, type Pipeline } from './pipeline.ts'
export type { Observing, Report } from './report.ts'
export type { PipelineOptions } from './step.ts'
