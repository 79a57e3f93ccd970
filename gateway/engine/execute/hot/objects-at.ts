/**
 * Collects the objects at a path by code that names its keys: V8 then knows where each stands in an object.
 *
 * The plain way is `../objects-at-path.ts`. What it gains is told in `entity-merge.ts`.
 */
import { runsPlainly } from '../../../../contract/hot/switch.ts'
import { keptBytes, type NoteKept } from '../../kept.ts'
import * as thresholds from '../../thresholds.ts'
import type { JsonObject } from '../merge.ts'

/** A response key, or the types of which one must be. */
export type PathStep =
  | { readonly key: string; readonly types?: undefined }
  | { readonly types: ReadonlySet<string>; readonly key?: undefined }

export type CollectObjects = (data: JsonObject, found: JsonObject[]) => void

const mostSteps = 50

/** `plainly` is taken until it is worth the code, and where there can be none. */
export function compileCollect(
  steps: readonly PathStep[],
  plainly: CollectObjects,
  noteKept?: NoteKept,
): CollectObjects {
  const isKnown =
    steps.length <= mostSteps && steps.every(({ key }) => key === undefined || !(key in Object.prototype))
  let collected = 0
  let generated: CollectObjects | undefined
  return (data, found) => {
    if (generated === undefined) {
      if (!isKnown || collected < thresholds.objectsAfter || runsPlainly('objects-at')) {
        const before = found.length
        plainly(data, found)
        collected += found.length - before
        return
      }
      generated = generate(steps, noteKept)
    }
    generated(data, found)
  }
}

/** What gets into the code are response keys, which are names of GraphQL. Lists are walked through wherever they are. */
function generate(steps: readonly PathStep[], noteKept: NoteKept | undefined): CollectObjects {
  const functions = [...steps, undefined].map((step, at) => {
    const next =
      step === undefined
        ? 'found.push(value)'
        : step.types === undefined
          ? `at${at + 1}(value[${JSON.stringify(step.key)}], found)`
          : `if (types[${at}].has(value.__typename)) at${at + 1}(value, found)`
    return `function at${at}(value, found) {
      if (typeof value !== 'object' || value === null) return;
      if (isArray(value)) { for (let i = 0; i < value.length; i++) at${at}(value[i], found); }
      else { ${next}; }
    }`
  })
  const code = `'use strict';\n${functions.join('\n')}\nreturn at0;`
  noteKept?.(code.length * keptBytes.codeCharacter)
  const types = steps.map((step) => step.types)
  return new Function('types', 'isArray', code)(types, Array.isArray) as CollectObjects
}
