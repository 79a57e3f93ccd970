/** What a subgraph service tells of an error: what was thrown on purpose as it is, a fault of ours masked. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { maskError } from '../http/mask.ts'
import type { Logger } from '../observe/log.ts'

export const unexpected = 'INTERNAL_SERVER_ERROR'

/** `formatted` has a code, as Apollo Server gives one to every error. */
export function maskedError(
  formatted: GraphQLFormattedError,
  error: unknown,
  id: string,
  log: Logger,
): GraphQLFormattedError {
  const original = error instanceof GraphQLError ? error.originalError : undefined
  if (original == null || formatted.extensions?.code !== unexpected) return formatted
  const masked = maskError(new GraphQLError(formatted.message, { originalError: original }), id, log)
  return { ...formatted, message: masked.message, extensions: { ...masked.extensions } }
}
