/** What is wrong with a document that is no GraphQL, and where: `file:line:column: …`, which editors and terminals open. */
import { GraphQLError } from 'graphql'
import { messageOf } from '../../shared/runtime/thrown.ts'

export function syntaxFault(file: string, error: unknown): string {
  return `${placeIn(file, error)}: ${messageOf(error)}`
}

/** `file:line:column`, or the file alone if the error knows no place. */
export function placeIn(file: string, error: unknown): string {
  const at = error instanceof GraphQLError ? error.locations?.[0] : undefined
  return at === undefined ? file : `${file}:${at.line}:${at.column}`
}
