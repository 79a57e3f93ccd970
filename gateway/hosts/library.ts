/**
 * `tessera-graph/engine`: any Federation 2 supergraph, or Tessera's own graph, as a function from request to answer.
 *
 * `createHandler` is the whole gateway without a server: token check, scopes, limits, budgets. `createEngine` is the
 * engine alone: it runs operations that are already parsed and valid, and checks nothing of the caller.
 *
 * @example
 * ```ts
 * import { compose, createHandler, createInProcessTransport } from 'tessera-graph/engine'
 * import { createBooksSubgraph, typeDefs } from './books-subgraph.ts'
 *
 * const { supergraph, errors } = compose([{ name: 'books', url: 'http://127.0.0.1:4001/graphql', typeDefs }])
 * if (errors !== undefined) throw new AggregateError(errors)
 * const graph = createHandler({
 *   supergraph,
 *   transports: new Map([['books', createInProcessTransport(createBooksSubgraph('http://127.0.0.1:8080'))]]),
 * })
 * const { data } = await graph.execute({ query: '{ books(first: 2) { nodes { title } } }' })
 * ```
 */

export { type CompiledOperation, createEngine, type Engine, type EngineOptions } from '../../engine/index.ts'
export { createGatewayRequest, type GatewayRequest } from '../../engine/request.ts'
export {
  createHttpTransport,
  createInProcessTransport,
  type HttpTransportOptions,
  type InProcessTransportOptions,
  type SubgraphFetch,
  type SubgraphResult,
  type Transport,
} from '../../engine/subgraphs/index.ts'
export { type Composition, compose, type SubgraphSource } from '../../engine/supergraph/compose/index.ts'
export { loadSupergraph, type Supergraph, SupergraphError } from '../../engine/supergraph/index.ts'
export type {
  EndpointRequest,
  EndpointResponse,
  GraphHandler,
  GraphRequest,
  GraphResult,
} from './endpoint.ts'
export { createHandler, type HandlerOptions } from './handler.ts'
