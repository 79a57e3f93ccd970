/** For how long, and for whom, a response may be kept by clients and by caches on the way to them. */
import type { NormalisedOperation } from '../../engine/operation/normalised.ts'
import type { AnswerPolicy } from '../../engine/request.ts'
import type { Operation } from '../auth/operation.ts'
import type { Result } from './sent.ts'

/** `max-age` counts whole seconds, so a shorter time cannot be said. */
const leastMs = 1000

/**
 * The shortest policy of all parts of the response; private if authorization decides what the caller sees. Undefined if
 * the response may not be kept: mutations, errors, and parts without a policy.
 */
export function policyOf(
  operation: Operation | undefined,
  policy: AnswerPolicy | undefined,
  { errors, extensions, pieces }: Pick<Result<unknown>, 'errors' | 'extensions' | 'pieces'>,
): AnswerPolicy | undefined {
  if (operation === undefined || policy === undefined || policy.freshMs < leastMs) return undefined
  if (errors !== undefined || extensions !== undefined || pieces !== undefined) return undefined
  if (operation.normalised.kind !== 'query' || asksForSchema(operation.normalised)) return undefined
  return operation.requirements.open ? policy : { ...policy, isPrivate: true }
}

/** The schema changes with a reload, which no header could announce. */
function asksForSchema({ selections }: NormalisedOperation): boolean {
  return selections.some(({ field: { name } }) => name === '__schema' || name === '__type')
}
