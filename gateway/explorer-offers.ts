/** What the explorer offers for a graph. */
import type { Example } from '../explorer/examples/example.ts'
import { examplesFrom } from '../explorer/examples/from-schema.ts'
import { typeOwners } from '../explorer/type-owners.ts'
import type { Assembly } from './assemble.ts'
import { scopesOf } from './auth/scope-offers.ts'
import type { GatewayOptions } from './options.ts'

export type ExplorerOffers = ReturnType<typeof explorerOffers>

/** Those of the current generation, computed when they are first requested. */
export function explorerOffers(current: () => Assembly, options: GatewayOptions) {
  const ofGeneration = <Offer>(make: (assembly: Assembly) => Offer): (() => Offer) => {
    let made: { readonly assembly: Assembly; readonly offer: Offer } | undefined
    return () => {
      const assembly = current()
      if (made?.assembly !== assembly) made = { assembly, offer: make(assembly) }
      return made.offer
    }
  }
  const examples = ofGeneration(({ supergraph, schema }) => examplesFrom(supergraph, schema))
  return {
    scopes: ofGeneration(({ supergraph, schema }) => scopesOf(supergraph, schema)),
    examples: (): readonly Example[] => options.examples?.(Date.now()) ?? examples(),
    owners: ofGeneration(({ supergraph, schema }) => typeOwners(supergraph, schema)),
  }
}
