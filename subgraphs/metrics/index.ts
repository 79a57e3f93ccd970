/** The metrics subgraph: a server that speaks the Prometheus HTTP API, as one part of the graph. */

import type { Subgraph } from '../../shared/subgraph.ts'
import { createPollers } from '../kit/polling/index.ts'
import { describeService, ofForm, oneOf, type SettingValues } from '../kit/service.ts'
import { createServiceUpstream, createSubgraph, ofService, type ServiceOptions } from '../kit/subgraph.ts'
import { durationFrom } from './arguments.ts'
import { MetricsClient } from './client.ts'
import { createContexts } from './context.ts'
import { createFailureReader } from './failure.ts'
import { metricsCalls } from './operations.ts'
import { createResolvers } from './resolvers.ts'
import { createKindDetection } from './server-kind.ts'

const settings = {
  interval: ofForm(/^[1-9]\d{0,4}[sm]$/, {
    default: '15s',
    expected: 'seconds or minutes, such as 15s or 1m',
    description:
      'The interval at which the metrics service scrapes and evaluates: subscriptions poll no more often.',
  }),
  server: oneOf(['auto', 'prometheus', 'victoriametrics'], {
    default: 'auto',
    description:
      'The kind of the metrics server. `auto` asks it for its build, once for each credential and every ten minutes; `prometheus` stands for all that are not VictoriaMetrics.',
  }),
  delay: ofForm(/^(?:auto|\d{1,4}s)$/, {
    default: 'auto',
    expected: 'auto, or seconds such as 30s',
    description:
      'How late samples arrive: `metricsRange` evaluates a step this long after its end. `auto` is 2s, and 32s for VictoriaMetrics, which hides the last 30 seconds (`-search.latencyOffset`).',
  }),
}

export const metrics = describeService({
  name: 'metrics',
  title: 'the metrics server',
  port: 4004,
  settings,
  calls: metricsCalls,
  nodeKeys: {},
  probe: {
    what: 'its version',
    operation: '{ metrics { buildInfo { version } } }',
    versionAt: ['metrics', 'buildInfo', 'version'],
  },
  create: (options, own) => createMetricsSubgraph({ ...options, ...own }),
})

/** Results are large: a thousand series over a day of minutes take 40 MB. */
const mostResponseBytes = 128 * 1024 * 1024

export type MetricsOptions = ServiceOptions & SettingValues<typeof settings>

export function createMetricsSubgraph(options: MetricsOptions): Subgraph {
  const failures = createFailureReader()
  const maxResponseBytes = options.tuning?.maxResponseBytes ?? mostResponseBytes
  const tuning = { ...options.tuning, maxResponseBytes }
  const upstream = createServiceUpstream('metrics', { ...options, tuning }, failures.read)
  const { interval, server, delay } = options
  const known = server === 'auto' && options.isSandbox === true ? 'prometheus' : server
  const client = new MetricsClient(upstream, {
    partialOf: failures.partialOf,
    timeoutMs: options.tuning?.timeoutMs,
    kindFor: known === 'auto' ? createKindDetection(upstream) : () => known,
    delayMs: delay === 'auto' ? undefined : durationFrom(delay, 'delay').seconds * 1000,
  })
  const intervalMs = Math.max(1000, durationFrom(interval, 'interval').seconds * 1000)
  const live = createPollers(upstream, options.live)
  return createSubgraph({
    name: 'metrics',
    resolvers: createResolvers(),
    createContext: createContexts({ client, live, intervalMs }),
    ...ofService(upstream, live),
  })
}
