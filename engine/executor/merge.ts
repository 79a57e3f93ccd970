/** Merges objects of subgraphs. */
import { isPlain } from '../../shared/json/is-object.ts'
import { readMember, writeMember } from '../../shared/json/members.ts'
import { mostLevels } from '../../shared/json/revive.ts'

type JsonObject = Record<string, unknown>

/**
 * Merges `source` into `target`, object by object and item by item. A null never replaces a value, and the name of an
 * interface never replaces that of an object type: a subgraph that knows only the interface returns its name.
 * `target` shares the objects of `source`, unless `take` copies them.
 */
export function merge(
  target: JsonObject,
  source: JsonObject,
  abstractTypes: ReadonlyMap<string, unknown>,
  take: <T>(value: T) => T = itself,
): void {
  for (const key of Object.keys(source)) {
    const given = source[key]
    if (given === undefined) continue
    const present = readMember(target, key)
    const value = typeof given === 'object' ? take(given) : given
    if (present == null) writeMember(target, key, value)
    else if (value === null) continue
    else if (typeof value === 'object' && typeof present === 'object') {
      const merged = mergeValues(present, value, abstractTypes)
      if (merged !== present) writeMember(target, key, merged)
    } else if (key !== '__typename' || !abstractTypes.has(value as string)) writeMember(target, key, value)
  }
}

const itself = <T>(value: T): T => value

function mergeValues(present: object, value: object, abstractTypes: ReadonlyMap<string, unknown>): object {
  if (Array.isArray(present)) {
    if (!Array.isArray(value)) return value
    for (let i = 0; i < value.length; i++) {
      const here: unknown = present[i]
      const there: unknown = value[i]
      if (here == null) present[i] = there ?? null
      else if (there == null) continue
      else if (typeof here === 'object' && typeof there === 'object')
        present[i] = mergeValues(here, there, abstractTypes)
      else present[i] = there
    }
    return present
  }
  if (Array.isArray(value) || !isPlain(present) || !isPlain(value)) return value
  merge(present as JsonObject, value as JsonObject, abstractTypes)
  return present
}

/**
 * A copy that shares no object and no list with the value. Those below the levels that readers accept lose their members, as
 * in `parseRevived`.
 */
export function copy<T>(value: T, levels = mostLevels): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (levels === 0 ? [] : value.map((item) => copy(item, levels - 1))) as T
  if (!isPlain(value)) return value
  const object: JsonObject = {}
  if (levels === 0) return object as T
  for (const key of Object.keys(value)) writeMember(object, key, copy((value as JsonObject)[key], levels - 1))
  return object as T
}
