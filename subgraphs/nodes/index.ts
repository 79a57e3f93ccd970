/**
 * The nodes subgraph: finds any object by its global id. It has no service behind it, so it works behind every
 * router of Federation 2. This file is its whole surface.
 */

import type { Subgraph } from '../../shared/subgraph.ts'
import { defaultMaxIds } from '../kit/id-list.ts'
import { createSubgraph } from '../kit/subgraph.ts'
import { createContexts } from './context.ts'
import { createResolvers } from './resolvers.ts'

export { withStubs } from './stubs.ts'

interface NodesOptions {
  /** The types that can be found, each with the form of its key. */
  readonly keys: ReadonlyMap<string, RegExp>
  /** The most ids of one list. The default is 500. */
  readonly maxIds?: number | undefined
}

export function createNodesSubgraph({ keys, maxIds = defaultMaxIds }: NodesOptions): Subgraph {
  return createSubgraph({
    name: 'nodes',
    resolvers: createResolvers(keys),
    createContext: createContexts({ maxIds }),
    close: async () => {},
  })
}
