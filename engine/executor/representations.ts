/**
 * Builds representations for `_entities`, equal ones once, so that a subgraph looks each up once. An object that lacks
 * a required field, because an earlier fetch failed, has no representation. Neither has one with a required value of
 * more levels than can be written.
 */

import { isObject } from '../../shared/json/is-object.ts'
import { readMember, writeMember } from '../../shared/json/members.ts'
import { isTooDeep } from '../../shared/json/too-deep.ts'
import type { Representation, RequiredField } from '../planner/index.ts'
import type { JsonObject } from './execution.ts'

/** Copies fields of `object` to `into`. Returns false if one is missing, or cannot be written. */
type CopyFields = (object: JsonObject, into: JsonObject) => boolean

/** Whether a value cannot be written. */
type IsRefused = (value: unknown) => boolean

const missing = Symbol('missing')

function compileRepresentation(
  representations: readonly Representation[],
  isRefused: IsRefused,
): (object: JsonObject) => JsonObject | undefined {
  const compiled = representations.map(({ types, typename, fields }) => ({
    types: types === undefined ? undefined : new Set(types),
    typename,
    copyFields: compileFields(fields, isRefused),
  }))
  return (object) => {
    let representation: JsonObject | undefined
    for (const { types, typename, copyFields } of compiled) {
      const type = object.__typename
      if (types !== undefined && !types.has(type as string)) continue
      const sent = typename ?? type
      if (typeof sent !== 'string') return undefined
      representation ??= { __typename: sent }
      if (!copyFields(object, representation)) return undefined
    }
    return representation
  }
}

function compileFields(fields: readonly RequiredField[], isRefused: IsRefused): CopyFields {
  const copiers = fields.map((field) => {
    const copyFields = compileField(field, isRefused)
    if (field.types === undefined) return copyFields
    const types = new Set(field.types)
    return (object: JsonObject, into: JsonObject) =>
      !types.has(object.__typename as string) || copyFields(object, into)
  })
  const [only] = copiers
  if (copiers.length === 1 && only !== undefined) return only
  return (object, into) => {
    for (const copyFields of copiers) if (!copyFields(object, into)) return false
    return true
  }
}

function compileField({ key, name, fields }: RequiredField, isRefused: IsRefused): CopyFields {
  if (fields === undefined) {
    if (key in Object.prototype || name === '__proto__') {
      return (object, into) => {
        const value = readMember(object, key)
        if (value === undefined || isRefused(value)) return false
        writeMember(into, name, value)
        return true
      }
    }
    return (object, into) => {
      const value = object[key]
      if (value === undefined || isRefused(value)) return false
      into[name] = value
      return true
    }
  }
  const project = projection(fields, isRefused)
  return (object, into) => {
    const value = project(readMember(object, key))
    if (value === missing) return false
    // Two selections can select different fields below one field.
    const present = readMember(into, name)
    writeMember(into, name, isObject(present) && isObject(value) ? { ...present, ...value } : value)
    return true
  }
}

/** Copies the selected fields of a value, through lists. `missing` if one of them is. */
function projection(fields: readonly RequiredField[], isRefused: IsRefused): (value: unknown) => unknown {
  const copyFields = compileFields(fields, isRefused)
  const project = (value: unknown): unknown => {
    if (value === undefined) return missing
    if (value === null) return null
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value) {
        const projected = project(item)
        if (projected === missing) return missing
        items.push(projected)
      }
      return items
    }
    if (!isObject(value)) return missing
    const object: JsonObject = {}
    return copyFields(value, object) ? object : missing
  }
  return project
}

/** Reads the value of the innermost field. Undefined if there is none. */
export function compileValue(fields: readonly RequiredField[]): (object: JsonObject) => unknown {
  const readers = fields.map(({ key, types, fields: below }) => {
    const inside = below === undefined ? undefined : compileValue(below)
    const on = types === undefined ? undefined : new Set(types)
    return (object: JsonObject): unknown => {
      if (on !== undefined && !on.has(object.__typename as string)) return undefined
      const value = readMember(object, key)
      if (inside !== undefined && isObject(value)) return inside(value)
      return isTooDeep(value) ? undefined : value
    }
  })
  return (object) => {
    for (const reader of readers) {
      const value = reader(object)
      if (value !== undefined) return value
    }
    return undefined
  }
}

/**
 * Reads the string that identifies the representations, if all have one type and one field, which is usually an id.
 * Otherwise undefined. This avoids serializing and hashing every representation.
 */
function compileOnlyText(
  representations: readonly Representation[],
): ((representation: JsonObject) => string | undefined) | undefined {
  const [only, ...others] = representations
  const [field, ...more] = only?.fields ?? []
  if (only === undefined || field === undefined || others.length + more.length > 0) return undefined
  if (only.typename === undefined && only.types?.length !== 1) return undefined
  return (representation) => {
    const value = readMember(representation, field.name)
    return typeof value === 'string' ? value : undefined
  }
}

/** A key that is equal for equal representations. */
function representationKey(representation: JsonObject): string {
  let key = ''
  for (const name of Object.keys(representation)) {
    const value = representation[name]
    key += typeof value === 'string' ? `${value.length}:${value}` : `${JSON.stringify(value)};`
  }
  return key
}

export interface Distinct {
  readonly objects: readonly JsonObject[]
  readonly representations: JsonObject[]
  /** The index of each object's representation. -1 if it has none. */
  readonly indices: number[]
  /** Objects that have none because a value has too many levels. */
  readonly tooDeep: readonly JsonObject[]
}

export function compileDistinct(by: readonly Representation[]): (objects: readonly JsonObject[]) => Distinct {
  /** Whether the last object has no representation because a value has too many levels. */
  let wasTooDeep = false
  const represent = compileRepresentation(by, (value) => {
    if (isTooDeep(value)) wasTooDeep = true
    return wasTooDeep
  })
  const onlyText = compileOnlyText(by)
  return (objects) => {
    wasTooDeep = false
    if (objects.length === 1) {
      const only = represent(objects[0] as JsonObject)
      return only === undefined
        ? { objects, representations: [], indices: [-1], tooDeep: wasTooDeep ? objects : [] }
        : { objects, representations: [only], indices: [0], tooDeep: [] }
    }
    const tooDeep: JsonObject[] = []
    const representations: JsonObject[] = []
    const indices: number[] = []
    const byText = new Map<string, number>()
    const byKey = new Map<string, number>()
    for (const object of objects) {
      const representation = represent(object)
      if (representation === undefined) {
        indices.push(-1)
        if (wasTooDeep) tooDeep.push(object)
        wasTooDeep = false
        continue
      }
      const text = onlyText?.(representation)
      const known = text === undefined ? byKey : byText
      const key = text ?? representationKey(representation)
      let index = known.get(key)
      if (index === undefined) {
        index = representations.push(representation) - 1
        known.set(key, index)
      }
      indices.push(index)
    }
    return { objects, representations, indices, tooDeep }
  }
}
