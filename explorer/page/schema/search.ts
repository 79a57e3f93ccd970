/** Finds types and fields of a schema by name. Pure. */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { rootsOf } from '../../examples/operation-for.ts'

export interface SchemaCoordinate {
  readonly type: string
  /** The field, if the place is one. */
  readonly field?: string | undefined
}

/** Such as `Video` or `Video.title`. */
export const nameOf = ({ type, field }: SchemaCoordinate): string =>
  field === undefined ? type : `${type}.${field}`

const most = 60

export const isWithFields = (type: GraphQLNamedType) =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)

/** Names that begin with the text come first, then those that contain it, in alphabetical order. */
export function searchSchema(schema: GraphQLSchema, text: string): SchemaCoordinate[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const [typeText = '', fieldText] = wanted.split('.')
  const found: { readonly place: SchemaCoordinate; readonly rank: number; readonly name: string }[] = []
  const add = (place: SchemaCoordinate): void => {
    const at = (place.field ?? place.type).toLowerCase().indexOf(fieldText ?? wanted)
    if (at >= 0) found.push({ place, rank: Math.min(at, 1), name: nameOf(place) })
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    if (fieldText === undefined) add({ type: type.name })
    else if (!type.name.toLowerCase().includes(typeText)) continue
    if (isWithFields(type)) for (const field of Object.keys(type.getFields())) add({ type: type.name, field })
  }
  return found
    .sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ place }) => place)
}

/** `kind` is such as `object` or `field`. For a root field, it is the kind of operation. */
export function describedAt(schema: GraphQLSchema, { type: name, field }: SchemaCoordinate) {
  const type = schema.getType(name)
  if (type === undefined) return { kind: '', description: undefined }
  if (field === undefined) return { kind: kindOf(type), description: type.description }
  const description = isWithFields(type) ? type.getFields()[field]?.description : undefined
  return { kind: kindOfField(schema, type), description }
}

function kindOfField(schema: GraphQLSchema, type: GraphQLNamedType): string {
  const [kind] = rootsOf(schema).find(([, root]) => root === type) ?? []
  return kind ?? (isInputObjectType(type) ? 'input field' : 'field')
}

export function kindOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'object'
  if (isInterfaceType(type)) return 'interface'
  if (isUnionType(type)) return 'union'
  if (isEnumType(type)) return 'enum'
  return isInputObjectType(type) ? 'input' : 'scalar'
}
