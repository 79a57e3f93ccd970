/** Writes the supergraph of the public benchmark's subgraphs. */
import { writeFileSync } from 'node:fs'
import { supergraphAt } from '../../federated/graph.ts'

/** The script of that repository that starts its subgraphs. */
export const publicOrigin = 'http://0.0.0.0:4200'

if (import.meta.main)
  writeFileSync(new URL('supergraph.graphql', import.meta.url), supergraphAt(publicOrigin))
