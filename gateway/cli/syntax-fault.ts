/**
 * Describes a syntax error of a GraphQL document with its place, `file:line:column: …`, which editors and terminals
 * can open.
 */
import { GraphQLError } from 'graphql'
import { messageOf } from '../../shared/runtime/thrown.ts'

export function syntaxFault(file: string, error: unknown): string {
  return `${placeIn(file, error)}: ${messageOf(error)}`
}

/** `file:line:column`, or only the file if the error has no place. */
export function placeIn(file: string, error: unknown): string {
  const at = error instanceof GraphQLError ? error.locations?.[0] : undefined
  return at === undefined ? file : `${file}:${at.line}:${at.column}`
}
