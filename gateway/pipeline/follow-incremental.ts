/**
 * Follows an operation after its first result. Errors in later results are masked like those of the first. The operation
 * is booked and reported when its last result is made or the client has gone.
 */
import type { GraphQLError } from 'graphql'
import type { ExecutionUpdate, ExecutionUpdates } from '../../engine/executor/incremental/index.ts'
import type { Logger } from '../telemetry/log.ts'
import { maskError } from './mask.ts'
import type { OperationContext } from './operation-context.ts'
import type { SubsequentResults } from './operation-request.ts'

/** `over` is called once, when nothing is fetched any more, with the errors of all later results. */
export function followIncremental(
  context: OperationContext,
  updates: ExecutionUpdates,
  log: Logger,
  over: (errors: readonly GraphQLError[]) => void,
): SubsequentResults {
  const errors: GraphQLError[] = []
  let isOver = false
  const end = async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
    if (isOver) return undefined
    isOver = true
    // The units are known when the last call has ended, even if nobody waits for its result.
    const left = updates.left()
    if (left !== undefined) {
      context.cancel()
      await left
    }
    try {
      return await context.later?.settle()
    } finally {
      over(errors)
    }
  }
  const masked = (some: readonly GraphQLError[]): readonly GraphQLError[] => {
    if (some.length === 0) return some
    const all = some.map((error) => maskError(error, context.id, log, context.traceId))
    errors.push(...all)
    return all
  }
  return {
    pending: updates.pending,
    async next() {
      const update = isOver ? undefined : await updates.next()
      if (update === undefined || isOver) {
        await end()
        return undefined
      }
      context.later?.took(update)
      const followed: ExecutionUpdate = {
        ...update,
        incremental: update.incremental.map((result) => ({ ...result, errors: masked(result.errors) })),
        completed: update.completed.map((each) =>
          each.errors === undefined ? each : { of: each.of, errors: masked(each.errors) },
        ),
      }
      if (update.hasNext) return followed
      const extensions = await end()
      return extensions === undefined ? followed : { ...followed, extensions }
    },
    close() {
      void end()
    },
  }
}
