/** The order of a mutation's root fields, if one is selected at several places under conditions. */
import { and, type Conjunction, without } from '../../operation/conditions.ts'
import type { Selection } from '../../operation/normalised.ts'

interface Place {
  readonly key: string
  /** A variable that decides whether the field is selected here. Undefined if it always is. */
  readonly variable: string | undefined
}

/** A root key whose place depends on variables, with one of them. */
interface Moving {
  readonly key: string
  readonly variable: string
}

/**
 * Finds a root key whose place among the others depends on variables: its first place may be skipped, and a field of
 * another unit is executed before its next place. Undefined if there is none. `given` are the decided variables.
 * `unitOf` says which fields are fetched together; undefined for fields that are not fetched (`__typename`).
 */
export function movingKey(
  selections: readonly Selection[],
  given: Conjunction,
  unitOf: (key: string) => number | undefined,
): Moving | undefined {
  const places = placesIn(selections, given)
  const open = new Map<string, { readonly at: number; readonly variable: string }>()
  for (const [at, { key, variable }] of places.entries()) {
    const first = open.get(key)
    if (first !== undefined) {
      const unit = unitOf(key)
      const between = places.slice(first.at + 1, at).map((place) => unitOf(place.key))
      if (unit !== undefined && between.some((other) => other !== undefined && other !== unit))
        return { key, variable: first.variable }
    }
    // A key that is always selected at its first place is executed there.
    if (variable === undefined) open.delete(key)
    else if (first === undefined) open.set(key, { at, variable })
  }
  return undefined
}

function placesIn(selections: readonly Selection[], given: Conjunction): readonly Place[] {
  const places: Place[] = []
  const settled = new Set<string>()
  for (const { field, when: own } of selections) {
    const when = own === undefined ? undefined : and(given, own.all)
    if (when === undefined) continue
    const [open] = without(when, given)
    if (!settled.has(field.key)) places.push({ key: field.key, variable: open?.variable })
    if (open === undefined) settled.add(field.key)
  }
  return places
}
