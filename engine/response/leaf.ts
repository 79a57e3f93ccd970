/**
 * Checks leaf values of subgraphs against the API schema, like the result of a resolver. A value that the scalar or
 * enum does not have, such as a hidden enum value or a string for a number, is rejected.
 */
import { GraphQLID, type GraphQLLeafType, GraphQLString, isEnumType, isSpecifiedScalarType } from 'graphql'

/** The value. Undefined if the type does not have it. */
export function leafValue(type: GraphQLLeafType, value: unknown): unknown {
  // Most values are strings, which remain unchanged.
  if (typeof value === 'string' && (type === GraphQLString || type === GraphQLID)) return value
  if (isEnumType(type)) {
    return typeof value === 'string' && type.getValue(value) != null ? value : undefined
  }
  if (!isSpecifiedScalarType(type)) return value
  try {
    return type.serialize(value)
  } catch {
    return undefined
  }
}
