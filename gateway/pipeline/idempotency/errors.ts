/** Why a mutation with an idempotency key is not executed. */
import { GraphQLError } from 'graphql'
import { type ErrorCode, tesseraError } from '../../../shared/errors.ts'

const messages = {
  IDEMPOTENCY_KEY_REUSED:
    'This idempotency key was used for another request: every mutation needs a key of its own.',
  IDEMPOTENCY_KEY_IN_USE:
    'A request with this idempotency key is still running: send it again later to get its response.',
  OUTCOME_UNKNOWN:
    'An earlier attempt may have made this change, and nothing shows whether it did. Nothing was done now.',
  OUTCOME_NOT_KEPT: 'An earlier request made the change; its response is not stored for this caller.',
} as const satisfies Partial<Record<ErrorCode, string>>

/** With the root field that it is about, if it is about one. */
export function idempotencyError(code: keyof typeof messages, field?: string): GraphQLError {
  const error = tesseraError(code, messages[code], code === 'IDEMPOTENCY_KEY_IN_USE' ? { retryAfter: 1 } : {})
  if (field === undefined) return error
  return new GraphQLError(error.message, { path: [field], extensions: error.extensions })
}
