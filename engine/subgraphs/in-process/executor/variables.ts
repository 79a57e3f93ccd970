/**
 * Coerces variables for resolvers. The gateway keeps the digits of long numbers in defaults (`ExactNumber`) for subgraphs
 * that get JSON. Resolvers get doubles, as graphql reads numbers elsewhere in a document.
 */
import {
  type GraphQLSchema,
  isInputObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type OperationDefinitionNode,
} from 'graphql'
import { namedType } from '../../../../shared/graphql/named-type.ts'
import { ExactNumber } from '../../../../shared/json/exact-number.ts'
import { isPlain } from '../../../../shared/json/is-object.ts'
import { type Coerce, compileVariables } from '../../../operation/variables.ts'
import { wrongValue } from './arguments.ts'

export function compileResolverVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Coerce {
  const coerce = compileVariables(schema, variableDefinitions, { refuse: wrongValue })
  const withDefaults = new Set<string>()
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const named = schema.getType(namedType(type))
    // Other variables have no default in them. Data of another subgraph keeps its digits.
    const isCustom = isScalarType(named) && !isSpecifiedScalarType(named)
    if (isInputObjectType(named) || (isCustom && defaultValue !== undefined))
      withDefaults.add(variable.name.value)
  }
  if (withDefaults.size === 0) return coerce
  return (given) =>
    coerce(
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, withDefaults.has(name) ? rounded(value) : value]),
      ),
    )
}

function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ExactNumber) return Number(value.source)
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rounded(inner)]))
}
