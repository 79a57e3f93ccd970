/**
 * The nodes subgraph: finds any object again by its global id. It has no service behind it, so that it works
 * behind every router of Federation 2. This file is its whole surface.
 */
import { createSubgraph, type Subgraph } from '../lib/subgraph.ts'
import { resolvers } from './resolvers.ts'

export function createNodesSubgraph(): Subgraph {
  return createSubgraph({
    name: 'nodes',
    resolvers,
    createContext: () => ({}),
    close: async () => {},
  })
}
