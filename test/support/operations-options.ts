/** Options of `createOperations` for one subgraph, with the usual limits. */
import { createAuthorizer } from '../../gateway/access/authorize/index.ts'
import { createKeptMemory } from '../../gateway/engine/kept.ts'
import type { OperationsOptions } from '../../gateway/http/operations.ts'
import { createPreparations } from '../../gateway/http/preparation.ts'
import { startFederation } from './federation.ts'

export const usualLimits = {
  tokens: 5000,
  nesting: 64,
  depth: 20,
  aliases: 100,
  rootFields: 50,
  directives: 100,
  fields: 10_000,
  listItems: 500,
  values: 100_000,
}

/** Nobody calls the subgraph. Each call of what is returned has a memory of its own. */
export async function stageOperations(sdl: string): Promise<() => OperationsOptions> {
  const { supergraph, engine } = await startFederation({ one: { sdl, resolvers: {} } })
  return () => ({
    apiSchema: supergraph.apiSchema,
    engine,
    authorizer: createAuthorizer(supergraph.document, supergraph.apiSchema),
    limits: usualLimits,
    introspection: true,
    kept: createKeptMemory(1_000_000, 1000),
    preparations: createPreparations(100),
    onLookup: () => {},
  })
}
