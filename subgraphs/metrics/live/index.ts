/** The subscriptions of the metrics service, and how they are polled. */
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { Pace, Pollers } from '../../kit/polling/index.ts'
import { durationFrom, expressionFrom } from '../arguments.ts'
import type { MetricsClient } from '../client.ts'
import { AlertsPoller } from './alerts.ts'
import { type LabelMatcher, matchersFrom } from './matchers.ts'
import { createQueryGauge, everyFrom } from './query.ts'
import { RangePoller } from './range.ts'
import { steadyFrom } from './steady.ts'
import { rangeWishFrom } from './steps.ts'

export type MetricsLive = ReturnType<typeof createMetricsLive>

/** `interval` is that of the service's scrapes and evaluations. No poll is more frequent. */
export function createMetricsLive(live: Pollers, client: MetricsClient, interval: string) {
  const intervalMs = Math.max(1000, durationFrom(interval, 'interval').seconds * 1000)
  const paceOf = (ms: number): Pace => ({ defaultMs: ms, leastMs: ms, idleMs: ms })
  return {
    query(args: { readonly query: string; readonly every?: unknown }, request: SubgraphRequest) {
      const query = expressionFrom(args.query)
      const wishMs = everyFrom(args.every)
      return live.begin(
        `query ${query}`,
        (place) => createQueryGauge(place, client, query, paceOf(intervalMs)),
        wishMs,
        request,
      )
    },

    range(
      args: {
        readonly query: string
        readonly window: unknown
        readonly step: unknown
        readonly after?: unknown
      },
      request: SubgraphRequest,
    ) {
      const query = steadyFrom(expressionFrom(args.query))
      const wish = rangeWishFrom(args.window, args.step, args.after)
      const { stepMs } = wish
      const everyMs = Math.ceil(Math.max(stepMs, intervalMs) / stepMs) * stepMs
      return live.begin(
        `range ${stepMs} ${query}`,
        (place) => new RangePoller(place, client, { query, stepMs, pace: paceOf(everyMs) }),
        wish,
        request,
      )
    },

    alerts(
      { labels, after }: { readonly labels?: readonly LabelMatcher[] | null; readonly after?: string | null },
      request: SubgraphRequest,
    ) {
      const wish = { filter: matchersFrom(labels), after }
      return live.begin('alerts', (place) => new AlertsPoller(place, client, intervalMs), wish, request)
    },
  }
}
