/**
 * Leaf values as the API schema promises them. What a subgraph sends is checked like the result of a resolver:
 * a value that its scalar or enum cannot hold (an enum value that clients must not see, a text for a number)
 * is no value.
 */
import { GraphQLID, type GraphQLLeafType, GraphQLString, isEnumType, isSpecifiedScalarType } from 'graphql'

/** The value, or undefined if the type does not have it. */
export function leafValue(type: GraphQLLeafType, value: unknown): unknown {
  // Most are texts, which stay as they are.
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
