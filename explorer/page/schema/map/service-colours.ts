/** A colour for each service, by its place in the alphabet. The style sheets define the colours by number. */
import type { TypeOwners } from '../../../type-owners.ts'

const count = 8

export const coloursOf = (owners: TypeOwners | undefined): ReadonlyMap<string, number> =>
  new Map(
    [...new Set(Object.values(owners?.types ?? {}).flat())]
      .sort()
      .map((service, at) => [service, at % count]),
  )
