/**
 * The metrics subgraph: a server that speaks the Prometheus HTTP API, as one part of the graph.
 */
import { createSubgraph, type ServiceOptions, type Subgraph } from '../lib/subgraph.ts'
import { createMetricsClient } from './client.ts'
import { createContext } from './context.ts'
import type { SeriesModel } from './model.ts'
import { resolvers } from './resolvers.ts'
import { resolveWritten, withWrittenSamples, writtenField, writtenTypeDefs } from './written.ts'

export { metricsCalls } from './calls.ts'
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
    createContext: (request) => createContext(client, request),
    state: client.state,
    close: () => client.close(),
  })
}
