/** The parser of graphql for texts of any depth. It calls itself for each bracket, and some thousand exceed the stack. */
import {
  type DocumentNode,
  GraphQLError,
  type ParseOptions,
  parse,
  parseType,
  type Source,
  type TypeNode,
} from 'graphql'

/** Throws a GraphQLError, also for a text with too many brackets within each other. */
export function parseText(text: string | Source, options?: ParseOptions): DocumentNode {
  return withinStack(() => parse(text, options))
}

/** The same for a type, such as `[Int!]`. */
export function parseTypeText(text: string): TypeNode {
  return withinStack(() => parseType(text, { noLocation: true }))
}

function withinStack<Parsed>(parsed: () => Parsed): Parsed {
  try {
    return parsed()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new GraphQLError('It has too many brackets within each other.')
  }
}
