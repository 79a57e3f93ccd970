/**
 * A walk over an operation as its response is shaped: the same response key, asked for in several places, is
 * one value.
 *
 * Every position is walked once for each different set of places that share it. A hostile document could have
 * very many of those, so the walk ends after a number of steps and says that it did.
 */
import { type FieldNode, Kind, type SelectionSetNode } from 'graphql'
import type { Selection } from './selection.ts'

const mostSteps = 20_000

/** One place that asks for a response key, and the object types for which it does. */
export interface Place {
  readonly node: FieldNode
  readonly types: readonly string[]
}

interface Source {
  readonly set: SelectionSetNode
  readonly types: readonly string[]
}

/**
 * Calls `visit` with the places of each response key, from the root down. It answers those that are walked
 * further. False where the walk was given up.
 */
export function walkPositions(
  selection: Selection,
  visit: (places: readonly Place[]) => readonly Place[],
): boolean {
  const numbers = new Map<SelectionSetNode, number>()
  const seen = new Set<string>()
  let steps = 0

  const collect = ({ set, types }: Source, into: Map<string, Place[]>, spread: Set<string>): void => {
    for (const node of set.selections) {
      if (++steps > mostSteps) return
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value
        const places = into.get(key)
        if (places === undefined) into.set(key, [{ node, types }])
        else places.push({ node, types })
        continue
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : selection.fragments.get(node.name.value)
      if (fragment === undefined) continue
      const condition = fragment.typeCondition?.name.value
      const possible = condition === undefined ? types : selection.possible(condition)
      const narrowed = possible === types ? types : types.filter((type) => possible.includes(type))
      if (narrowed.length === 0) continue
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const once = `${node.name.value} ${narrowed.join(' ')}`
        if (spread.has(once)) continue
        spread.add(once)
      }
      collect({ set: fragment.selectionSet, types: narrowed }, into, spread)
    }
  }

  const nameOf = ({ set, types }: Source): string => {
    const number = numbers.get(set) ?? numbers.size
    numbers.set(set, number)
    return `${number} ${types.join(' ')}`
  }

  const walk = (sources: readonly Source[]): void => {
    const name = sources.map(nameOf).sort().join()
    if (seen.has(name) || steps > mostSteps) return
    seen.add(name)
    const keys = new Map<string, Place[]>()
    const spread = new Set<string>()
    for (const source of sources) collect(source, keys, spread)
    for (const places of keys.values()) {
      const below = visit(places).flatMap(({ node }): Source[] => {
        const site = selection.sites.get(node)
        if (node.selectionSet === undefined || site?.composite !== true) return []
        return [{ set: node.selectionSet, types: selection.possible(site.output) }]
      })
      if (below.length > 0) walk(below)
    }
  }

  walk([{ set: selection.operation.selectionSet, types: [selection.rootType] }])
  return steps <= mostSteps
}
