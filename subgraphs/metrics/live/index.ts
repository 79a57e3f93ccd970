/** The subscriptions of the metrics service: their resolvers, and how the service is polled for them. */
import { liveField, type Pace } from '../../kit/polling/index.ts'
import { expressionFrom } from '../arguments.ts'
import type { Context } from '../context.ts'
import type {
  SubscriptionAlertChangedArgs,
  SubscriptionMetricsQueryArgs,
  SubscriptionMetricsRangeArgs,
  SubscriptionResolvers,
} from '../types.generated.ts'
import { AlertsPoller } from './alerts.ts'
import { matchersFrom } from './matchers.ts'
import { createQueryGauge, everyFrom } from './query.ts'
import { RangePoller } from './range-poller.ts'
import { steadyFrom } from './steady.ts'
import { rangeArgumentsFrom } from './steps.ts'

const paceOf = (ms: number): Pace => ({ defaultMs: ms, leastMs: ms, idleMs: ms })

export const subscriptions: SubscriptionResolvers = {
  metricsQuery: liveField(
    (args: SubscriptionMetricsQueryArgs, { live, client, intervalMs, request }: Context) => {
      const query = expressionFrom(args.query)
      const wishMs = everyFrom(args.every)
      return live.begin(
        `query ${query}`,
        (place) => createQueryGauge(place, client, query, paceOf(intervalMs)),
        wishMs,
        request,
      )
    },
  ),
  metricsRange: liveField(
    (args: SubscriptionMetricsRangeArgs, { live, client, intervalMs, request }: Context) => {
      const query = steadyFrom(expressionFrom(args.query))
      const range = rangeArgumentsFrom(args.window, args.step, args.after)
      const { stepMs } = range
      const everyMs = Math.ceil(Math.max(stepMs, intervalMs) / stepMs) * stepMs
      return live.begin(
        `range ${stepMs} ${query}`,
        (place) => new RangePoller(place, client, { query, stepMs, pace: paceOf(everyMs) }),
        range,
        request,
      )
    },
  ),
  alertChanged: liveField(
    ({ labels, after }: SubscriptionAlertChangedArgs, { live, client, intervalMs, request }: Context) => {
      const alerts = { filter: matchersFrom(labels), after }
      return live.begin('alerts', (place) => new AlertsPoller(place, client, intervalMs), alerts, request)
    },
  ),
}
