/** The order of a mutation's root fields, if one is selected at several places under conditions. */
import { Kind, type SelectionSetNode } from 'graphql'
import { conditionsOf } from '../../../shared/graphql/conditions.ts'
import type { Fragments } from '../../../shared/graphql/selections.ts'
import { and, type Conjunction, without } from '../../operation/conditions.ts'

interface Place {
  readonly key: string
  /** A variable on which it depends whether the field stands here; undefined if it always does. */
  readonly variable: string | undefined
}

/** A root key whose place depends on variables, and one of these. */
export interface Moving {
  readonly key: string
  readonly variable: string
}

/**
 * A root key whose place among the others depends on variables: its first place may be left out, and before its next
 * one a field of another unit is executed. Undefined if there is none. `given`: what is decided of the variables.
 * `unitOf`: which fields are fetched together; undefined for what is not fetched (`__typename`).
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
    // What always has its first place stays there.
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
        // Bounded: fragments that spread each other twice would be many places else.
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

/** A fragment is looked through so often; where it stands for the third time it has no first places. */
const mostSpreads = 2
