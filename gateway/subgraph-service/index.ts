/**
 * One subgraph as an HTTP service of its own, for a gateway elsewhere, ours or another router. It executes only what
 * a gateway proves to have sent; health and metrics are open. Operations that come again take a short way
 * (`prepared.ts`), Apollo Server executes the rest.
 */
export type { SubgraphServiceOptions } from './options.ts'
export { type SubgraphService, startSubgraphService } from './service.ts'
