/** Options of `Operations` for one subgraph, with the usual limits. */

import { createCacheMemory } from '../../engine/cache-memory.ts'
import { createAuthorizer } from '../../gateway/auth/authorize/index.ts'
import type { OperationsOptions } from '../../gateway/pipeline/operations.ts'
import { PreparationQueue } from '../../gateway/pipeline/preparation-queue.ts'
import { startFederation } from './federation.ts'
import { usualOperationLimits } from './operation-limits.ts'

/** For a subgraph that nobody calls. */
export async function operationsOptions(sdl: string): Promise<OperationsOptions> {
  const { supergraph, engine } = await startFederation({ one: { sdl, resolvers: {} } })
  return {
    apiSchema: supergraph.apiSchema,
    engine,
    authorizer: createAuthorizer(supergraph.document, supergraph.apiSchema),
    limits: usualOperationLimits,
    introspection: true,
    kept: createCacheMemory(1_000_000, 1000),
    preparations: new PreparationQueue(100),
    onLookup: () => {},
  }
}
