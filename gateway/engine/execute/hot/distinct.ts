/**
 * Finds the distinct representations of many objects by the value of their first field, where all fields are scalars
 * and there is one way to represent an object: an object that is known costs a look-up and a comparison, and neither a
 * representation nor a text of it is made. Whatever differs in more than the first field goes the plain way.
 *
 * The plain way is `../distinct.ts`. For the query of the federated comparison (130 objects in each of three groups) the
 * engine took 397 us so, and takes 293 (November 2026).
 * `npm run bench -- --engine`; test/gateway/engine/execute/hot compares both ways.
 */
import { runsPlainly } from '../../../../contract/hot/switch.ts'
import type { Representation } from '../../plan/index.ts'
import type { FindDistinct } from '../distinct.ts'
import type { JsonObject } from '../merge.ts'
import { type Represent, representationKey } from '../represent.ts'

/** `plainly` is taken where this knows no quicker way. */
export function compileDistinct(
  ways: readonly Representation[],
  represent: Represent,
  plainly: FindDistinct,
): FindDistinct {
  const [way] = ways
  if (way === undefined || ways.length > 1) return plainly
  const [first, ...others] = way.fields
  const isFlat = way.fields.every(
    ({ key, name, types, fields }) =>
      fields === undefined && types === undefined && !(key in Object.prototype) && name !== '__proto__',
  )
  if (first === undefined || !isFlat) return plainly
  const { typename } = way
  const types = way.types === undefined ? undefined : new Set(way.types)

  return (objects) => {
    if (objects.length < 2 || runsPlainly('distinct')) return plainly(objects)
    const representations: JsonObject[] = []
    const indices: number[] = []
    const ofTypes = new Map<unknown, Map<unknown, number>>()
    /** Those that have an equal first field, and another one that differs. */
    let further: Map<string, number> | undefined
    let type: unknown
    let known: Map<unknown, number> | undefined

    const add = (representation: JsonObject): number => representations.push(representation) - 1
    /** Whether all fields but the first are those of a representation. */
    const isEqual = (object: JsonObject, representation: JsonObject): boolean => {
      for (const { key, name } of others) if (object[key] !== representation[name]) return false
      return true
    }
    /** `index`: of the one whose first field is equal, if any. */
    const addFurther = (object: JsonObject, index?: number): number => {
      const representation = represent(object)
      if (representation === undefined) return -1
      const key = representationKey(representation)
      if (index !== undefined && representationKey(representations[index] as JsonObject) === key) return index
      further ??= new Map()
      let at = further.get(key)
      if (at === undefined) {
        at = add(representation)
        further.set(key, at)
      }
      return at
    }

    const indexOf = (object: JsonObject): number => {
      const named = object.__typename
      if (types !== undefined && !types.has(named as string)) return -1
      const own = typename ?? named
      if (known === undefined || own !== type) {
        type = own
        known = ofTypes.get(own)
        if (known === undefined) {
          known = new Map()
          ofTypes.set(own, known)
        }
      }
      const value = object[first.key]
      if (typeof value === 'object' && value !== null) return addFurther(object)
      const index = known.get(value)
      if (index !== undefined) {
        const isKnown = isEqual(object, representations[index] as JsonObject)
        return isKnown ? index : addFurther(object, index)
      }
      const representation = represent(object)
      if (representation === undefined) return -1
      const at = add(representation)
      known.set(value, at)
      return at
    }
    for (const object of objects) indices.push(indexOf(object))
    return { representations, indices }
  }
}
