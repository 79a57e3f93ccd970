/**
 * Builds what `_entities` is asked with: the part of an object that names it and that the subgraph needs of it.
 * An object of which something is missing (an earlier fetch failed) has no representation: a subgraph is not
 * asked with half of what it requires.
 */
import type { RequiredSelection } from '../plan.ts'
import { isObject, type JsonObject, read, write } from './merge.ts'
import { type PossibleTypes, typesNamed } from './rewrite.ts'

type Variables = Readonly<Record<string, unknown>>

/** Copies its part of `object`; false where something is missing. */
type Part = (object: JsonObject, into: JsonObject, variables: Variables) => boolean

const missing = Symbol('missing')

export type Represent = (object: JsonObject, variables: Variables) => JsonObject | undefined

export function compileRepresentation(
  requires: readonly RequiredSelection[],
  possibleTypes: PossibleTypes,
): Represent {
  const part = compileSelections(requires, possibleTypes)
  return (object, variables) => {
    const representation: JsonObject = {}
    if (!part(object, representation, variables)) return undefined
    return typeof representation.__typename === 'string' ? representation : undefined
  }
}

function compileSelections(selections: readonly RequiredSelection[], possibleTypes: PossibleTypes): Part {
  const parts = selections.map((selection) =>
    selection.kind === 'field'
      ? compileField(selection, possibleTypes)
      : compileFragment(selection, possibleTypes),
  )
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  return (object, into, variables) => {
    for (const part of parts) if (!part(object, into, variables)) return false
    return true
  }
}

function compileFragment(
  { type, skipIf, includeIf, selections }: Extract<RequiredSelection, { kind: 'fragment' }>,
  possibleTypes: PossibleTypes,
): Part {
  const types = typesNamed([type], possibleTypes)
  const part = compileSelections(selections, possibleTypes)
  return (object, into, variables) => {
    if (!types.has(object.__typename as string)) return true
    if (skipIf !== undefined && variables[skipIf] === true) return true
    if (includeIf !== undefined && variables[includeIf] !== true) return true
    return part(object, into, variables)
  }
}

function compileField(
  { key, name, selections }: Extract<RequiredSelection, { kind: 'field' }>,
  possibleTypes: PossibleTypes,
): Part {
  if (selections === undefined) {
    if (key in Object.prototype || name === '__proto__') {
      return (object, into) => {
        const value = read(object, key)
        if (value === undefined) return false
        write(into, name, value)
        return true
      }
    }
    return (object, into) => {
      const value = object[key]
      if (value === undefined) return false
      into[name] = value
      return true
    }
  }
  const part = compileSelections(selections, possibleTypes)
  const project = (value: unknown, variables: Variables): unknown => {
    if (value === undefined) return missing
    if (value === null) return null
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value) {
        const projected = project(item, variables)
        if (projected === missing) return missing
        items.push(projected)
      }
      return items
    }
    if (!isObject(value)) return missing
    const object: JsonObject = {}
    return part(value, object, variables) ? object : missing
  }
  return (object, into, variables) => {
    const value = project(read(object, key), variables)
    if (value === missing) return false
    // Two selections can name different parts of one field.
    const present = read(into, name)
    write(into, name, isObject(present) && isObject(value) ? { ...present, ...value } : value)
    return true
  }
}

/** Equal for equal representations. */
export function representationKey(representation: JsonObject): string {
  let key = ''
  for (const name of Object.keys(representation)) {
    const value = representation[name]
    key += typeof value === 'string' ? `${value.length}:${value}` : `${JSON.stringify(value)};`
  }
  return key
}
