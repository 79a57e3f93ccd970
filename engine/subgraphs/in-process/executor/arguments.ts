/**
 * Coerces variables and arguments for resolvers. The gateway does not check values of a subgraph's custom scalars, so
 * an invalid one is detected here. It is the client's error.
 */
import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  getArgumentValues,
  isRequiredArgument,
  Kind,
  valueFromAST,
} from 'graphql'
import { badInput } from '../../../../shared/errors.ts'
import { readMember } from '../../../../shared/json/members.ts'
import type { Variables } from '../../../operation/variables.ts'

/** BAD_USER_INPUT with the message and nodes of graphql's error. */
export function wrongValue({ message, nodes }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: badInput(message).extensions })
}

/**
 * Finds out once how to read the arguments of a field. The result throws BAD_USER_INPUT if a value is invalid.
 *
 * Variables are coerced already, so an argument that is a variable has the variable's value. graphql reads all
 * arguments if one has no value, or contains variables.
 */
export function compileArguments(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Variables) => Record<string, unknown> {
  const readAll = (variables: Variables) => argumentsOf(definition, node, variables)
  const given = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value] as const))
  const known: {
    readonly name: string
    readonly constant: unknown
    readonly variable: string | undefined
  }[] = []
  for (const argument of definition.args) {
    const { name, type, defaultValue } = argument
    const value = given.get(name)
    const variable = value?.kind === Kind.VARIABLE ? value.name.value : undefined
    if (value === undefined && defaultValue === undefined && !isRequiredArgument(argument)) continue
    const constant = value === undefined ? defaultValue : valueFromAST(value, type)
    // Each call gets an object of its own, because a resolver could change it.
    if (variable === undefined && (constant === undefined || typeof constant === 'object')) return readAll
    known.push({ name, constant, variable })
  }
  return (variables) => {
    const found: Record<string, unknown> = {}
    for (const { name, constant, variable } of known) {
      const value = variable === undefined ? constant : readMember(variables, variable)
      if (value === undefined || value === null) return readAll(variables)
      found[name] = value
    }
    return found
  }
}

/** Throws BAD_USER_INPUT if a value is invalid. */
export function argumentsOf(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Variables,
): Record<string, unknown> {
  try {
    return getArgumentValues(definition, node, variables)
  } catch (error) {
    throw error instanceof GraphQLError ? wrongValue(error) : error
  }
}
