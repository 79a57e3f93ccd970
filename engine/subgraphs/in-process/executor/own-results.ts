/** Recognizes values that are their own results, so that they need not be completed. */
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLString,
  getNullableType,
  isEnumType,
} from 'graphql'

type IsOwnResult = (value: unknown) => boolean

const isText: IsOwnResult = (value) => typeof value === 'string'

/** By the function that serializes, because scalars of a schema may have their own. */
const tests: ReadonlyMap<unknown, IsOwnResult> = new Map([
  [GraphQLString.serialize, isText],
  [GraphQLID.serialize, isText],
  [GraphQLInt.serialize, (value) => typeof value === 'number' && (value | 0) === value],
  [GraphQLFloat.serialize, (value) => typeof value === 'number' && Number.isFinite(value)],
  [GraphQLBoolean.serialize, (value) => typeof value === 'boolean'],
  // The default of graphql.
  [new GraphQLScalarType({ name: 'Default' }).serialize, isText],
])

/** A test for values that completion would return unchanged. Undefined if there is none for this type. */
export function ownResultTest(type: GraphQLOutputType): IsOwnResult | undefined {
  const nullable = getNullableType(type)
  if (isEnumType(nullable)) {
    const names = new Set<unknown>(
      nullable.getValues().flatMap(({ name, value }) => (name === value ? [name] : [])),
    )
    return (value) => names.has(value)
  }
  return nullable instanceof GraphQLScalarType ? tests.get(nullable.serialize) : undefined
}
