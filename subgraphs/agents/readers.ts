/**
 * Reads the service's JSON through the SDL. The service writes proto3 JSON, which leaves out every field that has
 * its default value (`false`, `0`, an empty list, an enum's zero). It may send enum values that this graph does not
 * know yet.
 *
 * Each field of an object type has one reader, which fills in the default of the field's type. So the JSON itself
 * stays the model, and only selected fields are converted.
 */
import type { DocumentNode, TypeNode } from 'graphql'
import { ExactNumber } from '../../shared/json/exact-number.ts'
import { type Json, malformed } from '../kit/json.ts'
import { type ReadableField, type Readers, readersOf } from '../kit/readers.ts'

export function jsonReaders(document: DocumentNode): Readers<Json> {
  return readersOf<Json>(document, ({ name, type, enums }) => {
    const convert = conversionOf(type, enums)
    return (json) => convert(json[name])
  })
}

type Enums = ReadableField['enums']

type Conversion = (value: unknown) => unknown

function conversionOf(type: TypeNode, enums: Enums): Conversion {
  if (type.kind === 'ListType') {
    const item = conversionOf(type.type, enums)
    return (value) => {
      if (value === undefined || value === null) return []
      if (!Array.isArray(value)) throw malformedValue('a list')
      return value.map((one) => {
        if (one === null) throw malformedValue('an item of a list')
        return item(one)
      })
    }
  }
  const required = type.kind === 'NonNullType'
  const inner = type.kind === 'NonNullType' ? type.type : type
  if (inner.kind === 'ListType') return conversionOf(inner, enums)
  const name = inner.name.value
  const values = enums.get(name)
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
      return (value) => {
        if (value === undefined || value === null) return false
        if (typeof value !== 'boolean') throw malformedValue('a boolean')
        return value
      }
    case 'Int':
      return int32From
    case 'Float':
      return (value) => (notFinite.has(value) ? null : numberFrom(value))
    case 'String':
    case 'ID':
      // In proto3 an empty string and a missing one are the same.
      return (value) =>
        value === undefined || value === null || value === '' ? (required ? '' : null) : value
    default:
      return (value) => value ?? null
  }
}

/** Values of proto3's floats that JSON numbers and GraphQL's do not have. */
const notFinite: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity'])

function numberFrom(value: unknown): number {
  if (value === undefined || value === null) return 0
  const number = typeof value === 'string' || value instanceof ExactNumber ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw malformedValue('a number')
}

function int32From(value: unknown): number {
  const number = numberFrom(value)
  if ((number | 0) === number) return number
  throw malformedValue('a whole number of 32 bits')
}

function malformedValue(expected: string): Error {
  return malformed('agents', `The agents service sent something other than ${expected}.`)
}
