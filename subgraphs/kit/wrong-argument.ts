import type { GraphQLError } from 'graphql'
import { badInput } from '../../shared/errors.ts'

/** The error of an argument, or of an input field by its path. `words` follow its name in the message. */
export const wrongArgument = (at: string, words: string): GraphQLError =>
  badInput(`\`${at}\` ${words}`, { argument: at })
