/** Finds the distinct representations of many objects, so that a subgraph looks each up once. */
import type { Representation } from '../planner/index.ts'
import type { JsonObject } from './execution.ts'
import { compileOnlyText, compileRepresentation, representationKey } from './represent.ts'

export interface Distinct {
  readonly objects: readonly JsonObject[]
  readonly representations: JsonObject[]
  /** The index of each object's representation. -1 if it has none. */
  readonly indices: number[]
}

export function compileDistinct(by: readonly Representation[]): (objects: readonly JsonObject[]) => Distinct {
  const represent = compileRepresentation(by)
  const onlyText = compileOnlyText(by)
  return (objects) => {
    if (objects.length === 1) {
      const only = represent(objects[0] as JsonObject)
      return only === undefined
        ? { objects, representations: [], indices: [-1] }
        : { objects, representations: [only], indices: [0] }
    }
    const representations: JsonObject[] = []
    const indices: number[] = []
    const byText = new Map<string, number>()
    const byKey = new Map<string, number>()
    for (const object of objects) {
      const representation = represent(object)
      if (representation === undefined) {
        indices.push(-1)
        continue
      }
      const text = onlyText?.(representation)
      const known = text === undefined ? byKey : byText
      const key = text ?? representationKey(representation)
      let index = known.get(key)
      if (index === undefined) {
        index = representations.push(representation) - 1
        known.set(key, index)
      }
      indices.push(index)
    }
    return { objects, representations, indices }
  }
}
