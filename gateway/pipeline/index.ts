/** The pipeline of one operation, without the server around it. */

export { type AccessField, accessFields, isLoggable } from './access-line.ts'
export { answerHook } from './answer-hook.ts'
export type { FollowedBatch, FollowedPieces } from './follow-pieces.ts'
export type { Executor, OperationRequest, OperationResponse, Result } from './operation-request.ts'
export type { OwnAttributes } from './own-attributes.ts'
export { createPipeline, type Pipeline, type PipelineOptions, type UnderWay } from './pipeline.ts'
export type { Observing, Report } from './report.ts'
export { dataOf } from './result-data.ts'
