/** Recognizes values that are their own results, so that they need not be completed. */
import {
  type GraphQLOutputType,
  GraphQLScalarType,
  getNullableType,
  isEnumType,
  specifiedScalarTypes,
} from 'graphql'
import { scalarTests } from '../../../operation/variables.ts'

type IsOwnResult = (value: unknown) => boolean

/** By the function that serializes, because scalars of a schema may have their own. */
const tests: ReadonlyMap<unknown, IsOwnResult | undefined> = new Map([
  ...specifiedScalarTypes.map(({ name, serialize }) => [serialize, scalarTests.get(name)] as const),
  // The default of graphql.
  [new GraphQLScalarType({ name: 'Default' }).serialize, scalarTests.get('String')],
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
