/**
 * Arguments whose values stand in objects above those that are looked up (`@fromContext`). One document has one value
 * for each: objects below equal values are looked up together, every other set of values in a fetch of its own.
 */
import type { EntityGroup } from '../planner/index.ts'
import { type JsonObject, write } from './merge.ts'
import { compileObjectsAt } from './objects-at-path.ts'
import type { PossibleTypes } from './renames.ts'
import { compileValue } from './represent.ts'

/** Objects that are looked up with the same values. */
export interface ContextSet {
  readonly variables: JsonObject
  readonly objects: ReadonlySet<JsonObject>
}

/** Finds the objects of each set of values; undefined if no argument comes from above. */
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
          const values = valuesOf.get(object) ?? {}
          valuesOf.set(object, values)
          write(values, variable, value)
        }
      }
    }
    const sets = new Map<string, { variables: JsonObject; objects: Set<JsonObject> }>()
    for (const [object, variables] of valuesOf) {
      // If a value failed to come, nothing is asked with what is left.
      if (Object.keys(variables).length < readers.length) continue
      const key = JSON.stringify(readers.map(({ variable }) => variables[variable]))
      const known = sets.get(key)
      if (known === undefined) sets.set(key, { variables, objects: new Set([object]) })
      else known.objects.add(object)
    }
    return [...sets.values()]
  }
}
