/**
 * The federation engine executes operations over any Federation 2 supergraph, with its subgraphs behind transports.
 * An operation is compiled once (planned, its fetches prepared, its shape computed) and then executed with variables
 * and a request.
 */
import type { GraphQLSchema } from 'graphql'
import { createCacheMemory } from './cache-memory.ts'
import { defaultCacheBytes, defaultCacheEntries, type EngineOptions } from './engine-options.ts'
import { type CompiledOperation, type CompileInput, EngineOperation } from './operation/compiled.ts'
import { createPlanner, eachStep, type Planner } from './planner/index.ts'

export type { EngineOptions } from './engine-options.ts'
export type { CompiledOperation, JsonResult, OperationResult } from './operation/compiled.ts'
export type { EventSource } from './operation/subscription.ts'
export { dataForMany, responseBody } from './response/body.ts'
export { responseTooLarge } from './response/introspection.ts'
export type { SourceEvent } from './subgraphs/index.ts'

/** Compiles operations over one supergraph. */
export interface Engine {
  /** What clients see: validate against it. */
  readonly schema: GraphQLSchema
  readonly planner: Planner
  /** The document must be valid, because nothing checks it again. The plan is made at the first execution. */
  compile(input: CompileInput): CompiledOperation
}

/** Makes an engine. Throws if a subgraph of the supergraph has no transport. */
export function createEngine(options: EngineOptions): Engine {
  const { supergraph, transports, schema = supergraph.apiSchema } = options
  const { kept = createCacheMemory(defaultCacheBytes, defaultCacheEntries) } = options
  const missing = supergraph.subgraphs.filter(({ name }) => !transports.has(name))
  if (missing.length > 0) {
    throw new Error(`There is no transport for: ${missing.map(({ name }) => name).join(', ')}.`)
  }
  const own = createPlanner(supergraph, options.planning)
  const { aroundPlan } = options
  const planner: Planner =
    aroundPlan === undefined
      ? own
      : {
          ...own,
          plan: (input) => aroundPlan(() => own.plan(input)),
          planIncremental: (input) => aroundPlan(() => own.planIncremental(input)),
          planning: (input) => eachStep(own.planning(input), aroundPlan),
        }
  return {
    schema,
    planner,
    compile: (input) => new EngineOperation({ options, schema, planner, kept }, input),
  }
}
