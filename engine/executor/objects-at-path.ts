/**
 * Finds the objects at a path of a plan. Every request collects them. Their exact paths are computed only for errors.
 */

import { isObject } from '../../shared/json/is-object.ts'
import { readMember } from '../../shared/json/members.ts'
import type { PlanPath } from '../planner/index.ts'
import type { JsonObject } from './execution.ts'
import { type PossibleTypes, typesNamed } from './renames.ts'

export type ObjectsAtPath = ReturnType<typeof compileObjectsAt>

interface Located {
  readonly object: JsonObject
  readonly path: (string | number)[]
}

/** A field, or the types that an object must have at this point. */
type PathStep =
  | { readonly key: string; readonly types?: undefined }
  | { readonly key?: undefined; readonly types: ReadonlySet<string> }

export function compileObjectsAt(path: PlanPath, possibleTypes: PossibleTypes) {
  // Lists are traversed wherever they are, so list steps are not needed.
  const steps: PathStep[] = path.flatMap((step): PathStep[] => {
    if (step.kind === 'list') return []
    return step.kind === 'field' ? [{ key: step.key }] : [{ types: typesNamed(step.types, possibleTypes) }]
  })

  const collect = (value: unknown, at: number, found: JsonObject[]): void => {
    if (Array.isArray(value)) {
      for (const item of value) collect(item, at, found)
      return
    }
    if (!isObject(value)) return
    const step = steps[at]
    if (step === undefined) found.push(value)
    else if (step.types === undefined) collect(readMember(value, step.key), at + 1, found)
    else if (step.types.has(value.__typename as string)) collect(value, at + 1, found)
  }

  return {
    /** Adds every object at the path to `found`. */
    collect: (data: JsonObject, found: JsonObject[]): void => collect(data, 0, found),
    /** The first response key of the path. */
    rootKey: steps.find((step) => step.key !== undefined)?.key,
    /** The paths of these objects, of at most `most` places. */
    locate(data: JsonObject, objects: ReadonlySet<JsonObject>, most: number): Located[] {
      const located: Located[] = []
      const here: (string | number)[] = []
      const walk = (value: unknown, at: number): void => {
        if (located.length >= most) return
        if (Array.isArray(value)) {
          for (let i = 0; i < value.length; i++) {
            here.push(i)
            walk(value[i], at)
            here.pop()
          }
          return
        }
        if (!isObject(value)) return
        const step = steps[at]
        if (step === undefined) {
          if (objects.has(value)) located.push({ object: value, path: [...here] })
        } else if (step.types === undefined) {
          here.push(step.key)
          walk(readMember(value, step.key), at + 1)
          here.pop()
        } else if (step.types.has(value.__typename as string)) walk(value, at + 1)
      }
      walk(data, 0)
      return located
    },
  }
}
