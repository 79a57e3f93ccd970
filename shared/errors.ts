/**
 * Every error code of Tessera, and the only way to make an error that a client may see.
 *
 * Callers switch on `extensions.code`, and people read the message. An upstream's body, address and headers never get
 * in here: they remain on `cause`, for the log.
 */
import { GraphQLError } from 'graphql'
import { asError } from './runtime/thrown.ts'

/** Every code with its HTTP status and its meaning for clients. docs/errors.md has the same list. */
export const errorCodes = {
  GRAPHQL_PARSE_FAILED: { status: 400, meaning: 'The document is not GraphQL.' },
  GRAPHQL_VALIDATION_FAILED: { status: 400, meaning: 'The document does not fit the schema.' },
  BAD_REQUEST: { status: 400, meaning: 'The HTTP request is not a GraphQL request.' },
  BAD_USER_INPUT: { status: 400, meaning: 'An argument, variable or input field has a wrong value.' },
  PERSISTED_QUERY_NOT_FOUND: {
    status: 404,
    meaning: 'No operation is stored under this hash: send it along.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: { status: 400, meaning: 'Persisted operations are switched off.' },
  PERSISTED_QUERY_ONLY: { status: 403, meaning: 'Only operations of the trusted list are executed.' },
  OPERATION_TOO_LARGE: {
    status: 400,
    meaning: 'The operation passes a limit on size, depth, aliases, root fields, directives or lists.',
  },
  RESPONSE_TOO_LARGE: {
    status: 400,
    meaning: 'The response would be too large: select less.',
  },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive in time.' },
  REQUEST_TOO_LARGE: { status: 413, meaning: 'The request or its body is too large.' },
  UNAUTHENTICATED: { status: 401, meaning: 'The token is missing, wrong or expired.' },
  FORBIDDEN: { status: 403, meaning: 'The service refuses this to this caller.' },
  UNAUTHORIZED_FIELD_OR_TYPE: {
    status: 403,
    meaning: 'The caller lacks the scopes that the field needs; `authorization` names them.',
  },
  NOT_FOUND: { status: 404, meaning: 'The object of a change or of a nested lookup does not exist.' },
  CONFLICT: {
    status: 409,
    meaning: 'The object is in a state that does not allow this, or was changed meanwhile.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: 'The idempotency key was used for another request: every mutation needs a key of its own.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    meaning: 'A request with this idempotency key is still running: send it again for its response.',
  },
  IDEMPOTENCY_UNAVAILABLE: {
    status: 503,
    meaning:
      'Outcomes of mutations cannot be stored at the moment, so mutations with an idempotency key are refused.',
  },
  OUTCOME_UNKNOWN: {
    status: 409,
    meaning:
      'An earlier attempt may have made the change. It is unknown whether it did, and nothing was done now.',
  },
  OUTCOME_NOT_KEPT: {
    status: 409,
    meaning: 'The change was made by an earlier request, whose response is not stored for this caller.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning: 'Too many calls; `retryAfter` says how many seconds to wait, if known.',
  },
  QUOTA_EXCEEDED: { status: 429, meaning: "The day's quota, plan or credit is used up." },
  COST_ESTIMATED_TOO_EXPENSIVE: {
    status: 400,
    meaning: 'The estimate of the operation passes the most that one operation may cost.',
  },
  UPSTREAM_TIMEOUT: { status: 504, meaning: 'The service did not answer in time.' },
  UPSTREAM_UNAVAILABLE: {
    status: 503,
    meaning: 'The service cannot be reached, is failing, or is not called for now.',
  },
  UPSTREAM_BAD_RESPONSE: {
    status: 502,
    meaning: 'The service sent an unexpected response.',
  },
  SUBSCRIPTION_TOO_SLOW: {
    status: 429,
    meaning: 'Events of a list came faster than the client read them: subscribe again after the last one.',
  },
  SUBSCRIPTION_RESTART: {
    status: 503,
    meaning: 'The subscription cannot go on here: subscribe again, after the last event if it has an id.',
  },
  TOO_MANY_SUBSCRIPTIONS: {
    status: 429,
    meaning:
      'The connection, the caller or the server has as many subscriptions as are allowed: end some first.',
  },
  SERVICE_BUSY: {
    status: 503,
    meaning: 'The server is overloaded; `retryAfter` is the number of seconds to wait.',
  },
  SERVICE_STOPPING: { status: 503, meaning: 'This server is shutting down; ask another one.' },
  OPERATION_NOT_PLANNABLE: {
    status: 500,
    meaning: 'No plan answers the operation from the subgraphs within the bounds on planning.',
  },
  HOOK_FAILED: {
    status: 500,
    meaning: 'A hook or coprocessor of this gateway failed or was late; the log has it under the request id.',
  },
  TOO_MANY_ERRORS: { status: 500, meaning: 'There were more errors than the response lists.' },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    meaning: 'A fault of the gateway; the log has it under the request id.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>

/** `extensions.code` of an error, by which clients decide. */
export type ErrorCode = keyof typeof errorCodes

/** The `extensions.code` of a thrown value, whoever made it. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'extensions' in error
    ? (error.extensions as { code?: unknown } | undefined)?.code
    : undefined
}

/** Whether a value is one of our codes. Other subgraphs have their own. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}

interface ErrorDetails {
  readonly service?: string | undefined
  /** What is known of the service's response. Absent if nothing is. */
  readonly upstream?:
    | { readonly status?: number | undefined; readonly reason?: string | undefined }
    | undefined
  /** The seconds to wait before another attempt, if the service sent them. */
  readonly retryAfter?: number | undefined
  /** The original error, for the log only. */
  readonly cause?: unknown
  /** The HTTP status, if it is not that of the code. */
  readonly status?: number | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** An error that a client may see. graphql adds path and location if a resolver throws it. */
export function tesseraError(code: ErrorCode, message: string, details: ErrorDetails = {}): GraphQLError {
  const extensions: Record<string, unknown> = { code }
  if (details.service !== undefined) extensions.service = details.service
  const { status: upstreamStatus, reason } = details.upstream ?? {}
  if (upstreamStatus !== undefined || reason !== undefined) {
    extensions.upstream = {
      ...(upstreamStatus === undefined ? {} : { status: upstreamStatus }),
      ...(reason === undefined ? {} : { reason }),
    }
  }
  if (details.retryAfter !== undefined) extensions.retryAfter = details.retryAfter
  if (details.extensions !== undefined) Object.assign(extensions, details.extensions)
  const { cause, status } = details
  const error = new GraphQLError(shortMessage(message), {
    extensions,
    originalError: cause === undefined ? null : asError(cause),
  })
  if (status !== undefined) statuses.set(error, status)
  return error
}

const longestMessage = 2000

/**
 * A message without its middle if it is long. graphql repeats names and values of the caller in each error, so that an
 * answer could be many times as long as its request. What was expected stands at the beginning or at the end.
 */
export function shortMessage(message: string): string {
  if (message.length <= longestMessage) return message
  const half = longestMessage / 2
  return `${message.slice(0, half).toWellFormed()} … ${message.slice(-half).toWellFormed()}`
}

/** Separate from `extensions`, which remote subgraphs also write. */
const statuses = new WeakMap<GraphQLError, number>()

export function statusOfError(error: GraphQLError): number {
  const own = statuses.get(error)
  if (own !== undefined) return own
  const { code } = error.extensions
  return isErrorCode(code) ? errorCodes[code].status : errorCodes.INTERNAL_SERVER_ERROR.status
}

/** An error of the caller. The message says what was expected and what came. */
export function badInput(message: string, extensions?: Readonly<Record<string, unknown>>): GraphQLError {
  return tesseraError('BAD_USER_INPUT', message, { extensions })
}
