/**
 * The metrics subgraph: a server that speaks the Prometheus HTTP API, as one part of the graph.
 */

import type { Subgraph } from '../../contract/subgraph.ts'
import { createLive } from '../kit/live/index.ts'
import { describeService, ofForm } from '../kit/service.ts'
import { createServiceUpstream, createSubgraph, type ServiceOptions } from '../kit/subgraph.ts'
import { createMetricsClient } from './client.ts'
import { createContexts } from './context.ts'
import { createFailureReader } from './failure.ts'
import { writtenSamples } from './hot/written-samples.ts'
import { createMetricsLive } from './live/index.ts'
import { metricsCalls } from './operations.ts'
import { createResolvers } from './resolvers.ts'

export const metrics = describeService({
  name: 'metrics',
  title: 'the metrics server',
  port: 4004,
  settings: {
    interval: ofForm(/^[1-9]\d{0,4}[sm]$/, {
      default: '15s',
      expected: 'seconds or minutes, such as 15s or 1m',
      description:
        'The interval at which the metrics service scrapes and evaluates: subscriptions ask it no more often.',
    }),
  },
  calls: metricsCalls,
  nodeKeys: {},
  probe: {
    what: 'its version',
    operation: '{ metrics { buildInfo { version } } }',
    versionAt: ['metrics', 'buildInfo', 'version'],
  },
  create: (options, { interval }) => createMetricsSubgraph({ ...options, interval }),
})

/** Results are large: a thousand series over a day of minutes are 40 MB. */
const mostResponseBytes = 128 * 1024 * 1024

export interface MetricsOptions extends ServiceOptions {
  /** Of the service's scrapes and evaluations; `15s` unless said. */
  readonly interval?: string | undefined
}

export function createMetricsSubgraph(options: MetricsOptions): Subgraph {
  const failures = createFailureReader()
  const maxResponseBytes = options.tuning?.maxResponseBytes ?? mostResponseBytes
  const tuning = { ...options.tuning, maxResponseBytes }
  const upstream = createServiceUpstream('metrics', { ...options, tuning }, failures.read)
  const client = createMetricsClient(upstream, {
    partialOf: failures.partialOf,
    timeoutMs: options.tuning?.timeoutMs,
  })
  const live = createLive('metrics', options.live)
  const { interval = '15s' } = options
  return createSubgraph({
    name: 'metrics',
    resolvers: createResolvers(),
    inProcess: writtenSamples(),
    createContext: createContexts(
      client,
      createMetricsLive(live, client, { credentialKey: upstream.credentialKey, interval }),
    ),
    state: upstream.state,
    close() {
      live.close()
      return upstream.close()
    },
  })
}
