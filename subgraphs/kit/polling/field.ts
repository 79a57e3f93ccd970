/** What all `Subscription` fields share: their resolvers, and lists of ids in their arguments. */
import type { GraphQLResolveInfo } from 'graphql'
import { badInput } from '../../../shared/errors.ts'
import type { LiveEvent } from '../../../shared/polling.ts'

type Subscribe<Args, Context, Value> = (
  args: Args,
  context: Context,
  info: GraphQLResolveInfo,
) => Promise<AsyncIterable<LiveEvent<Value>>>

/** The resolvers of a field. `subscribe` yields the events, and `resolve` returns the value of an event. */
export function liveField<Args, Context, Value>(subscribe: Subscribe<Args, Context, Value>) {
  return {
    subscribe: (_: object, args: Args, context: Context, info: GraphQLResolveInfo) =>
      // Wrong arguments reject, too, instead of throwing.
      Promise.resolve().then(() => subscribe(args, context, info)),
    // The generated types allow neither null nor an error at this place.
    resolve: (event: LiveEvent<Value>) => event.value as never,
  }
}

/** The ids of an argument, each once. Throws if the list is empty or too long, or if an id is malformed. */
export function readLiveIds({
  argument,
  ids,
  maxIds,
  expected,
  isId,
}: {
  readonly argument: string
  readonly ids: readonly string[]
  readonly maxIds: number
  /** The expected form of an id, for error messages. */
  readonly expected: string
  isId(id: string): boolean
}): readonly string[] {
  if (ids.length === 0 || ids.length > maxIds) {
    throw badInput(`\`${argument}\` must have 1 to ${maxIds} ids, not ${ids.length}.`, {
      argument,
      maximum: maxIds,
      given: ids.length,
    })
  }
  const wrong = ids.findIndex((id) => !isId(id))
  if (wrong >= 0)
    throw badInput(`\`${argument}[${wrong}]\` must be ${expected}.`, { argument: `${argument}[${wrong}]` })
  return [...new Set(ids)]
}
