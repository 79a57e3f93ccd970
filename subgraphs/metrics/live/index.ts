/** The subscriptions of the metrics service, and how they are polled. */
import type { SubgraphRequest } from '../../../shared/request.ts'
import { firstExtensions, type LiveQueue, type Pace, type Pollers } from '../../kit/polling/index.ts'
import { durationFrom, expressionFrom } from '../arguments.ts'
import type { MetricsClient } from '../client.ts'
import type { AlertChangeModel, ResultModel, TailModel } from '../model.ts'
import { AlertsPoller } from './alerts.ts'
import { type LabelMatcher, matchersFrom } from './matchers.ts'
import { createQueryGauge, everyFrom } from './query.ts'
import { RangePoller } from './range.ts'
import { steadyFrom } from './steady.ts'
import { rangeWishFrom } from './steps.ts'

export interface MetricsLive {
  query(
    args: { readonly query: string; readonly every?: unknown },
    request: SubgraphRequest,
  ): Promise<LiveQueue<ResultModel>>
  range(
    args: {
      readonly query: string
      readonly window: unknown
      readonly step: unknown
      readonly after?: unknown
    },
    request: SubgraphRequest,
  ): Promise<LiveQueue<TailModel>>
  alerts(
    args: { readonly labels?: readonly LabelMatcher[] | null; readonly after?: string | null },
    request: SubgraphRequest,
  ): Promise<LiveQueue<AlertChangeModel>>
}

/** `interval` is that of the service's scrapes and evaluations. No poll is more frequent. */
export function createMetricsLive(
  live: Pollers,
  client: MetricsClient,
  options: { readonly credentialKey: (request: SubgraphRequest) => string; readonly interval: string },
): MetricsLive {
  const { credentialKey } = options
  const intervalMs = Math.max(1000, durationFrom(options.interval, 'interval').seconds * 1000)
  const pace: Pace = { defaultMs: intervalMs, leastMs: intervalMs, idleMs: intervalMs }
  const alertPace: Pace = { defaultMs: 1000, leastMs: 1000, idleMs: 1000 }
  return {
    query(args, request) {
      const query = expressionFrom(args.query)
      const wishMs = everyFrom(args.every)
      const key = credentialKey(request)
      return live.begin(
        `query ${query} ${key}`,
        (ended) => createQueryGauge(live.host, client, { query, credentialKey: key, pace }, ended),
        async (poller) =>
          poller.subscribe(request, wishMs, firstExtensions('metrics', await poller.price(wishMs), request)),
      )
    },

    range(args, request) {
      const query = steadyFrom(expressionFrom(args.query))
      const wish = rangeWishFrom(args.window, args.step, args.after)
      const { stepMs } = wish
      const key = credentialKey(request)
      const everyMs = Math.ceil(Math.max(stepMs, intervalMs) / stepMs) * stepMs
      return live.begin(
        `range ${stepMs} ${query} ${key}`,
        (ended) =>
          new RangePoller(
            live.host,
            client,
            {
              query,
              stepMs,
              credentialKey: key,
              pace: { defaultMs: everyMs, leastMs: everyMs, idleMs: everyMs },
            },
            ended,
          ),
        async (poller) =>
          poller.subscribe(wish, request, firstExtensions('metrics', await poller.price(), request)),
      )
    },

    alerts(args, request) {
      const filter = matchersFrom(args.labels)
      const key = credentialKey(request)
      return live.begin(
        `alerts ${key}`,
        (ended) =>
          new AlertsPoller(
            live.host,
            client,
            { credentialKey: key, pace: alertPace, unknownMs: intervalMs },
            ended,
          ),
        async (poller) =>
          poller.subscribe(
            filter,
            args.after,
            request,
            firstExtensions('metrics', await poller.price(), request),
          ),
      )
    },
  }
}
