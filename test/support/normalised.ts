/** Operations of tests, normalised over a schema. */
import { type DocumentNode, type FieldNode, type GraphQLSchema, getOperationAST, parse } from 'graphql'
import { type NormalisedOperation, normalisedIn } from '../../engine/operation/normalised.ts'
import type { PlanInput } from '../../engine/planner/index.ts'
import type { RefusedField } from '../../engine/response/index.ts'

export function normalisedOf(
  schema: GraphQLSchema,
  given: string | DocumentNode,
  operationName?: string,
): NormalisedOperation {
  const document = typeof given === 'string' ? parse(given) : given
  const operation = normalisedIn(schema, document, operationName)
  if (operation === undefined) throw new Error('Expected one operation of a kind that the schema has.')
  return operation
}

/** A refusal that names its field by the node of the document. */
export type RefusedNode = Omit<RefusedField, 'field'> & { readonly field: FieldNode }

/** The same refusals, by the ids of the normalised operation. */
export function refusedIn(operation: NormalisedOperation, refusals: readonly RefusedNode[]): RefusedField[] {
  return refusals.map((refusal) => {
    const field = operation.fields.find(({ node }) => node === refusal.field)
    if (field === undefined) throw new Error(`${refusal.field.name.value} is not in the operation.`)
    return { ...refusal, field: field.id }
  })
}

/** What a planner is given for the operation, or the only one, of a document that is not validated. */
export function planInputOf(schema: GraphQLSchema, given: string | DocumentNode): PlanInput {
  const document = typeof given === 'string' ? parse(given) : given
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('Expected one operation.')
  return { operation, normalised: normalisedOf(schema, document) }
}
