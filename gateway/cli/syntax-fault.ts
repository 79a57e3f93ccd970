/** What is wrong with a document that is no GraphQL, and where. */
import { GraphQLError } from 'graphql'
import { messageOf } from '../../contract/thrown.ts'

export function syntaxFault(error: unknown): string {
  const at = error instanceof GraphQLError ? error.locations?.[0] : undefined
  return `${messageOf(error)}${at === undefined ? '' : ` (line ${at.line}, column ${at.column})`}`
}
