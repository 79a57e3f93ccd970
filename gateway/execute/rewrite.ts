/**
 * The planner's rewrites: it asks for fields under keys of its own where two subgraph fields would clash, and
 * sends the interface's name where a subgraph knows no more of an object than that.
 */
import type { Rewrite } from '../plan.ts'
import { isObject, type JsonObject, read, write } from './merge.ts'

export type PossibleTypes = ReadonlyMap<string, ReadonlySet<string>>

/** The object types that these names stand for. */
export function typesNamed(names: readonly string[], possibleTypes: PossibleTypes): ReadonlySet<string> {
  const types = new Set<string>()
  for (const name of names) {
    types.add(name)
    for (const type of possibleTypes.get(name) ?? []) types.add(type)
  }
  return types
}

type Change = (value: unknown) => void

/** Changes a value in place; undefined where there is nothing to change. `root` is a first key that is not in the value. */
export function compileRewrites(
  rewrites: readonly Rewrite[],
  possibleTypes: PossibleTypes,
  root?: string,
): Change | undefined {
  if (rewrites.length === 0) return undefined
  const changes = rewrites.map((rewrite) => compileRewrite(rewrite, possibleTypes, root))
  return (value) => {
    for (const change of changes) change(value)
  }
}

function compileRewrite(rewrite: Rewrite, possibleTypes: PossibleTypes, root: string | undefined): Change {
  const steps = rewrite.path.filter(
    (step, index) => !(index === 0 && step.kind === 'key' && step.key === root) && !isListStep(step),
  )
  const last = steps.at(-1)
  if (last?.kind !== 'key') return () => {}
  const atEnd = (object: JsonObject): void => {
    if (rewrite.kind === 'set') write(object, last.key, rewrite.value)
    else if (read(object, last.key) !== undefined) write(object, rewrite.to, object[last.key])
  }
  let change: Change = (value) => {
    if (isObject(value)) atEnd(value)
  }
  for (const step of steps.slice(0, -1).reverse()) {
    const next = throughLists(change)
    if (step.kind === 'key') {
      change = (value) => {
        if (isObject(value)) next(read(value, step.key))
      }
    } else {
      const types = typesNamed(step.types, possibleTypes)
      change = (value) => {
        if (isObject(value) && types.has(value.__typename as string)) next(value)
      }
    }
  }
  return throughLists(change)
}

function isListStep(step: Rewrite['path'][number]): boolean {
  return step.kind === 'key' && step.key === '@'
}

function throughLists(change: Change): Change {
  const walk: Change = (value) => {
    if (Array.isArray(value)) for (const item of value) walk(item)
    else change(value)
  }
  return walk
}

/** A path of the subgraph's answer, with the keys that the client knows. */
export function renamedPath(
  path: readonly (string | number)[],
  rewrites: readonly Rewrite[],
  root?: string,
): (string | number)[] {
  const renamed = [...path]
  for (const rewrite of rewrites) {
    if (rewrite.kind !== 'rename') continue
    const keys = rewrite.path.flatMap((step, index) =>
      step.kind !== 'key' || isListStep(step) || (index === 0 && step.key === root) ? [] : [step.key],
    )
    let found = 0
    for (let i = 0; i < path.length && found < keys.length; i++) {
      if (typeof path[i] === 'number') continue
      if (path[i] !== keys[found]) break
      found += 1
      if (found === keys.length) renamed[i] = rewrite.to
    }
  }
  return renamed
}
