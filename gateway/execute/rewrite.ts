/**
 * The planner's corrections: a key that was asked for under another name, a type name that a subgraph
 * knows differently. Applied to what goes out, to what comes back, and to the paths of errors.
 */
import type { Rewrite, RewriteStep } from '../plan.ts'
import { type Data, isObject, readKey, writeKey } from './data.ts'
import type { TypeFamilies } from './types.ts'

function walk(
  value: unknown,
  steps: readonly RewriteStep[],
  at: number,
  types: TypeFamilies,
  visit: (object: Data, key: string) => void,
): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, steps, at, types, visit)
    return
  }
  if (!isObject(value)) return
  const step = steps[at]
  if (step === undefined) return
  if (step.kind === 'type') {
    if (step.types.some((name) => types.fits(value.__typename, name)))
      walk(value, steps, at + 1, types, visit)
    return
  }
  if (at === steps.length - 1) {
    if (Object.hasOwn(value, step.key)) visit(value, step.key)
    return
  }
  walk(readKey(value, step.key), steps, at + 1, types, visit)
}

/** Applies every rewrite to `value`, in place. */
export function applyRewrites(value: unknown, rewrites: readonly Rewrite[], types: TypeFamilies): void {
  for (const rewrite of rewrites) {
    walk(value, rewrite.path, 0, types, (object, key) => {
      if (rewrite.kind === 'set') {
        writeKey(object, key, rewrite.value)
        return
      }
      const moved = object[key]
      delete object[key]
      writeKey(object, rewrite.to, moved)
    })
  }
}

/** The path of an error as the client knows it. */
export function rewritePath(
  path: readonly (string | number)[],
  rewrites: readonly Rewrite[],
): readonly (string | number)[] {
  let result = path
  for (const rewrite of rewrites) {
    if (rewrite.kind !== 'rename') continue
    const keys = rewrite.path.flatMap((step) => (step.kind === 'key' ? [step.key] : []))
    let matched = 0
    const renamed = result.map((segment) => {
      if (typeof segment !== 'string' || matched >= keys.length) return segment
      if (segment !== keys[matched]) {
        matched = keys.length
        return segment
      }
      matched += 1
      return matched === keys.length ? rewrite.to : segment
    })
    result = renamed
  }
  return result
}
