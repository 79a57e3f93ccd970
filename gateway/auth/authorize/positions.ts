/**
 * Walks an operation by the shape of its response: all nodes that select the same response key of an object represent
 * one value. Each distinct set of nodes is visited once. A hostile document may have very many such sets, so the walk
 * stops after a number of steps and reports that.
 */
import { type FieldNode, Kind, type SelectionSetNode } from 'graphql'
import type { Selection } from './selection.ts'

const mostSteps = 20_000

/** One node that selects a response key, and the object types for which it does. */
export interface Occurrence {
  readonly node: FieldNode
  readonly types: readonly string[]
}

interface Source {
  readonly set: SelectionSetNode
  readonly types: readonly string[]
}

/**
 * Calls `visit` with the nodes of each response key, from the root down. It returns those below which the walk
 * continues. Returns false if the walk was stopped.
 */
export function walkPositions(
  selection: Selection,
  visit: (occurrences: readonly Occurrence[]) => readonly Occurrence[],
): boolean {
  const numbers = new Map<SelectionSetNode, number>()
  const seen = new Set<string>()
  let steps = 0

  const collect = ({ set, types }: Source, into: Map<string, Occurrence[]>, spread: Set<string>): void => {
    for (const node of set.selections) {
      if (++steps > mostSteps) return
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value
        const occurrences = into.get(key)
        if (occurrences === undefined) into.set(key, [{ node, types }])
        else occurrences.push({ node, types })
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
    const keys = new Map<string, Occurrence[]>()
    const spread = new Set<string>()
    for (const source of sources) collect(source, keys, spread)
    for (const occurrences of keys.values()) {
      const below = visit(occurrences).flatMap(({ node }): Source[] => {
        const site = selection.sites.get(node)
        if (node.selectionSet === undefined || site === undefined) return []
        return [{ set: node.selectionSet, types: selection.possible(site.output) }]
      })
      if (below.length > 0) walk(below)
    }
  }

  walk([{ set: selection.operation.selectionSet, types: [selection.rootType] }])
  return steps <= mostSteps
}
