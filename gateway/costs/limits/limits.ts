import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'

export interface Limits {
  /** Lexical tokens of the document. */
  readonly tokens: number
  /** Nested brackets in a document, nested fragments, and levels of variables. */
  readonly nesting: number
  /** The deepest selection, root fields being at depth 1. */
  readonly depth: number
  readonly aliases: number
  readonly rootFields: number
  readonly directives: number
  /** Fields of all operations of a document, after every fragment is spread. */
  readonly fields: number
  /** The longest list in arguments and variables. */
  readonly listItems: number
  /** Values that an operation requests: its fields, each times the items of the lists around it. */
  readonly values: number
}

export function tooLarge(what: string, limit: number, found: number, name: keyof Limits): GraphQLError {
  return tesseraError(
    'OPERATION_TOO_LARGE',
    `The operation has ${what}: ${found}. At most ${limit} are allowed.`,
    { extensions: { limit: name, maximum: limit, found } },
  )
}
