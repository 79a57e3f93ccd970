/**
 * The metrics subgraph: a server that speaks the Prometheus HTTP API, as one part of the graph.
 */

import type { Subgraph } from '../../contract/subgraph.ts'
import { describeService } from '../kit/service.ts'
import { createSubgraph, type ServiceOptions } from '../kit/subgraph.ts'
import { createMetricsClient } from './client.ts'
import { createContexts } from './context.ts'
import { resolveWritten, withWrittenSamples, writtenField, writtenTypeDefs } from './hot/written-samples.ts'
import type { SeriesModel } from './model.ts'
import { metricsCalls } from './operations.ts'
import { resolvers } from './resolvers.ts'

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

export function createMetricsSubgraph(options: ServiceOptions): Subgraph {
  const client = createMetricsClient(options)
  return createSubgraph({
    name: 'metrics',
    resolvers: resolvers as NonNullable<Parameters<typeof createSubgraph>[0]['resolvers']>,
    inProcess: {
      typeDefs: writtenTypeDefs,
      resolvers: {
        MetricsSeries: {
          [writtenField]: (series: SeriesModel, { members }: { members: readonly string[] }) =>
            resolveWritten(series, members),
        },
      },
      rewrite: withWrittenSamples,
    },
    createContext: createContexts(client),
    state: client.state,
    close: () => client.close(),
  })
}
