/**
 * Checks leaf values of subgraphs against the API schema, like the result of a resolver. A value that the scalar or
 * enum does not have, such as a hidden enum value or a string for a number, is rejected.
 */
import { GraphQLID, type GraphQLLeafType, GraphQLString, isEnumType, isSpecifiedScalarType } from 'graphql'
import { isPlain } from '../../shared/json/is-object.ts'
import { isTooDeep } from '../../shared/json/too-deep.ts'

/** The value. Undefined if the type does not have it. */
export function leafValue(type: GraphQLLeafType, value: unknown): unknown {
  // Most values are strings, which remain unchanged.
  if (typeof value === 'string' && (type === GraphQLString || type === GraphQLID)) return value
  if (isEnumType(type)) {
    return typeof value === 'string' && type.getValue(value) != null ? value : undefined
  }
  if (!isSpecifiedScalarType(type)) return isTooDeep(value) ? undefined : value
  if (isForeign(type, value)) return undefined
  try {
    return type.serialize(value)
  } catch {
    return undefined
  }
}

/**
 * Whether `serialize` would refuse the value, in the usual cases. It makes an error for each refusal, which takes
 * longer than everything else if a service returns a list of wrong values.
 */
function isForeign({ name }: GraphQLLeafType, value: unknown): boolean {
  switch (typeof value) {
    case 'object':
      // Others than objects of JSON, such as dates and exact numbers, may convert to a value.
      return Array.isArray(value) || (value !== null && isPlain(value))
    case 'number':
      return name === 'Int' && (value | 0) !== value
    case 'boolean':
      return name === 'ID'
    case 'string':
      return name === 'Boolean' || ((name === 'Int' || name === 'Float') && Number.isNaN(Number(value)))
    default:
      return false
  }
}
