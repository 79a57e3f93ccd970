/** What all `Subscription` fields share: their resolvers, and lists of ids in their arguments. */
import type { GraphQLResolveInfo } from 'graphql'
import type { LiveEvent } from '../../../shared/polling.ts'
import { checkLength, type Ids, malformedId } from '../id-list.ts'

/** The resolvers of a field. `subscribe` yields the events, and `resolve` returns the value of an event. */
export function subscriptionField<Args, Context, Value>(
  subscribe: (
    args: Args,
    context: Context,
    info: GraphQLResolveInfo,
  ) => Promise<AsyncIterable<LiveEvent<Value>>>,
) {
  return {
    subscribe: (_: object, args: Args, context: Context, info: GraphQLResolveInfo) =>
      // Wrong arguments reject, too, instead of throwing.
      Promise.resolve().then(() => subscribe(args, context, info)),
    // The generated types allow neither null nor an error at this place.
    resolve: (event: LiveEvent<Value>) => event.value as never,
  }
}

/** The ids of an argument, each once. Throws if the list is empty or too long, or if an id is malformed. */
export function readDistinctIds(list: Ids): readonly string[] {
  checkLength(list, { least: 1 })
  const wrong = list.ids.findIndex((id) => !list.isId(id))
  if (wrong >= 0) throw malformedId(list, wrong)
  return [...new Set(list.ids)]
}
