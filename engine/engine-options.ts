/** What an engine is made of, and the bounds that hold unless others are given. */
import type { GraphQLSchema } from 'graphql'
import type { Prepare } from './executor/incremental/index.ts'
import type { KeptMemory } from './kept-memory.ts'
import type { OverrideLabels } from './operation/labels.ts'
import type { PlannerOptions } from './planner/index.ts'
import type { WriteResponse } from './response/index.ts'
import type { Transport } from './subgraphs/index.ts'
import type { Supergraph } from './supergraph/index.ts'

export interface EngineOptions {
  readonly supergraph: Supergraph
  /** One for each subgraph, by the subgraph's name. */
  readonly transports: ReadonlyMap<string, Transport>
  /** What introspection tells, if that is more than the supergraph itself says (descriptions). */
  readonly schema?: GraphQLSchema | undefined
  /**
   * Whether objects of `Query.node` and `Query.nodes` that turn out to exist in no subgraph are null, as Relay
   * expects. Off, they are objects without fields, as Federation has it.
   */
  readonly absentNodes?: boolean | undefined
  /** How the JSON of responses is made; each value is completed first by default. */
  readonly writeResponse?: WriteResponse | undefined
  /** The memory of all caches, which operations share; one of its own by default. */
  readonly kept?: KeptMemory | undefined
  /** Whether errors of variables suggest no names of the schema. */
  readonly hideSuggestions?: boolean | undefined
  /** The most bytes of a response. */
  readonly maxResponseBytes?: number | undefined
  /** The most bytes of one answer of introspection. */
  readonly maxIntrospectionBytes?: number | undefined
  /** Stands around the making of each plan, and around each step of one that is made in several. */
  readonly aroundPlan?: (<Made>(make: () => Made) => Made) | undefined
  /** Decides labels of `@override` other than `percent(N)`; without it they move nothing. */
  readonly overrideLabels?: OverrideLabels | undefined
  /** What planning may cost. */
  readonly planning?: PlannerOptions | undefined
  /** Does what prepares a known operation for the variables of a request, in its turn; at once by default. */
  readonly prepare?: Prepare | undefined
}

export const usualKeptBytes = 128 * 1024 * 1024
export const usualKeptEntries = 10_000
export const usualIntrospectionBytes = 4_000_000
export const usualResponseBytes = 32 * 1024 * 1024
