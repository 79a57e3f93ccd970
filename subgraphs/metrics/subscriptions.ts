/** The resolvers of subscriptions: they read the arguments and return the events of a poller. */
import { liveField } from '../kit/polling/index.ts'
import type { Context } from './context.ts'
import type {
  SubscriptionAlertChangedArgs,
  SubscriptionMetricsQueryArgs,
  SubscriptionMetricsRangeArgs,
  SubscriptionResolvers,
} from './types.generated.ts'

export const subscriptions: SubscriptionResolvers = {
  metricsQuery: liveField((args: SubscriptionMetricsQueryArgs, { live, request }: Context) =>
    live.query(args, request),
  ),
  metricsRange: liveField((args: SubscriptionMetricsRangeArgs, { live, request }: Context) =>
    live.range(args, request),
  ),
  alertChanged: liveField((args: SubscriptionAlertChangedArgs, { live, request }: Context) =>
    live.alerts(args, request),
  ),
}
