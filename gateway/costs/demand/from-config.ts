/** What operations cost by `@cost`, as the configuration says. */
import type { GraphQLSchema } from 'graphql'
import type { Supergraph } from '../../../engine/supergraph/index.ts'
import type { Config } from '../../config/index.ts'
import type { Metrics } from '../../telemetry/metrics/index.ts'
import { createDemand, type Demand } from './index.ts'

export function demandFrom(
  { demand }: Config,
  parts: { readonly supergraph: Supergraph; readonly schema: GraphQLSchema; readonly metrics: Metrics },
): Demand | undefined {
  if (demand === undefined) return undefined
  const { supergraph, schema, metrics } = parts
  return createDemand({
    ...demand,
    schema,
    supergraph: supergraph.document,
    observe: metrics.operationCost,
  })
}
