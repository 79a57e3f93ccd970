/**
 * Writes the data of a response as JSON if they match the schema. All other data are left to completion, which knows
 * errors and nulls that propagate. Both ways agree to the byte.
 *
 * The members of the response are copied from the data, with each value checked, and `JSON.stringify` writes the
 * copy. What does not depend on the data is found out once for each type at each place.
 */
import { type GraphQLLeafType, isEnumType } from 'graphql'
import { type AnyOf, anyHolds } from '../../shared/graphql/conditions.ts'
import { type ByteString, jsonText } from '../../shared/json/byte-string.ts'
import { readMember, writeMember } from '../../shared/json/members.ts'
import { RawJson } from '../../shared/json/raw.ts'
import { isTooDeep } from '../../shared/json/too-deep.ts'
import type { JsonObject } from '../executor/execution.ts'
import type { Variables } from '../operation/variables.ts'
import type { ObjectShape, ResponsePosition, ValueShape } from './shape.ts'

/** Copies a value that is not null. Undefined if it does not match its type. */
type Copy = (value: unknown, variables: Variables) => unknown

interface Member {
  readonly key: string
  readonly conditions: AnyOf
  /** The type name, if it does not depend on the data. */
  readonly typename: string | undefined
  readonly nonNull: boolean
  readonly copy: Copy
}

/** Fields of the data may be `RawJson`: a subgraph's response that the client gets unchanged. */
export function createWriter(
  root: ResponsePosition,
): (data: JsonObject, variables: Variables) => ByteString | undefined {
  const shape = root.for(root.only)
  if (shape === undefined) return nothing
  const copy = objectCopier(
    shape,
    (inner) => (value, variables) => (value instanceof RawJson ? value : inner(value, variables)),
  )
  return (data, variables) => {
    const copied = copy(data, variables)
    return copied === undefined ? undefined : jsonText(copied)
  }
}

const nothing = (): undefined => undefined

function objectCopier({ fields, concrete, type }: ObjectShape, around = (copy: Copy) => copy): Copy {
  const members = fields.map(({ key, conditions, nonNull, value }): Member => {
    const typename = value.kind === 'typename' && concrete ? type : undefined
    // No data have the result of introspection, and its absence is no null.
    const needed = nonNull || value.kind === 'introspection'
    return { key, conditions, nonNull: needed, typename, copy: around(copierOf(value)) }
  })
  return (object, variables) => {
    if (typeof object !== 'object' || Array.isArray(object)) return undefined
    const copied: Record<string, unknown> = {}
    for (const { key, conditions, typename, nonNull, copy } of members) {
      if (conditions !== undefined && !anyHolds(conditions, variables)) continue
      const value = typename ?? copyMember(copy, readMember(object as JsonObject, key), nonNull, variables)
      if (value === undefined) return undefined
      writeMember(copied, key, value)
    }
    return copied
  }
}

function copyMember(copy: Copy, value: unknown, nonNull: boolean, variables: Variables): unknown {
  if (value !== null && value !== undefined) return copy(value, variables)
  return nonNull ? undefined : null
}

function copierOf(shape: ValueShape): Copy {
  switch (shape.kind) {
    case 'leaf':
      return leafCopier(shape.type)
    case 'list':
      return listCopier(copierOf(shape.item), shape.itemNonNull)
    case 'object':
      return positionCopier(shape.position)
    case 'typename':
    case 'introspection':
      return nothing
  }
}

function listCopier(copy: Copy, nonNull: boolean): Copy {
  return (list, variables) => {
    if (!Array.isArray(list)) return undefined
    const copied: unknown[] = []
    for (const item of list) {
      const copiedItem = copyMember(copy, item, nonNull, variables)
      if (copiedItem === undefined) return undefined
      copied.push(copiedItem)
    }
    return copied
  }
}

function positionCopier(position: ResponsePosition): Copy {
  if (position.only !== undefined) {
    const shape = position.for(position.only)
    return shape === undefined ? nothing : objectCopier(shape)
  }
  const copiers = new Map<unknown, Copy>()
  return (object, variables) => {
    const type = (object as JsonObject).__typename
    let copy = copiers.get(type)
    if (copy === undefined) {
      if (type !== undefined && typeof type !== 'string') return undefined
      const shape = position.for(type)
      if (shape === undefined || shape.typeDependent.length > 0) return undefined
      copy = objectCopier(shape)
      copiers.set(type, copy)
    }
    return copy(object, variables)
  }
}

function leafCopier(type: GraphQLLeafType): Copy {
  if (isEnumType(type)) {
    const names = new Set<unknown>(type.getValues().map(({ name }) => name))
    return (value) => (names.has(value) ? value : undefined)
  }
  switch (type.name) {
    case 'String':
      return (value) => (typeof value === 'string' ? value : undefined)
    case 'ID':
      return (value) =>
        typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : undefined
    case 'Int':
      return (value) => (typeof value === 'number' && (value | 0) === value ? value : undefined)
    case 'Float':
      return (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
    case 'Boolean':
      return (value) => (typeof value === 'boolean' ? value : undefined)
    default:
      return (value) =>
        typeof value === 'function' || typeof value === 'symbol' || isTooDeep(value) ? undefined : value
  }
}
