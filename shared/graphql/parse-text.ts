/** The parser of graphql for texts of any depth. It calls itself for each bracket, and some thousand exceed the stack. */
import { type DocumentNode, GraphQLError, type ParseOptions, parse, type Source } from 'graphql'

/** Throws a GraphQLError, also for a text with too many brackets within each other. */
export function parseText(text: string | Source, options?: ParseOptions): DocumentNode {
  try {
    return parse(text, options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new GraphQLError('It has too many brackets within each other.')
  }
}
