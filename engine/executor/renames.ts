/**
 * Restores response keys that the planner replaced by aliases, because one document could not select two fields with
 * the same key.
 */

import { isObject } from '../../shared/json/is-object.ts'
import { readMember, writeMember } from '../../shared/json/members.ts'
import type { Rename } from '../planner/index.ts'
import type { JsonObject } from './execution.ts'
import { merge } from './merge.ts'

export type PossibleTypes = ReadonlyMap<string, ReadonlySet<string>>

/** The object types of these types, which may be interfaces and unions. */
export function typesNamed(names: readonly string[], possibleTypes: PossibleTypes): ReadonlySet<string> {
  const types = new Set<string>()
  for (const name of names) {
    types.add(name)
    for (const type of possibleTypes.get(name) ?? []) types.add(type)
  }
  return types
}

type Change = (value: unknown) => void

/** Compiles the renames of a value in place. Undefined if there are none. */
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
    const renamed = readMember(value, alias)
    if (renamed === undefined) return
    const whole: JsonObject = {}
    writeMember(whole, to, renamed)
    delete value[alias]
    merge(value, whole, possibleTypes)
  }
  for (const key of path.slice(0, -1).reverse()) {
    const next = throughLists(change)
    change = (value) => {
      if (isObject(value)) next(readMember(value, key))
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

/** A path in the subgraph's response, with the client's response keys. */
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
