/**
 * Decides what a client sees of an error. An error that was thrown on purpose has a code and passes. Everything else is
 * our own fault: the client gets the request's id, and the log gets the whole error.
 */
import { GraphQLError } from 'graphql'
import { PlanError } from '../../engine/planner/index.ts'
import { tesseraError } from '../../shared/errors.ts'
import { type Logger, traceField } from '../telemetry/log.ts'

function isOnPurpose(error: GraphQLError): boolean {
  return typeof error.extensions.code === 'string'
}

/** Its log lines carry the request's id, and the trace's if there is one. */
export function maskError(error: unknown, requestId: string, log: Logger, traceId?: string): GraphQLError {
  if (error instanceof GraphQLError && isOnPurpose(error)) {
    if (error.originalError !== undefined && error.originalError !== null) {
      const about = { request: requestId, ...traceField(traceId) }
      log.debug({ ...about, code: error.extensions.code, err: error }, 'a field failed')
    }
    return error
  }
  if (error instanceof PlanError) {
    log.error({ request: requestId, ...traceField(traceId), err: error }, 'an operation cannot be planned')
    return tesseraError(
      'OPERATION_NOT_PLANNABLE',
      `This operation cannot be planned over the subgraphs. The log has the reason under ${requestId}.`,
    )
  }
  log.error({ request: requestId, ...traceField(traceId), err: error }, 'unexpected error')
  const masked = tesseraError('INTERNAL_SERVER_ERROR', `Internal error. The log has it under ${requestId}.`)
  if (!(error instanceof GraphQLError) || error.path === undefined) return masked
  return new GraphQLError(masked.message, { path: error.path, extensions: { ...masked.extensions } })
}
