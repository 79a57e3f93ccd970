/** The options of an engine, and its default bounds. */
import type { GraphQLSchema } from 'graphql'
import type { CacheMemory } from './cache-memory.ts'
import type { OverrideLabels } from './operation/labels.ts'
import type { Prepare } from './operation/variant-cache.ts'
import type { PlannerOptions } from './planner/index.ts'
import type { Transport } from './subgraphs/index.ts'
import type { Supergraph } from './supergraph/index.ts'

/** The supergraph, the transports and the bounds of an engine. */
export interface EngineOptions {
  readonly supergraph: Supergraph
  /** A transport for each subgraph, by name. */
  readonly transports: ReadonlyMap<string, Transport>
  /** The schema for introspection, if it has more than the supergraph, such as descriptions. */
  readonly schema?: GraphQLSchema | undefined
  /**
   * Whether `Query.node` and `Query.nodes` return null for objects that exist in no subgraph, as Relay expects.
   * Otherwise they return objects without fields, as Federation does.
   */
  readonly absentNodes?: boolean | undefined
  /** The shared memory of caches. By default the engine has its own. */
  readonly kept?: CacheMemory | undefined
  /** Whether errors of variables omit suggestions of names. */
  readonly hideSuggestions?: boolean | undefined
  /** The most bytes of a response. */
  readonly maxResponseBytes?: number | undefined
  /** The most bytes of one introspection result. By default the whole schema fits, and 4 MB always. */
  readonly maxIntrospectionBytes?: number | undefined
  /** Wraps the planning of each operation, and each step of it. */
  readonly aroundPlan?: (<Made>(make: () => Made) => Made) | undefined
  /** Decides labels of `@override` other than `percent(N)`. Without it they move nothing. */
  readonly overrideLabels?: OverrideLabels | undefined
  /** The bounds of planning. */
  readonly planning?: PlannerOptions | undefined
  /** Schedules the preparation of a known operation for the variables of a request. Immediate by default. */
  readonly prepare?: Prepare | undefined
}

export const defaultCacheBytes = 128 * 1024 * 1024
export const defaultCacheEntries = 10_000
export const defaultResponseBytes = 32 * 1024 * 1024
