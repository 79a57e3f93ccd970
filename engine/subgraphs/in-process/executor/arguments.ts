/**
 * Coerces variables and arguments for resolvers. The gateway does not check values of a subgraph's custom scalars, so
 * an invalid one is detected here. It is the client's error.
 */
import { type FieldNode, GraphQLError, type GraphQLField, getArgumentValues } from 'graphql'
import { badInput } from '../../../../shared/errors.ts'

/** BAD_USER_INPUT with the message and nodes of graphql's error. */
export function wrongValue({ message, nodes }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: badInput(message).extensions })
}

/** Throws BAD_USER_INPUT if a value is invalid. */
export function argumentsOf(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  try {
    return getArgumentValues(definition, node, variables)
  } catch (error) {
    throw error instanceof GraphQLError ? wrongValue(error) : error
  }
}
