/** The scopes of our own graph, from its supergraph. */

import { loadSupergraph } from '../../engine/supergraph/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { type ScopeOffer, scopesOf } from '../auth/scope-offers.ts'

/** `sdl` is another supergraph. `most` is how many of the fields that a scope opens are named. */
export function ownScopes(sdl: string = readSchemaFile('supergraph'), most?: number): ScopeOffer[] {
  const supergraph = loadSupergraph(sdl)
  return scopesOf(supergraph, supergraph.apiSchema, most)
}
