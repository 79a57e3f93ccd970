/** The resolvers of subscriptions: they read the arguments and return the events of a poller. */
import { liveField } from '../kit/polling/index.ts'
import type { Context } from './context.ts'
import { checkOperationName } from './resource-names.ts'
import type { SubscriptionResolvers } from './types.generated.ts'

export const subscriptions: SubscriptionResolvers = {
  agentOperationChanged: liveField(({ name }: { readonly name: string }, context: Context) => {
    checkOperationName(name, 'name')
    return context.live.operationChanged(name, context.request)
  }),
}
