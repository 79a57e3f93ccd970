/** The order of a mutation's root fields, if one is selected at several places under conditions. */
import { Kind, type SelectionSetNode } from 'graphql'
import { conditionsOf } from '../../../shared/graphql/conditions.ts'
import type { Fragments } from '../../../shared/graphql/selections.ts'
import { and, type Conjunction, without } from '../../operation/conditions.ts'

interface Place {
  readonly key: string
  /** A variable that decides whether the field is selected here. Undefined if it always is. */
  readonly variable: string | undefined
}

/** A root key whose place depends on variables, with one of them. */
export interface Moving {
  readonly key: string
  readonly variable: string
}

/**
 * Finds a root key whose place among the others depends on variables: its first place may be skipped, and a field of
 * another unit is executed before its next place. Undefined if there is none. `given` are the decided variables.
 * `unitOf` says which fields are fetched together; undefined for fields that are not fetched (`__typename`).
 */
export function movingKey(
  set: SelectionSetNode,
  fragments: Fragments,
  given: Conjunction,
  unitOf: (key: string) => number | undefined,
): Moving | undefined {
  const places = placesIn(set, fragments, given)
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

function placesIn(set: SelectionSetNode, fragments: Fragments, given: Conjunction): readonly Place[] {
  const places: Place[] = []
  const settled = new Set<string>()
  const spread = new Map<string, number>()
  const visit = ({ selections }: SelectionSetNode, within: Conjunction): void => {
    for (const selection of selections) {
      const conditions = conditionsOf(selection)
      const when = conditions === undefined ? undefined : and(within, conditions)
      if (when === undefined) continue
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        const [open] = without(when, given)
        if (!settled.has(key)) places.push({ key, variable: open?.variable })
        if (open === undefined) settled.add(key)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet, when)
      else {
        const { value } = selection.name
        // Bounded: fragments that spread each other twice at each level would double the places at each level.
        const before = spread.get(value) ?? 0
        if (before === mostSpreads) continue
        spread.set(value, before + 1)
        const fragment = fragments.get(value)
        if (fragment !== undefined) visit(fragment.selectionSet, when)
      }
    }
  }
  visit(set, given)
  return places
}

/** A fragment is visited this often. Its third spread has no first places. */
const mostSpreads = 2
