/**
 * The federation engine: any Federation 2 supergraph, its subgraphs behind transports, operations in, responses
 * out. An operation is compiled once (planned, its fetches prepared, its shape worked out) and then executed
 * with variables and a request.
 */
import type { GraphQLSchema } from 'graphql'
import { createKeptMemory } from './kept.ts'
import { type CompiledOperation, type CompileInput, compileOperation } from './operation/compiled.ts'
import { type EngineOptions, usualKeptBytes, usualKeptEntries } from './options.ts'
import { createPlanner, type Planner } from './planner/index.ts'

export { keptBytes, type NoteKept } from './kept.ts'
export type { CompiledOperation, CompileInput, JsonResult, OperationResult } from './operation/compiled.ts'
export type { EventSource } from './operation/subscription.ts'
export type { EngineOptions } from './options.ts'
export { dataForMany, type ResponseParts, responseBody } from './response/body.ts'
export { responseTooLarge } from './response/introspection.ts'
export type { SourceEvent } from './subgraphs/index.ts'

export interface Engine {
  readonly schema: GraphQLSchema
  readonly planner: Planner
  /** Leaves the plan to the first execution. */
  compile(input: CompileInput): CompiledOperation
}

export function createEngine(options: EngineOptions): Engine {
  const { supergraph, transports, schema = supergraph.apiSchema } = options
  const { kept = createKeptMemory(usualKeptBytes, usualKeptEntries) } = options
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
          planParts: (input) => aroundPlan(() => own.planParts(input)),
          *planning(input) {
            const steps = own.planning(input)
            for (;;) {
              const step = aroundPlan(() => steps.next())
              if (step.done === true) return step.value
              yield
            }
          },
        }
  return { schema, planner, compile: (input) => compileOperation({ options, schema, planner, kept }, input) }
}
