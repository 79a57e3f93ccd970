/**
 * Writes the data of a response as JSON in one pass, if they match the schema. All other data are left to completion,
 * which knows errors and nulls that propagate. Both ways agree to the byte.
 *
 * What does not depend on the data is found out once for each type at each place.
 */
import { type GraphQLLeafType, isEnumType } from 'graphql'
import { type AnyOf, anyHolds } from '../../shared/graphql/conditions.ts'
import { asByteString, type ByteString, byteString, inOnePiece } from '../../shared/json/byte-string.ts'
import { read } from '../../shared/json/members.ts'
import { RawJson } from '../../shared/json/raw.ts'
import type { JsonObject } from '../executor/execution.ts'
import type { Variables } from '../operation/variables.ts'
import type { ObjectShape, ResponsePosition, ValueShape } from './shape.ts'

/** The JSON of a value that is not null. Undefined if the value does not match its type. */
type Write = (value: unknown, variables: Variables) => ByteString | undefined

interface Member {
  readonly key: string
  /** What stands before the value, if the member is the first of its object, and if it is a further one. */
  readonly first: string
  readonly further: string
  readonly conditions: AnyOf
  /** The value, if it does not depend on the data. */
  readonly constant: string | undefined
  readonly nonNull: boolean
  readonly write: Write
}

/** Fields of the data may be `RawJson`: a subgraph's response that the client gets unchanged. */
export function createWriter(root: ResponsePosition): Write {
  const shape = root.for(root.only)
  if (shape === undefined) return nothing
  const writeRoot = objectWriter(
    shape,
    (write) => (value, variables) =>
      value instanceof RawJson ? writeAnything(value, variables) : write(value, variables),
  )
  return (data, variables) => {
    const text = writeRoot(data, variables)
    return text === undefined ? undefined : inOnePiece(text)
  }
}

const nothing: Write = () => undefined

function objectWriter({ fields, concrete, type }: ObjectShape, around = (write: Write) => write): Write {
  const members = fields.map((field): Member => {
    const { key, conditions, nonNull, value } = field
    const isType = value.kind === 'typename' && concrete
    return {
      ...{ key, conditions, nonNull },
      first: `{${JSON.stringify(key)}:`,
      further: `,${JSON.stringify(key)}:`,
      constant: isType ? `"${type}"` : undefined,
      write: around(valueWriter(value)),
    }
  })
  return (object, variables) => {
    if (typeof object !== 'object' || Array.isArray(object)) return undefined
    let json = ''
    for (const { key, first, further, conditions, constant, nonNull, write } of members) {
      if (conditions !== undefined && !anyHolds(conditions, variables)) continue
      const text = constant ?? writeMember(write, read(object as JsonObject, key), nonNull, variables)
      if (text === undefined) return undefined
      json += json === '' ? first : further
      json += text
    }
    return asByteString(json === '' ? '{}' : `${json}}`)
  }
}

function writeMember(
  write: Write,
  value: unknown,
  nonNull: boolean,
  variables: Variables,
): string | undefined {
  if (value !== null && value !== undefined) return write(value, variables)
  return nonNull ? undefined : 'null'
}

function valueWriter(shape: ValueShape): Write {
  switch (shape.kind) {
    case 'leaf':
      return leafWriter(shape.type)
    case 'list':
      return listWriter(valueWriter(shape.item), shape.itemNonNull)
    case 'object':
      return positionWriter(shape.position)
    case 'typename':
    case 'introspection':
      return nothing
  }
}

/** While a list is written, its text is put into one piece each time that it has grown by this length. */
const pieceLength = 16 * 1024

function listWriter(write: Write, nonNull: boolean): Write {
  return (list, variables) => {
    if (!Array.isArray(list)) return undefined
    let json = ''
    // What is not in one piece yet.
    let latest = '['
    for (let i = 0; i < list.length; i++) {
      const text = writeMember(write, list[i], nonNull, variables)
      if (text === undefined) return undefined
      if (i > 0) latest += ','
      latest += text
      if (latest.length < pieceLength) continue
      json += inOnePiece(asByteString(latest))
      latest = ''
    }
    return asByteString(`${json}${latest}]`)
  }
}

function positionWriter(position: ResponsePosition): Write {
  if (position.only !== undefined) {
    const shape = position.for(position.only)
    return shape === undefined ? nothing : objectWriter(shape)
  }
  const writers = new Map<unknown, Write>()
  return (object, variables) => {
    const type = (object as JsonObject).__typename
    let write = writers.get(type)
    if (write === undefined) {
      if (type !== undefined && typeof type !== 'string') return undefined
      const shape = position.for(type)
      if (shape === undefined || shape.typeDependent.length > 0) return undefined
      write = objectWriter(shape)
      writers.set(type, write)
    }
    return write(object, variables)
  }
}

function leafWriter(type: GraphQLLeafType): Write {
  if (isEnumType(type)) {
    const texts = new Map<unknown, ByteString>(
      type.getValues().map(({ name }) => [name, asByteString(`"${name}"`)]),
    )
    return (value) => texts.get(value)
  }
  switch (type.name) {
    case 'String':
      return writeText
    case 'ID':
      return (value, variables) =>
        Number.isSafeInteger(value) ? asByteString(`"${value}"`) : writeText(value, variables)
    case 'Int':
      return (value) =>
        typeof value === 'number' && (value | 0) === value ? asByteString(String(value)) : undefined
    case 'Float':
      return (value) =>
        typeof value === 'number' && Number.isFinite(value) ? asByteString(String(value)) : undefined
    case 'Boolean':
      return (value) => (typeof value === 'boolean' ? asByteString(String(value)) : undefined)
    default:
      return writeAnything
  }
}

/**
 * Characters that JSON escapes, or that take more than one byte in UTF-8. A string without any is written
 * unchanged.
 */
const special = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/

const writeText: Write = (value) => {
  if (typeof value !== 'string') return undefined
  return special.test(value) ? byteString(JSON.stringify(value)) : asByteString(`"${value}"`)
}

const writeAnything: Write = (value, variables) => {
  if (typeof value === 'string') return writeText(value, variables)
  const short = value instanceof RawJson ? value.shortText : undefined
  if (short !== undefined) return short
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : byteString(text)
}
