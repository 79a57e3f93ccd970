/** Whether a mutation that failed was made in part, before hooks change its answer. */
import type { Condition } from '../../shared/graphql/conditions.ts'
import { refusalsIn } from '../auth/granted-operation.ts'
import { changedNothing } from './idempotency/index.ts'
import type { OperationContext } from './operation-context.ts'
import type { Result } from './operation-request.ts'

/**
 * Whether a root field of a mutation may have been executed, although refused non-null fields took the data away. Clients
 * answer a challenge with the same request, which would make the change again.
 */
export function isMadeInPart(
  { operation, granted, variables }: Pick<OperationContext, 'operation' | 'granted' | 'variables'>,
  { data, errors }: Result<unknown>,
): boolean {
  if (operation?.normalised.kind !== 'mutation' || data === undefined || granted === undefined) return false
  // What we refuse within a field that we executed, or only report, may have that field's path.
  const isOurs = refusalsIn(granted)
  const notMade = new Set(
    errors?.flatMap((error) => (changedNothing(error) && !isOurs(error) ? (error.path ?? []) : [])),
  )
  // A variable that is not sent may have a default by which the field is included.
  const isIncluded = ({ variable, value }: Condition): boolean => (variables[variable] ?? value) === value
  return (granted.allowed?.selections ?? []).some(
    ({ field: { name, key }, when }) =>
      name !== '__typename' && when?.all.every(isIncluded) === true && !notMade.has(key),
  )
}
