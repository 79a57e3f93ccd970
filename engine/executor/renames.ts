/**
 * Fields that were asked for under an alias of the planner's, because two fields of one key could not stand in one
 * document: in the answer they get the key that the client knows.
 */
import type { Rename } from '../planner/index.ts'
import { isObject, type JsonObject, merge, read, write } from './merge.ts'

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

/** Changes a value in place; undefined if there is nothing to change. */
export function compileRenames(renames: readonly Rename[], possibleTypes: PossibleTypes): Change | undefined {
  if (renames.length === 0) return undefined
  const changes = renames.map((rename) => compileRename(rename, possibleTypes))
  return (value) => {
    for (const change of changes) change(value)
  }
}

function compileRename({ path, to }: Rename, possibleTypes: PossibleTypes): Change {
  const alias = path.at(-1) ?? to
  let change: Change = (value) => {
    if (!isObject(value)) return
    const renamed = read(value, alias)
    if (renamed === undefined) return
    const whole: JsonObject = {}
    write(whole, to, renamed)
    delete value[alias]
    merge(value, whole, possibleTypes)
  }
  for (const key of path.slice(0, -1).reverse()) {
    const next = throughLists(change)
    change = (value) => {
      if (isObject(value)) next(read(value, key))
    }
  }
  return throughLists(change)
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
  renames: readonly Rename[],
): (string | number)[] {
  const renamed = [...path]
  for (const rename of renames) {
    let found = 0
    for (let i = 0; i < path.length && found < rename.path.length; i++) {
      if (typeof path[i] === 'number') continue
      if (path[i] !== rename.path[found]) break
      found += 1
      if (found === rename.path.length) renamed[i] = rename.to
    }
  }
  return renamed
}
