/**
 * The metrics subgraph: a server that speaks the Prometheus HTTP API, as one part of the graph.
 */

import type { Subgraph } from '../../contract/subgraph.ts'
import { describeService } from '../kit/service.ts'
import { createServiceUpstream, createSubgraph, type ServiceOptions } from '../kit/subgraph.ts'
import { createMetricsClient } from './client.ts'
import { createContexts } from './context.ts'
import { createFailureReader } from './failure.ts'
import { writtenSamples } from './hot/written-samples.ts'
import { metricsCalls } from './operations.ts'
import { createResolvers } from './resolvers.ts'

export const metrics = describeService({
  name: 'metrics',
  title: 'the metrics server',
  port: 4004,
  settings: {},
  calls: metricsCalls,
  nodeKeys: {},
  probe: {
    what: 'its version',
    operation: '{ metrics { buildInfo { version } } }',
    versionAt: ['metrics', 'buildInfo', 'version'],
  },
  create: createMetricsSubgraph,
})

/** Results are large: a thousand series over a day of minutes are 40 MB. */
const mostResponseBytes = 128 * 1024 * 1024

export function createMetricsSubgraph(options: ServiceOptions): Subgraph {
  const failures = createFailureReader()
  const maxResponseBytes = options.tuning?.maxResponseBytes ?? mostResponseBytes
  const tuning = { ...options.tuning, maxResponseBytes }
  const upstream = createServiceUpstream('metrics', { ...options, tuning }, failures.read)
  const client = createMetricsClient(upstream, {
    partialOf: failures.partialOf,
    timeoutMs: options.tuning?.timeoutMs,
  })
  return createSubgraph({
    name: 'metrics',
    resolvers: createResolvers(),
    inProcess: writtenSamples(),
    createContext: createContexts(client),
    state: upstream.state,
    close: () => upstream.close(),
  })
}
