/**
 * Inputs of mutations: checked before any call, and converted to the JSON of the service.
 *
 * One walk over the input types of the SDL does both. It leaves out null, which the service takes for "not set". It
 * refuses what the service would refuse, with the path of the input field, and converts the few forms that differ.
 * The rules themselves are in input/input-rules.ts.
 */
import type { DocumentNode, InputObjectTypeDefinitionNode, TypeNode } from 'graphql'
import { badInput } from '../../../shared/errors.ts'
import type { Json } from '../../kit/json.ts'
import { wrongArgument } from '../../kit/wrong-argument.ts'
import { converted, fieldRules, type InputScope, typeRules } from './input-rules.ts'

export type InputTypes = ReturnType<typeof createInputTypes>

const none: ReadonlySet<string> = new Set()

/** In all functions, `omit` names keys of the input that are not content. */
export function createInputTypes(document: DocumentNode) {
  const types = new Map<string, InputObjectTypeDefinitionNode>()
  const enums = new Set<string>()
  for (const definition of document.definitions) {
    if (definition.kind === 'InputObjectTypeDefinition') types.set(definition.name.value, definition)
    if (definition.kind === 'EnumTypeDefinition') enums.add(definition.name.value)
  }

  /**
   * The fields that an input of this type sets, with their values. Null counts as not set, because typed clients of
   * several languages send it for every unset field.
   */
  function setFields(type: string, value: object, omit: ReadonlySet<string>) {
    return (types.get(type)?.fields ?? []).flatMap(({ name: { value: name }, type: fieldType }) => {
      const given: unknown = Reflect.get(value, name)
      return given === undefined || given === null || omit.has(name) ? [] : [{ name, fieldType, given }]
    })
  }

  /** The JSON of `value`, an input of this type. `at` is its path for messages. */
  function write(type: string, value: object, at: string, scope: InputScope, omit = none): Json {
    const written: Record<string, unknown> = {}
    for (const { name, fieldType, given } of setFields(type, value, omit)) {
      const path = `${at}.${name}`
      const rule = fieldRules[`${type}.${name}`] ?? fieldRules[name]
      const checked = rule === undefined ? given : rule(given, path, scope)
      written[name] = writeValue(fieldType, checked, path, scope)
    }
    typeRules[type]?.(written, at, scope)
    return written
  }

  function writeValue(type: TypeNode, value: unknown, at: string, scope: InputScope): unknown {
    if (type.kind === 'NonNullType') return writeValue(type.type, value, at, scope)
    if (type.kind === 'ListType') {
      return Array.isArray(value)
        ? value.map((item, index) => writeValue(type.type, item, `${at}[${index}]`, scope))
        : value
    }
    const name = type.name.value
    if (enums.has(name) && value === 'UNRECOGNIZED') {
      throw badInput(`\`${at}\`: \`UNRECOGNIZED\` occurs only in results; use another value.`, {
        argument: at,
      })
    }
    return types.has(name) && typeof value === 'object' && value !== null && !converted.has(name)
      ? write(name, value, at, scope)
      : value
  }

  function nestedType(type: TypeNode): string | undefined {
    const inner = type.kind === 'NonNullType' ? type.type : type
    return inner.kind === 'NamedType' && types.has(inner.name.value) ? inner.name.value : undefined
  }

  /** The dotted paths of the fields that an input of this type sets. */
  function namedPaths(type: string, value: object, omit = none): string[] {
    return setFields(type, value, omit).flatMap(({ name, fieldType, given }) => {
      const nested = nestedType(fieldType)
      // An object in which nothing is set counts as not set, because some clients send a struct without members so.
      return nested === undefined || typeof given !== 'object' || given === null
        ? [name]
        : namedPaths(nested, given).map((path) => `${name}.${path}`)
    })
  }

  function knownPaths(type: string, omit = none): string[] {
    return (types.get(type)?.fields ?? []).flatMap((field) => {
      const name = field.name.value
      if (omit.has(name)) return []
      const nested = nestedType(field.type)
      return nested === undefined ? [name] : [name, ...knownPaths(nested).map((path) => `${name}.${path}`)]
    })
  }

  return {
    write,
    namedPaths,
    /** Checks that a mask names fields of this type only. */
    checkMask(type: string, mask: readonly string[], at: string, omit = none): readonly string[] {
      const known = new Set(knownPaths(type, omit))
      const paths = mask.flatMap((entry) => entry.split(',')).map((path) => path.trim())
      const unknown = paths.filter((path) => !known.has(path))
      if (unknown.length > 0) {
        throw badInput(
          `\`${at}\` names no field of the input with ${unknown.map((path) => `\`${path}\``).join(', ')}. ` +
            `The fields are ${[...known].join(', ')}.`,
          { argument: at },
        )
      }
      return [...new Set(paths)]
    },
  }
}

/** The mask to send: the explicit one after a check, or the fields that the input sets. It is never empty. */
export function updateMaskOf(
  types: InputTypes,
  type: string,
  input: object & { readonly updateMask?: readonly string[] | null | undefined },
  omit: ReadonlySet<string>,
): readonly string[] {
  const explicit = input.updateMask ?? []
  const mask =
    explicit.length > 0
      ? types.checkMask(type, explicit, 'input.updateMask', omit)
      : types.namedPaths(type, input, omit)
  if (mask.length > 0) return mask
  throw wrongArgument(
    'input',
    'names no field to change. An empty mask would mean every field, so it is never sent.',
  )
}
