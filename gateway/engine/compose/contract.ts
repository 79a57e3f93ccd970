/** A contract: the supergraph of the same subgraphs of which clients see what its tags choose. */
import { composeSchemaContract } from '@theguild/federation-composition'
import { parse } from 'graphql'
import type { Composition, SubgraphSource } from './index.ts'

export interface ContractTags {
  /** Only what has one of these is left, where there are any. */
  readonly include: readonly string[]
  /** What has one of these is not there for clients. */
  readonly exclude: readonly string[]
}

/** Everything else gets `@inaccessible`, and so do types that nothing leads to any more. */
export function composeContract(sources: readonly SubgraphSource[], tags: ContractTags): Composition {
  const services = sources.map(({ name, url, typeDefs }) => ({
    name,
    url,
    typeDefs: typeof typeDefs === 'string' ? parse(typeDefs) : typeDefs,
  }))
  const filter = { include: new Set(tags.include), exclude: new Set(tags.exclude) }
  const result = composeSchemaContract(services, filter, true)
  return result.errors === undefined ? { supergraph: result.supergraphSdl } : { errors: result.errors }
}
