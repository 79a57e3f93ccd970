/** A plugin of GraphQL Code Generator: the types behind each interface and union, as Apollo's cache expects them. */
import { type GraphQLSchema, isAbstractType } from 'graphql'

export function plugin(schema: GraphQLSchema): string {
  const possibleTypes: Record<string, string[]> = {}
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !isAbstractType(type)) continue
    possibleTypes[type.name] = schema.getPossibleTypes(type).map(({ name }) => name)
  }
  return `export const possibleTypes: Record<string, string[]> = ${JSON.stringify(possibleTypes, null, 2)}\n`
}
