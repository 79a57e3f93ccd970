/**
 * Reads the service's JSON through the SDL. The service writes proto3 JSON, which leaves out every field
 * that has its default value (`false`, `0`, an empty list, an enum's zero) and may send enum values that
 * this graph does not know yet.
 *
 * For each field of an object type there is one reader that fills the default back in by the field's type,
 * so the JSON itself stays the model and nothing is converted that nobody selected.
 */
import type { DocumentNode, TypeNode } from 'graphql'
import { tesseraError } from '../lib/errors.ts'

/** A JSON object of the service. */
export type Json = Readonly<Record<string, unknown>>

export type Reader = (json: Json) => unknown

/** Readers by type and field. */
export type Readers = ReadonlyMap<string, ReadonlyMap<string, Reader>>

interface Kinds {
  /** The values of each enum; the first is its zero. */
  readonly enums: ReadonlyMap<string, readonly string[]>
}

export function readersOf(document: DocumentNode): Readers {
  const enums = new Map<string, readonly string[]>()
  for (const definition of document.definitions) {
    if (definition.kind === 'EnumTypeDefinition') {
      enums.set(
        definition.name.value,
        (definition.values ?? []).map((value) => value.name.value),
      )
    }
  }
  const readers = new Map<string, Map<string, Reader>>()
  for (const definition of document.definitions) {
    if (definition.kind !== 'ObjectTypeDefinition') continue
    const fields = new Map<string, Reader>()
    for (const field of definition.fields ?? []) {
      const name = field.name.value
      const convert = conversionOf(field.type, { enums })
      fields.set(name, (json) => convert(json[name]))
    }
    readers.set(definition.name.value, fields)
  }
  return readers
}

type Conversion = (value: unknown) => unknown

function conversionOf(type: TypeNode, kinds: Kinds): Conversion {
  if (type.kind === 'ListType') {
    const item = conversionOf(type.type, kinds)
    return (value) => (Array.isArray(value) ? value.map(item) : [])
  }
  const required = type.kind === 'NonNullType'
  const inner = type.kind === 'NonNullType' ? type.type : type
  if (inner.kind === 'ListType') return conversionOf(inner, kinds)
  const name = inner.name.value
  const values = kinds.enums.get(name)
  if (values !== undefined) {
    const [zero] = values
    const known = new Set(values)
    return (value) => {
      if (value === undefined || value === null || value === 0) return zero
      return typeof value === 'string' && known.has(value) ? value : 'UNRECOGNIZED'
    }
  }
  switch (name) {
    case 'Boolean':
      return (value) => value === true
    case 'Int':
    case 'Float':
      return numberFrom
    case 'String':
    case 'ID':
      // To proto3 an empty text and none are the same.
      return (value) =>
        value === undefined || value === null || value === '' ? (required ? '' : null) : value
    default:
      return (value) => value ?? null
  }
}

function numberFrom(value: unknown): number {
  if (value === undefined || value === null) return 0
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw tesseraError('UPSTREAM_BAD_RESPONSE', 'The agents service sent something else than a number.', {
    service: 'agents',
  })
}
