/** What `Subscription` fields have in common: their resolvers, and lists of ids in their arguments. */
import type { GraphQLResolveInfo } from 'graphql'
import { badInput } from '../../../shared/errors.ts'
import type { LiveEvent } from '../../../shared/polling.ts'

type Subscribe<Args, Context, Value> = (
  args: Args,
  context: Context,
  info: GraphQLResolveInfo,
) => Promise<AsyncIterable<LiveEvent<Value>>>

/** The resolvers of a field: `subscribe` yields the events, `resolve` hands over the value of one. */
export function liveField<Args, Context, Value>(subscribe: Subscribe<Args, Context, Value>) {
  return {
    subscribe: (_: object, args: Args, context: Context, info: GraphQLResolveInfo) =>
      // What is wrong with arguments rejects as well.
      Promise.resolve().then(() => subscribe(args, context, info)),
    // The generated types know neither null nor errors instead of an object.
    resolve: (event: LiveEvent<Value>) => event.value as never,
  }
}

/** The ids of an argument, each once. Throws if one is none, if there are none, and if there are too many. */
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
  /** What each id must be, for messages. */
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
