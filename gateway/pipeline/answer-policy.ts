/** For how long, and for whom, a response may be kept by clients and by caches on the way to them. */
import { Kind, type SelectionSetNode } from 'graphql'
import type { AnswerPolicy } from '../../engine/request.ts'
import { fragmentsOf } from '../../shared/graphql/selections.ts'
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
  if (operation.definition.operation !== 'query' || asksForSchema(operation)) return undefined
  return operation.requirements.open ? policy : { ...policy, isPrivate: true }
}

const known = new WeakMap<Operation, boolean>()

/** The schema changes with a reload, which no header could announce. */
function asksForSchema(operation: Operation): boolean {
  let asks = known.get(operation)
  if (asks === undefined) {
    const fragments = fragmentsOf(operation.document)
    const seen = new Set<string>()
    const walk = ({ selections }: SelectionSetNode): boolean =>
      selections.some((each) => {
        if (each.kind === Kind.FIELD) return each.name.value === '__schema' || each.name.value === '__type'
        if (each.kind === Kind.INLINE_FRAGMENT) return walk(each.selectionSet)
        const fragment = fragments.get(each.name.value)
        if (fragment === undefined || seen.has(each.name.value)) return false
        seen.add(each.name.value)
        return walk(fragment.selectionSet)
      })
    asks = walk(operation.definition.selectionSet)
    known.set(operation, asks)
  }
  return asks
}
