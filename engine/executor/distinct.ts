/** Finds the distinct representations of many objects, so that a subgraph looks each up once. */
import type { Representation } from '../planner/index.ts'
import type { JsonObject } from './merge.ts'
import { compileOnlyText, compileRepresentation, representationKey } from './represent.ts'

export interface Distinct {
  readonly representations: JsonObject[]
  /** The index of each object's representation. -1 if it has none. */
  readonly indices: number[]
}

export type FindDistinct = (objects: readonly JsonObject[]) => Distinct

export function compileDistinct(by: readonly Representation[]): FindDistinct {
  const represent = compileRepresentation(by)
  const onlyText = compileOnlyText(by)
  return (objects) => {
    if (objects.length === 1) return alone(represent(objects[0] as JsonObject))
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
    return { representations, indices }
  }
}

const alone = (representation: JsonObject | undefined): Distinct =>
  representation === undefined
    ? { representations: [], indices: [-1] }
    : { representations: [representation], indices: [0] }
