/** Operations of tests, normalised over a schema. */
import { type DocumentNode, type GraphQLSchema, getOperationAST, parse } from 'graphql'
import { type NormalisedOperation, normaliseOver } from '../../engine/operation/normalised.ts'

export function normalisedOf(
  schema: GraphQLSchema,
  given: string | DocumentNode,
  operationName?: string,
): NormalisedOperation {
  const document = typeof given === 'string' ? parse(given) : given
  const operation = getOperationAST(document, operationName)
  if (operation == null) throw new Error('Expected one operation.')
  return normaliseOver(schema, document, operation)
}
