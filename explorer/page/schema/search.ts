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

export interface Place {
  readonly type: string
  /** The field, if the place is one. */
  readonly field?: string
}

const most = 60

/** The types of queries, mutations and subscriptions, as far as the schema has them. */
export const rootsOf = (schema: GraphQLSchema) =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => type !== null && type !== undefined,
  )

export const isWithFields = (type: GraphQLNamedType) =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)

/** Names that begin with the text come first, then those that contain it, in alphabetical order. */
export function searchSchema(schema: GraphQLSchema, text: string): Place[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const [typeText = '', fieldText] = wanted.split('.')
  const found: { readonly place: Place; readonly rank: number; readonly name: string }[] = []
  const rank = (name: string): number | undefined => {
    const at = name.toLowerCase().indexOf(fieldText ?? wanted)
    return at < 0 ? undefined : Math.min(at, 1)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    const ofType = fieldText === undefined ? rank(type.name) : undefined
    if (ofType !== undefined) found.push({ place: { type: type.name }, rank: ofType, name: type.name })
    if (!isWithFields(type)) continue
    if (fieldText !== undefined && !type.name.toLowerCase().includes(typeText)) continue
    for (const field of Object.keys(type.getFields())) {
      const ofField = rank(field)
      if (ofField !== undefined)
        found.push({ place: { type: type.name, field }, rank: ofField, name: `${type.name}.${field}` })
    }
  }
  return found
    .sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ place }) => place)
}

export interface Described {
  /** Such as `object` or `field`. For a root field, it is the kind of operation. */
  readonly kind: string
  readonly description: string | null | undefined
}

export function describedAt(schema: GraphQLSchema, { type: name, field }: Place): Described {
  const type = schema.getType(name)
  if (type === undefined) return { kind: '', description: undefined }
  if (field === undefined) return { kind: kindOf(type), description: type.description }
  const description = isWithFields(type) ? type.getFields()[field]?.description : undefined
  return { kind: kindOfField(schema, type), description }
}

function kindOfField(schema: GraphQLSchema, type: GraphQLNamedType): string {
  if (type === schema.getQueryType()) return 'query'
  if (type === schema.getMutationType()) return 'mutation'
  if (type === schema.getSubscriptionType()) return 'subscription'
  return isInputObjectType(type) ? 'input field' : 'field'
}

export function kindOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'object'
  if (isInterfaceType(type)) return 'interface'
  if (isUnionType(type)) return 'union'
  if (isEnumType(type)) return 'enum'
  return isInputObjectType(type) ? 'input' : 'scalar'
}
