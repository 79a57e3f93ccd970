/**
 * From response data to representations: which objects an entity fetch starts from, what of them goes into
 * their representation, and which representations are the same.
 */
import type { EntityGroup, PlanPathStep, RequiredSelection } from '../plan.ts'
import { type Data, isObject, readKey, writeKey } from './data.ts'
import { applyRewrites } from './rewrite.ts'
import type { TypeFamilies } from './types.ts'

export type ResponsePath = readonly (string | number)[]

interface Found {
  readonly object: Data
  readonly path: ResponsePath
}

/** What one target of a fetch asks for: distinct representations, and the objects that wait for each. */
export interface Batch {
  readonly representations: Data[]
  /** By representation: the objects that it stands for. */
  readonly waiting: Found[][]
}

function collect(
  value: unknown,
  steps: readonly PlanPathStep[],
  at: number,
  path: (string | number)[],
  found: Found[],
  types: TypeFamilies,
): void {
  if (value === null || value === undefined) return
  const step = steps[at]
  if (step === undefined) {
    if (Array.isArray(value)) collectItems(value, steps, at, path, found, types)
    else if (isObject(value)) found.push({ object: value, path: path.slice() })
    return
  }
  if (step.kind === 'list') {
    if (Array.isArray(value)) collectItems(value, steps, at + 1, path, found, types)
    return
  }
  if (!isObject(value)) return
  if (step.kind === 'type') {
    if (step.types.some((name) => types.fits(value.__typename, name)))
      collect(value, steps, at + 1, path, found, types)
    return
  }
  path.push(step.key)
  collect(readKey(value, step.key), steps, at + 1, path, found, types)
  path.pop()
}

function collectItems(
  items: readonly unknown[],
  steps: readonly PlanPathStep[],
  at: number,
  path: (string | number)[],
  found: Found[],
  types: TypeFamilies,
): void {
  for (let index = 0; index < items.length; index++) {
    path.push(index)
    collect(items[index], steps, at, path, found, types)
    path.pop()
  }
}

/** What the requirement takes of a value; undefined where the value has nothing of it. */
function project(value: unknown, requires: readonly RequiredSelection[], types: TypeFamilies): unknown {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((item) => project(item, requires, types) ?? null)
  if (!isObject(value)) return undefined
  let taken: Data | undefined
  for (const requirement of requires) {
    if (requirement.kind === 'fragment') {
      if (!types.fits(value.__typename, requirement.type)) continue
      const inner = project(value, requirement.selections, types)
      if (isObject(inner)) taken = taken === undefined ? inner : Object.assign(taken, inner)
      continue
    }
    const raw = readKey(value, requirement.key) ?? readKey(value, requirement.name)
    if (raw === undefined) continue
    const inner = requirement.selections === undefined ? raw : project(raw, requirement.selections, types)
    if (inner === undefined) continue
    taken ??= {}
    writeKey(taken, requirement.name, inner)
  }
  return taken
}

/** The representations of one target, each once, however many objects share it. */
export function gather(data: unknown, target: EntityGroup, types: TypeFamilies): Batch {
  const found: Found[] = []
  for (const path of target.paths) collect(data, path, 0, [], found, types)
  const representations: Data[] = []
  const waiting: Found[][] = []
  const known = new Map<string, number>()
  for (const one of found) {
    const representation = project(one.object, target.requires, types)
    if (!isObject(representation) || typeof representation.__typename !== 'string') continue
    if (Object.keys(representation).length < 2) continue
    if (target.inputRewrites.length > 0) applyRewrites(representation, target.inputRewrites, types)
    const key = found.length === 1 ? '' : JSON.stringify(representation)
    const at = known.get(key)
    if (at === undefined) {
      known.set(key, representations.length)
      representations.push(representation)
      waiting.push([one])
    } else waiting[at]?.push(one)
  }
  return { representations, waiting }
}
