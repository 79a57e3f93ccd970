/** The HTTP status of a result, and how long its errors say to wait. */
import type { GraphQLError } from 'graphql'
import { type ErrorCode, statusOfError, tesseraError } from '../../shared/errors.ts'
import type { MediaType } from './operation-params.ts'

export function methodNotAllowed(message: string): GraphQLError {
  return tesseraError('BAD_REQUEST', message, { status: 405 })
}

/**
 * Errors of GraphQL itself and of persisted queries, which older clients expect with status 200 where they accept
 * `application/json` alone. `application/graphql-response+json` has no 200 for what was not executed.
 */
const requestErrors: ReadonlySet<unknown> = new Set<ErrorCode>([
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
])

/** The longest time of those that errors say to wait, in whole seconds; undefined if none does. */
export function retryAfterOf(errors: readonly GraphQLError[]): number | undefined {
  let longest: number | undefined
  for (const { extensions } of errors) {
    const { retryAfter } = extensions
    if (typeof retryAfter !== 'number' || !(retryAfter >= 0)) continue
    longest = Math.max(longest ?? 0, Math.ceil(retryAfter))
  }
  return longest
}

/**
 * The status of a whole result: 200 with any data; without, the status of its errors, a client's fault
 * before a server's.
 */
export function statusOf(
  result: { readonly data?: unknown; readonly errors?: readonly GraphQLError[] | undefined },
  type: MediaType,
): number {
  const { data, errors } = result
  if (errors === undefined || errors.length === 0 || (data !== null && data !== undefined)) return 200
  const executed = data !== undefined
  let status = 0
  for (const error of errors) {
    const legacy = type === 'application/json' && !executed && requestErrors.has(error.extensions.code)
    const own = legacy ? 200 : statusOfError(error)
    if (status === 0 || (own < 500 && status >= 500)) status = own
  }
  return status
}
