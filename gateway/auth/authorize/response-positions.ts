/**
 * Walks an operation by the shape of its response: all fields that select the same response key of an object represent
 * one value. Each distinct set of fields is visited once. A hostile document may have very many such sets, so the walk
 * stops after a number of steps and reports that.
 */
import type { NormalisedField, Selection as Selected } from '../../../engine/operation/normalised.ts'
import { append, getOrInsert } from '../../../shared/runtime/maps.ts'
import type { FieldSites } from './field-sites.ts'

const mostSteps = 20_000

/** One field that selects a response key, and the object types for which it does. */
export interface Occurrence {
  readonly field: NormalisedField
  readonly types: readonly string[]
  /** The marks of `@defer` on all fragments around it, the outermost first. */
  readonly deferred: Selected['deferred']
}

interface Parent {
  readonly selections: readonly Selected[]
  readonly deferred: Selected['deferred']
}

/** Returns false if the walk was stopped. `visit` returns those fields below which it continues. */
export function walkResponsePositions(
  { operation }: FieldSites,
  visit: (occurrences: readonly Occurrence[]) => readonly Occurrence[],
): boolean {
  const seen = new Set<string>()
  const marks = new Map<Selected['deferred'][number], number>()
  let steps = 0

  const nameOf = ({ field, deferred }: Occurrence): string =>
    deferred.reduce((name, mark) => `${name}.${getOrInsert(marks, mark, () => marks.size)}`, `${field.id}`)

  const walk = (parents: readonly Parent[], name: string): void => {
    if (seen.has(name) || steps > mostSteps) return
    seen.add(name)
    const keys = new Map<string, Occurrence[]>()
    for (const { selections, deferred: around } of parents)
      for (const { field, types, deferred: own } of selections) {
        if (++steps > mostSteps) break
        if (types.names.length === 0) continue
        const deferred = own.length === 0 ? around : [...around, ...own]
        append(keys, field.key, { field, types: types.names, deferred })
      }
    for (const occurrences of keys.values()) {
      const below = visit(occurrences).filter(({ field }) => field.selections !== undefined)
      if (below.length === 0) continue
      walk(
        below.map(({ field: { selections = [] }, deferred }) => ({ selections, deferred })),
        [...new Set(below.map(nameOf))].sort().join(),
      )
    }
  }

  walk([{ selections: operation.selections, deferred: [] }], 'root')
  return steps <= mostSteps
}
