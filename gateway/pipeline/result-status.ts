/** The HTTP status of a result, the media type that goes with it, and how long the errors say to wait. */
import type { GraphQLError } from 'graphql'
import { type ErrorCode, statusOfError, tesseraError } from '../../shared/errors.ts'
import type { MediaType } from './operation-request.ts'

/**
 * The edition of GraphQL over HTTP by which statuses are chosen: the text that the public audit checks (2025), or the
 * edition of September 2026.
 */
export type HttpProfile = '2025' | '2026'

/** 294 Partial Success: data and errors stand together. */
export const partialSuccess = 294

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
 * The status of a whole result. Edition 2025: 200 if it has data, otherwise the status of its errors (a client's fault
 * before a server's). Edition 2026: 294 or 200 if it has the entry `data`, even if that is null, otherwise 4xx or 5xx.
 */
export function statusOf(
  result: { readonly data?: unknown; readonly errors?: readonly GraphQLError[] | undefined },
  type: MediaType,
  profile: HttpProfile = '2025',
): number {
  const { data, errors } = result
  if (errors === undefined || errors.length === 0) return 200
  const executed = data !== undefined
  if (profile === '2026') {
    if (!executed) return worstOf(errors, statusOf2026)
    // The edition gives 294 a meaning only with the media type that makes it explicit.
    return type === 'application/json' ? 200 : partialSuccess
  }
  if (executed && data !== null) return 200
  const isLegacy = type === 'application/json' && !executed
  return worstOf(errors, (error) =>
    isLegacy && requestErrors.has(error.extensions.code) ? 200 : statusOfError(error),
  )
}

/** A client's fault before a server's. */
function worstOf(errors: readonly GraphQLError[], statusFor: (error: GraphQLError) => number): number {
  let status = 0
  for (const error of errors) {
    const own = statusFor(error)
    if (status === 0 || (own < 500 && status >= 500)) status = own
  }
  return status
}

/** 400 is the status of what cannot be parsed. What was read and cannot be executed is 422. */
function statusOf2026(error: GraphQLError): number {
  const status = statusOfError(error)
  return status === 400 && error.extensions.code !== 'GRAPHQL_PARSE_FAILED' ? 422 : status
}

/**
 * The media type of a response. By the edition of 2026 a client that accepts only `application/json` gets it for 2xx
 * only. With any other status the media type must show that GraphQL answered, and not a proxy on the way.
 */
export function mediaTypeOf(status: number, type: MediaType, profile: HttpProfile = '2025'): MediaType {
  return profile === '2026' && status >= 400 ? 'application/graphql-response+json' : type
}
