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
import { read, write } from '../../shared/json/members.ts'
import { RawJson } from '../../shared/json/raw.ts'
import type { JsonObject } from '../executor/execution.ts'
import type { Variables } from '../operation/variables.ts'
import type { ObjectShape, ResponsePosition, ValueShape } from './shape.ts'

/** Returns a value that is not null as the response has it. Undefined if the value does not match its type. */
type Show = (value: unknown, variables: Variables) => unknown

interface Member {
  readonly key: string
  readonly conditions: AnyOf
  /** The type name, if it does not depend on the data. */
  readonly typename: string | undefined
  readonly nonNull: boolean
  readonly show: Show
}

/** Fields of the data may be `RawJson`: a subgraph's response that the client gets unchanged. */
export function createWriter(
  root: ResponsePosition,
): (data: JsonObject, variables: Variables) => ByteString | undefined {
  const shape = root.for(root.only)
  if (shape === undefined) return nothing
  const show = objectShower(
    shape,
    (showMember) => (value, variables) => (value instanceof RawJson ? value : showMember(value, variables)),
  )
  return (data, variables) => {
    const shown = show(data, variables)
    return shown === undefined ? undefined : jsonText(shown)
  }
}

const nothing = (): undefined => undefined

function objectShower({ fields, concrete, type }: ObjectShape, around = (show: Show) => show): Show {
  const members = fields.map(({ key, conditions, nonNull, value }): Member => {
    const typename = value.kind === 'typename' && concrete ? type : undefined
    return { key, conditions, nonNull, typename, show: around(shower(value)) }
  })
  return (object, variables) => {
    if (typeof object !== 'object' || Array.isArray(object)) return undefined
    const shown: Record<string, unknown> = {}
    for (let i = 0; i < members.length; i++) {
      const { key, conditions, typename, nonNull, show } = members[i] as Member
      if (conditions !== undefined && !anyHolds(conditions, variables)) continue
      const value = typename ?? showMember(show, read(object as JsonObject, key), nonNull, variables)
      if (value === undefined) return undefined
      write(shown, key, value)
    }
    return shown
  }
}

function showMember(show: Show, value: unknown, nonNull: boolean, variables: Variables): unknown {
  if (value !== null && value !== undefined) return show(value, variables)
  return nonNull ? undefined : null
}

function shower(shape: ValueShape): Show {
  switch (shape.kind) {
    case 'leaf':
      return leafShower(shape.type)
    case 'list':
      return listShower(shower(shape.item), shape.itemNonNull)
    case 'object':
      return positionShower(shape.position)
    case 'typename':
    case 'introspection':
      return nothing
  }
}

function listShower(show: Show, nonNull: boolean): Show {
  return (list, variables) => {
    if (!Array.isArray(list)) return undefined
    const shown: unknown[] = []
    for (let i = 0; i < list.length; i++) {
      const item = showMember(show, list[i], nonNull, variables)
      if (item === undefined) return undefined
      shown.push(item)
    }
    return shown
  }
}

function positionShower(position: ResponsePosition): Show {
  if (position.only !== undefined) {
    const shape = position.for(position.only)
    return shape === undefined ? nothing : objectShower(shape)
  }
  const showers = new Map<unknown, Show>()
  return (object, variables) => {
    const type = (object as JsonObject).__typename
    let show = showers.get(type)
    if (show === undefined) {
      if (type !== undefined && typeof type !== 'string') return undefined
      const shape = position.for(type)
      if (shape === undefined || shape.typeDependent.length > 0) return undefined
      show = objectShower(shape)
      showers.set(type, show)
    }
    return show(object, variables)
  }
}

const showText: Show = (value) => (typeof value === 'string' ? value : undefined)

function leafShower(type: GraphQLLeafType): Show {
  if (isEnumType(type)) {
    const names = new Set<unknown>(type.getValues().map(({ name }) => name))
    return (value) => (names.has(value) ? value : undefined)
  }
  switch (type.name) {
    case 'String':
      return showText
    case 'ID':
      return (value) => (Number.isSafeInteger(value) ? String(value) : showText(value, {}))
    case 'Int':
      return (value) => (typeof value === 'number' && (value | 0) === value ? value : undefined)
    case 'Float':
      return (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
    case 'Boolean':
      return (value) => (typeof value === 'boolean' ? value : undefined)
    default:
      return (value) => (typeof value === 'function' || typeof value === 'symbol' ? undefined : value)
  }
}
