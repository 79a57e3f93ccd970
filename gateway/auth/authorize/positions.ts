/**
 * Walks an operation by the shape of its response: all fields that select the same response key of an object represent
 * one value. Each distinct set of fields is visited once. A hostile document may have very many such sets, so the walk
 * stops after a number of steps and reports that.
 */
import type { NormalisedField, Selection as Selected } from '../../../engine/operation/normalised.ts'
import type { Selection } from './selection.ts'

const mostSteps = 20_000

/** One field that selects a response key, and the object types for which it does. */
export interface Occurrence {
  readonly field: NormalisedField
  readonly types: readonly string[]
}

/**
 * Calls `visit` with the fields of each response key, from the root down. It returns those below which the walk
 * continues. Returns false if the walk was stopped.
 */
export function walkPositions(
  { operation }: Selection,
  visit: (occurrences: readonly Occurrence[]) => readonly Occurrence[],
): boolean {
  const seen = new Set<string>()
  let steps = 0

  const walk = (all: readonly (readonly Selected[])[], name: string): void => {
    if (seen.has(name) || steps > mostSteps) return
    seen.add(name)
    const keys = new Map<string, Occurrence[]>()
    for (const selections of all)
      for (const { field, types } of selections) {
        if (++steps > mostSteps) break
        if (types.names.length === 0) continue
        const occurrence = { field, types: types.names }
        const occurrences = keys.get(field.key)
        if (occurrences === undefined) keys.set(field.key, [occurrence])
        else occurrences.push(occurrence)
      }
    for (const occurrences of keys.values()) {
      const below = visit(occurrences).flatMap(({ field }) => (field.selections === undefined ? [] : [field]))
      if (below.length === 0) continue
      const ids = [...new Set(below.map(({ id }) => id))].sort((a, b) => a - b)
      walk(
        below.map(({ selections = [] }) => selections),
        ids.join(),
      )
    }
  }

  walk([operation.selections], 'root')
  return steps <= mostSteps
}
