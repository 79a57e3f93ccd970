/**
 * Values of `@fromContext` arguments, which come from objects above those that are looked up. One document has one
 * value for each argument: objects with equal values are looked up together, and every other set of values in a fetch
 * of its own.
 */

import { writeMember } from '../../shared/json/members.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import type { EntityGroup } from '../planner/index.ts'
import type { JsonObject } from './execution.ts'
import { compileObjectsAt } from './objects-at-path.ts'
import type { PossibleTypes } from './renames.ts'
import { compileValue } from './representations.ts'

/** The objects with one set of values. */
export interface ContextSet {
  readonly variables: JsonObject
  readonly objects: ReadonlySet<JsonObject>
}

/** Compiles a function that groups the objects by their values. Undefined if the group has no such arguments. */
export function compileContexts(
  group: EntityGroup,
  possibleTypes: PossibleTypes,
): ((data: JsonObject) => readonly ContextSet[]) | undefined {
  const { contexts, paths } = group
  if (contexts.length === 0) return undefined
  const [path = []] = paths
  const readers = contexts.map(({ variable, depth, fields }) => ({
    variable,
    above: compileObjectsAt(path.slice(0, depth), possibleTypes),
    below: compileObjectsAt(path.slice(depth), possibleTypes),
    readValue: compileValue(fields),
  }))
  return (data) => {
    const valuesOf = new Map<JsonObject, JsonObject>()
    for (const { variable, above, below, readValue } of readers) {
      const holders: JsonObject[] = []
      above.collect(data, holders)
      for (const holder of holders) {
        const value = readValue(holder)
        if (value === undefined) continue
        const objects: JsonObject[] = []
        below.collect(holder, objects)
        for (const object of objects) {
          const values = getOrInsert(valuesOf, object, () => ({}))
          writeMember(values, variable, value)
        }
      }
    }
    const sets = new Map<string, { variables: JsonObject; objects: Set<JsonObject> }>()
    for (const [object, variables] of valuesOf) {
      // An object without all of its values is not looked up.
      if (Object.keys(variables).length < readers.length) continue
      const key = JSON.stringify(readers.map(({ variable }) => variables[variable]))
      getOrInsert(sets, key, () => ({ variables, objects: new Set<JsonObject>() })).objects.add(object)
    }
    return [...sets.values()]
  }
}
