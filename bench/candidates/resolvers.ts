/**
 * The product's own subgraphs for candidates that serve them in their own way: the same resolvers and calls,
 * without a token.
 */

import { createGatewayRequest } from '../../engine/request.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { createSubgraphByName, type SubgraphName } from '../../subgraphs/index.ts'
import type { SubgraphHost } from '../../subgraphs/kit/service.ts'
import type { ServiceOptions } from '../../subgraphs/kit/subgraph.ts'

const service: ServiceOptions = {
  baseUrl: process.env.UPSTREAM ?? '',
  credential: { kind: 'none' },
  share: false,
}
const services = { videos: service, agents: service, messages: service, metrics: service }
const host: SubgraphHost = {
  secret: 'x'.repeat(32),
  publicUrl: () => 'http://127.0.0.1',
  readQuota: async () => ({ limit: null, used: 0, remaining: null, resetsAt: '', operations: [] }),
  prices: {},
}

export function subgraphFor(name: SubgraphName): Subgraph {
  return createSubgraphByName(name, { services, host })
}

/** The context of one request. */
export function contextOf(subgraph: Subgraph): object {
  const deadline = performance.now() + 30_000
  return subgraph.createContext(createGatewayRequest({ id: 'bench', deadline, header: () => undefined }))
}
