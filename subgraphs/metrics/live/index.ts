/** The subscriptions of the metrics service: their resolvers, and how the service is polled for them. */
import { type Pace, subscriptionField } from '../../kit/polling/index.ts'
import { expressionFrom } from '../arguments.ts'
import type { Context } from '../context.ts'
import type {
  SubscriptionAlertChangedArgs,
  SubscriptionMetricsQueryArgs,
  SubscriptionMetricsRangeArgs,
  SubscriptionResolvers,
} from '../types.generated.ts'
import { AlertsPoller } from './alerts-poller.ts'
import { incrementalExpressionFrom } from './incremental-expression.ts'
import { matchersFrom } from './matchers.ts'
import { createQueryPoller, everyFrom } from './query-poller.ts'
import { RangePoller } from './range-poller.ts'
import { rangeArgumentsFrom } from './range-slices.ts'

const paceOf = (ms: number): Pace => ({ defaultMs: ms, leastMs: ms, idleMs: ms })

export const subscriptions: SubscriptionResolvers = {
  metricsQuery: subscriptionField(
    (args: SubscriptionMetricsQueryArgs, { live, client, intervalMs, request }: Context) => {
      const query = expressionFrom(args.query)
      const requestedMs = everyFrom(args.every)
      return live.begin(
        `query ${query}`,
        (topicOptions) => createQueryPoller(topicOptions, client, query, paceOf(intervalMs)),
        requestedMs,
        request,
      )
    },
  ),
  metricsRange: subscriptionField(
    (args: SubscriptionMetricsRangeArgs, { live, client, intervalMs, request }: Context) => {
      const query = incrementalExpressionFrom(expressionFrom(args.query))
      const range = rangeArgumentsFrom(args.window, args.step, args.after)
      const { stepMs } = range
      const everyMs = Math.ceil(Math.max(stepMs, intervalMs) / stepMs) * stepMs
      return live.begin(
        `range ${stepMs} ${query}`,
        (topicOptions) => new RangePoller(topicOptions, client, { query, stepMs, pace: paceOf(everyMs) }),
        range,
        request,
      )
    },
  ),
  alertChanged: subscriptionField(
    ({ labels, after }: SubscriptionAlertChangedArgs, { live, client, intervalMs, request }: Context) => {
      const alerts = { filter: matchersFrom(labels), after }
      return live.begin(
        'alerts',
        (topicOptions) => new AlertsPoller(topicOptions, client, intervalMs),
        alerts,
        request,
      )
    },
  ),
}
