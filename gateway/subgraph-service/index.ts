/**
 * What a subgraph is served with by itself (`hosts/subgraph.ts`), for a remote gateway, ours or another router. It executes only what a gateway proves
 * to have sent; health and metrics are open. It is the gateway's own server and pipeline, over an engine that executes
 * each operation whole (`engine.ts`).
 */
export type { FramedServiceOptions, ServeFramed } from './framed.ts'
export type { SubgraphServiceOptions } from './service-options.ts'
