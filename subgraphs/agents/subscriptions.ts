/** The resolvers of subscriptions: arguments in, the events of a poller out. */
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
