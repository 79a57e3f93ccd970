/**
 * `tessera-graph/engine`: any Federation 2 supergraph, or Tessera's own graph, as a function from request to answer.
 *
 * `createHandler` is the whole gateway without a server: token check, scopes, limits, budgets. `createEngine` is the
 * engine alone: it runs operations that are already parsed and valid, and checks nothing of the caller.
 *
 * @example
 * ```ts
 * import { compose, createHandler, createInProcessTransport } from 'tessera-graph/engine'
 *
 * const { supergraph, errors } = compose([{ name: 'books', url: 'http://127.0.0.1:4001/graphql', typeDefs }])
 * if (errors !== undefined) throw new AggregateError(errors)
 * const graph = createHandler({
 *   supergraph,
 *   transports: new Map([['books', createInProcessTransport(books)]]),
 * })
 * const { data } = await graph.execute({ query: '{ books(first: 2) { nodes { title } } }' })
 * ```
 */

import { createEngine as createPlainEngine, type Engine, type EngineOptions } from '../../engine/index.ts'
import {
  createInProcessTransport as createPlainTransport,
  type InProcessTransportOptions,
  type Transport,
} from '../../engine/subgraphs/index.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { fastParts } from '../fast.ts'

export type { CompiledOperation, Engine, EngineOptions } from '../../engine/index.ts'
export { createGatewayRequest, type GatewayRequest } from '../../engine/request.ts'
export {
  createHttpTransport,
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

/** An engine for a supergraph whose subgraphs are reached by `transports`. */
export function createEngine(options: EngineOptions): Engine {
  return createPlainEngine({ writeResponse: fastParts.writeResponse, ...options })
}

/** Executes operations on a subgraph in this process. */
export function createInProcessTransport(
  subgraph: Subgraph,
  options: InProcessTransportOptions = {},
): Transport {
  return createPlainTransport(subgraph, { execute: fastParts.executeSubgraph, ...options })
}
