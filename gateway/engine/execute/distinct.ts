/** The distinct representations of many objects: a subgraph is asked for each once. */
import type { JsonObject } from './merge.ts'
import { type Represent, representationKey } from './represent.ts'

export interface Distinct {
  readonly representations: JsonObject[]
  /** The representation of each object; -1 where it has none. */
  readonly indices: number[]
}

export type FindDistinct = (objects: readonly JsonObject[]) => Distinct

export function distinctBy(represent: Represent): FindDistinct {
  return (objects) => {
    const representations: JsonObject[] = []
    const indices: number[] = []
    let known: Map<string, number> | undefined
    for (const object of objects) {
      const representation = represent(object)
      if (representation === undefined) {
        indices.push(-1)
        continue
      }
      if (objects.length === 1) {
        indices.push(representations.push(representation) - 1)
        continue
      }
      known ??= new Map()
      const key = representationKey(representation)
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
