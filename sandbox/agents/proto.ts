/**
 * The JSON form of protocol buffers, and update masks. Reading is strict: unknown fields, wrong types and a second
 * field of a `oneof` are refused. Field names may be in camelCase or snake_case. Printing leaves out default
 * values.
 */
import { invalidArgument } from './errors.ts'
import { enumDefinitions, messageDefinitions } from './types.ts'

export type Json = { readonly [key: string]: unknown }

/** None if the field is not set. */
export function messagesIn(field: unknown): Json[] {
  return (field ?? []) as Json[]
}

export function stringsIn(field: unknown): string[] {
  return (field ?? []) as string[]
}

interface Field {
  readonly name: string
  readonly type: string
  readonly repeated: boolean
  readonly oneof: string | undefined
}

const messages: ReadonlyMap<string, ReadonlyMap<string, Field>> = new Map(
  linesOf(messageDefinitions).map(([type, text]) => {
    const fields = text
      .split(',')
      .map((field) => field.trim().split(/\s+/))
      .filter(([name]) => name !== '')
      .map(([name = '', written = '', oneof]): [string, Field] => [
        name,
        {
          name,
          type: written.replace('[]', ''),
          repeated: written.endsWith('[]'),
          oneof: oneof?.slice(1),
        },
      ])
    return [type, new Map(fields)]
  }),
)
const enums: ReadonlyMap<string, readonly string[]> = new Map(
  linesOf(enumDefinitions).map(([type, text]) => [type, text.trim().split(/\s+/)]),
)

export function enumValuesOf(type: string): readonly string[] {
  return enums.get(type) ?? []
}

function linesOf(definitions: string): [type: string, rest: string][] {
  return definitions
    .trim()
    .split('\n')
    .map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1)]
    })
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function fieldOf(type: string, name: string): Field | undefined {
  return messages.get(type)?.get(camelCase(name))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a message. The result has names in camelCase and no absent fields. `at` is its path for error messages. */
export function readMessage(type: string, value: unknown, at = ''): Json {
  const where = at === '' ? '' : ` at '${at}'`
  if (!isObject(value))
    throw invalidArgument(`Invalid JSON payload received. Expected an object${where}.`, at)
  const result: Record<string, unknown> = {}
  const setOneofs = new Map<string, string>()
  for (const [name, content] of Object.entries(value)) {
    const field = fieldOf(type, name)
    const place = at === '' ? name : `${at}.${name}`
    if (field === undefined) {
      throw invalidArgument(
        `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`,
        at,
      )
    }
    // In the JSON form, null means for every type that a field is not set.
    if (content === null) continue
    if (Object.hasOwn(result, field.name)) throw invalidArgument(`Field '${place}' is given twice.`, place)
    if (field.oneof !== undefined) {
      const other = setOneofs.get(field.oneof)
      if (other !== undefined) {
        throw invalidArgument(
          `Invalid value at '${place}' (oneof), oneof field '${field.oneof}' is already set. Cannot set '${name}'`,
          place,
        )
      }
      setOneofs.set(field.oneof, name)
    }
    result[field.name] = readField(field, content, place)
  }
  return result
}

function readField(field: Field, value: unknown, at: string): unknown {
  if (!field.repeated) return readValue(field.type, value, at)
  if (!Array.isArray(value)) throw wrong(at, 'a list', value)
  return value.map((item, index) => readValue(field.type, item, `${at}[${index}]`))
}

function wrong(at: string, wanted: string, value: unknown): Error {
  return invalidArgument(`Invalid value at '${at}' (${wanted}), ${JSON.stringify(value)}`, at)
}

function readValue(type: string, value: unknown, at: string): unknown {
  switch (type) {
    case 'string':
      if (typeof value !== 'string') throw wrong(at, 'TYPE_STRING', value)
      return value
    case 'bool':
      if (typeof value !== 'boolean') throw wrong(at, 'TYPE_BOOL', value)
      return value
    case 'int32': {
      const number = typeof value === 'string' && /^-?[0-9]+$/.test(value) ? Number(value) : value
      if (typeof number !== 'number' || (number | 0) !== number) throw wrong(at, 'TYPE_INT32', value)
      return number
    }
    case 'float': {
      if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return value
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      if (typeof number !== 'number' || !Number.isFinite(number)) throw wrong(at, 'TYPE_FLOAT', value)
      return number
    }
    case 'bytes': {
      const text = typeof value === 'string' ? value.replaceAll('-', '+').replaceAll('_', '/') : '!'
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw wrong(at, 'TYPE_BYTES', 'Base64 decoding failed')
      return Buffer.from(text, 'base64').toString('base64')
    }
    case 'duration':
      if (typeof value !== 'string' || !/^-?[0-9]+(\.[0-9]{1,9})?s$/.test(value)) {
        throw wrong(at, 'type.googleapis.com/google.protobuf.Duration', value)
      }
      return value
    case 'struct':
      if (!isObject(value)) throw wrong(at, 'type.googleapis.com/google.protobuf.Struct', value)
      return value
    case 'map':
      if (!isObject(value) || Object.values(value).some((text) => typeof text !== 'string')) {
        throw wrong(at, 'a map of strings', value)
      }
      return value
    default:
  }
  const names = enums.get(type)
  if (names === undefined) return readMessage(type, value, at)
  if (typeof value === 'number' && Number.isInteger(value)) return names[value] ?? value
  if (typeof value === 'string' && names.includes(value)) return value
  throw wrong(at, `type.googleapis.com/google.cloud.dialogflow.v2beta1.${type}`, value)
}

/** Prints a message for a response, without fields that have their default value at any depth. */
export function printMessage(type: string, message: Json): Json {
  const result: Record<string, unknown> = {}
  for (const field of messages.get(type)?.values() ?? []) {
    const value = message[field.name]
    if (value === undefined) continue
    const isMessage = messages.has(field.type)
    if (field.repeated) {
      const items = value as readonly unknown[]
      if (items.length === 0) continue
      result[field.name] = isMessage ? items.map((item) => printMessage(field.type, item as Json)) : items
    } else if (isMessage) result[field.name] = printMessage(field.type, value as Json)
    // A field of a `oneof` is printed even with its default value, because it says which one is set.
    else if (field.oneof !== undefined || !isDefault(field.type, value)) result[field.name] = value
  }
  return result
}

function isDefault(type: string, value: unknown): boolean {
  return value === '' || value === 0 || value === false || value === enums.get(type)?.[0]
}

/** The paths of a mask, checked against the type. An empty mask has none and means all fields. */
export function pathsFrom(type: string, mask: string): string[][] {
  return mask
    .split(',')
    .filter((path) => path.trim() !== '')
    .map((path) => {
      const names: string[] = []
      let current: string | undefined = type
      for (const segment of path.trim().split('.')) {
        const field: Field | undefined = current === undefined ? undefined : fieldOf(current, segment)
        if (field === undefined) {
          throw invalidArgument(`Invalid field mask: unknown field '${path}' of ${type}.`, 'update_mask')
        }
        names.push(field.name)
        current = field.repeated || !messages.has(field.type) ? undefined : field.type
      }
      return names
    })
}

/** `stored` with the values of `given` at the paths. A path that `given` lacks is cleared. */
export function applyMask(stored: Json, given: Json, paths: readonly (readonly string[])[]): Json {
  let result = stored
  for (const path of paths) result = withPath(result, given, path)
  return result
}

function withPath(stored: Json, given: Json | undefined, [name = '', ...rest]: readonly string[]): Json {
  const { [name]: before, ...others } = stored
  const value = given?.[name]
  if (rest.length === 0) return value === undefined ? others : { ...others, [name]: value }
  const nested = withPath(isObject(before) ? before : {}, isObject(value) ? value : undefined, rest)
  return { ...others, [name]: nested }
}
