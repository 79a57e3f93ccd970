/**
 * Values of variables and arguments, as resolvers get them. The gateway does not check values of scalars that are the
 * subgraph's own, so that a wrong one is seen here first: it is the client's fault.
 */
import { type FieldNode, GraphQLError, type GraphQLField, getArgumentValues } from 'graphql'
import { badInput } from '../../../../shared/errors.ts'

/** BAD_USER_INPUT with the message and the place of graphql's error. */
export function wrongValue({ message, nodes }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: badInput(message).extensions })
}

/** Throws BAD_USER_INPUT if a value does not fit. */
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
