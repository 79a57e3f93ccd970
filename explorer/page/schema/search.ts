/** Finds types and fields of a schema by name. Pure. */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'

export interface Place {
  readonly type: string
  /** A field of the type. */
  readonly field?: string
}

const most = 60

export const isWithFields = (type: GraphQLNamedType) =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)

/** Names that begin with the text first, then those that hold it; in the order of the alphabet. */
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
