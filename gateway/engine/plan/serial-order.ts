/** The order of a mutation's root fields, where one is selected at several places under conditions. */
import { type DirectiveNode, Kind, type SelectionSetNode } from 'graphql'
import type { Fragments } from '../../../contract/graphql/selections.ts'

interface Place {
  readonly key: string
  readonly conditional: boolean
}

/**
 * A root key whose place among the others depends on variables: its first place may be left out, and before its next
 * one a field of another unit is executed. Undefined where there is none. `unitOf`: which fields are fetched together;
 * undefined for what is not fetched (`__typename`).
 */
export function movingKey(
  set: SelectionSetNode,
  fragments: Fragments,
  unitOf: (key: string) => number | undefined,
): string | undefined {
  const places = placesIn(set, fragments)
  const open = new Map<string, number>()
  for (const [at, { key, conditional }] of places.entries()) {
    const first = open.get(key)
    if (first !== undefined) {
      const unit = unitOf(key)
      const between = places.slice(first + 1, at).map((place) => unitOf(place.key))
      if (unit !== undefined && between.some((other) => other !== undefined && other !== unit)) return key
    }
    // What always has its first place stays there.
    if (first === undefined && conditional) open.set(key, at)
    if (!conditional) open.delete(key)
  }
  return undefined
}

function placesIn(set: SelectionSetNode, fragments: Fragments): readonly Place[] {
  const places: Place[] = []
  const settled = new Set<string>()
  const spread = new Map<string, number>()
  const visit = ({ selections }: SelectionSetNode, within: boolean): void => {
    for (const selection of selections) {
      const conditional = within || isConditional(selection.directives)
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        if (!settled.has(key)) places.push({ key, conditional })
        if (!conditional) settled.add(key)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet, conditional)
      else {
        const { value } = selection.name
        // Bounded: fragments that spread each other twice would be many places else.
        const before = spread.get(value) ?? 0
        if (before === mostSpreads) continue
        spread.set(value, before + 1)
        const fragment = fragments.get(value)
        if (fragment !== undefined) visit(fragment.selectionSet, conditional)
      }
    }
  }
  visit(set, false)
  return places
}

/** A fragment is looked through so often; where it stands for the third time it has no first places. */
const mostSpreads = 2

const isConditional = (directives: readonly DirectiveNode[] = []): boolean =>
  directives.some(
    ({ name, arguments: given = [] }) =>
      (name.value === 'skip' || name.value === 'include') &&
      given.some(({ value }) => value.kind === Kind.VARIABLE),
  )
