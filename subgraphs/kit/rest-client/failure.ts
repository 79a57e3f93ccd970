/**
 * What a failure means if the service's client does not interpret it: by its status, or by the way in which no
 * response came. The messages name the service and quote nothing from outside.
 *
 * 401 depends on whose credential was refused. If it is the caller's own (forwarded), the caller can renew it:
 * UNAUTHENTICATED. If it is configured here, the caller cannot mend it: UPSTREAM_UNAVAILABLE with the reason
 * `credentialRefused`. 403 is about the requested object in both cases: FORBIDDEN.
 */
import type { GraphQLError } from 'graphql'
import { type ErrorCode, tesseraError } from '../../../shared/errors.ts'
import type { LossReason } from '../../../shared/http/client.ts'
import { plainMessage } from '../service-message.ts'
import type { Failure } from './client-options.ts'

/** What a service's name of a fault means. */
export type Meaning = Pick<Failure, 'code' | 'message' | 'retry'>

export const meaning = (code: ErrorCode, message: string, retry = false): Meaning => ({
  code,
  message,
  retry,
})

/** Carries a failure to the one place that makes an error for the caller of it. */
export class Failed extends Error {
  readonly failure: Failure
  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, { cause })
    this.failure = failure
  }
}

export function errorOf(
  service: string,
  failure: Failure,
  status: number | undefined,
  cause: unknown,
): GraphQLError {
  const { code, message, reason, retryAfter, extensions } = failure
  return tesseraError(code, message, { service, upstream: { status, reason }, retryAfter, cause, extensions })
}

/** After these statuses the same read may well succeed. */
const passing = new Set([502, 503, 504])

export function failureOfStatus(
  service: string,
  response: {
    readonly status: number
    /** The service's own name of the fault. */
    readonly reason?: string | undefined
    readonly retryAfter: number | undefined
    /** Whether the body is not JSON, which means that the service itself did not write it. */
    readonly foreign: boolean
    readonly forwarded: boolean
    /** The beginning of a plain-text body. */
    readonly text?: string | undefined
  },
): Failure {
  const { status } = response
  const the = `The ${service} service`
  const failure = (code: ErrorCode, message: string, reason = response.reason): Failure => ({
    ...{ code, message, reason },
    retry: passing.has(status) || (status === 429 && response.retryAfter !== undefined),
  })
  switch (status) {
    case 401:
      return response.forwarded
        ? failure('UNAUTHENTICATED', `${the} does not accept the caller's credential.`)
        : failure(
            'UPSTREAM_UNAVAILABLE',
            `${the} does not accept this server's credential.`,
            'credentialRefused',
          )
    case 403:
      return failure('FORBIDDEN', `${the} refuses this.`)
    case 404:
    case 410:
      if (response.foreign) break
      return failure('NOT_FOUND', `${the} has no such object.`)
    case 408:
    case 504:
      return failure('UPSTREAM_TIMEOUT', `${the} did not answer in time.`)
    case 409:
    case 412:
      return failure('CONFLICT', `${the} refuses this in the object's current state.`)
    case 414:
    case 431:
      return failure(
        'BAD_USER_INPUT',
        `The arguments are longer than the ${service} service accepts in one call.`,
      )
    case 429:
      return failure('RATE_LIMITED', `${the} was called too often.`)
    case 400:
    case 413:
    case 422:
      return failure('BAD_USER_INPUT', refusedAsWrong(the, response.text))
  }
  return status >= 500
    ? failure('UPSTREAM_UNAVAILABLE', `${the} failed.`)
    : failure('UPSTREAM_BAD_RESPONSE', `${the} returned an unexpected status.`)
}

/** Quotes the service's own words if it gave some in plain text. */
function refusedAsWrong(the: string, text: string | undefined): string {
  const words = plainMessage(text, { maxLength: 300 })
  return words === '' ? `${the} refuses the request as invalid.` : `${the} refuses the request: ${words}`
}

/** Code, reason, whether a safe call may be repeated, and the message, in which `%` is the service. */
const losses: Readonly<
  Record<LossReason, readonly [ErrorCode, reason: string, retry: boolean, message: string]>
> = {
  timeout: ['UPSTREAM_TIMEOUT', 'timeout', false, '% did not answer in time.'],
  cancelled: ['UPSTREAM_TIMEOUT', 'cancelled', false, 'The request ended before % answered.'],
  connection: ['UPSTREAM_UNAVAILABLE', 'connection', true, '% cannot be reached.'],
  truncated: ['UPSTREAM_BAD_RESPONSE', 'truncated', true, '% broke off its response.'],
  garbled: ['UPSTREAM_BAD_RESPONSE', 'garbled', false, '% returned an unreadable response.'],
  'too-large': ['UPSTREAM_BAD_RESPONSE', 'tooLarge', false, '% returned too long a response.'],
  unsendable: ['INTERNAL_SERVER_ERROR', 'unsendable', false, 'The call to % could not be made.'],
}

export function failureOfLoss(service: string, loss: LossReason): Failure {
  const [code, reason, retry, message] = losses[loss]
  const the = message.startsWith('%') ? 'The' : 'the'
  return { code, reason, retry, message: message.replace('%', `${the} ${service} service`) }
}

/** Code and message of each refusal, in which `%` is the service. */
const refusals = {
  breaker: ['UPSTREAM_UNAVAILABLE', 'The % service is failing and is not called for now.'],
  full: ['UPSTREAM_UNAVAILABLE', 'Too many calls to the % service are waiting.'],
  stopping: ['SERVICE_STOPPING', 'This server is shutting down.'],
  caller: ['FORBIDDEN', 'The % service cannot be used by this caller: there is no token for it.'],
  credential: ['UPSTREAM_UNAVAILABLE', 'No token for the % service could be fetched.'],
} as const satisfies Readonly<Record<string, readonly [ErrorCode, message: string]>>

/** The failure for a call that was refused on our side, before anything was sent. */
export function refusal(service: string, why: keyof typeof refusals, retryAfter?: number): Failure {
  const [code, message] = refusals[why]
  return { code, message: message.replace('%', service), reason: why, retryAfter, retry: false }
}

/** The failure of a write if no response shows whether it was made. */
export function withUnknownOutcome(failure: Failure): Failure {
  return {
    ...failure,
    message: `${failure.message} Whether the change was made is unknown.`,
    extensions: { ...failure.extensions, outcome: 'unknown' },
  }
}

/** The error if the service accepted a write, and its response is not what the service promises. */
export function malformedOutcome(service: string, message: string, status: number): GraphQLError {
  const failure: Failure = { code: 'UPSTREAM_BAD_RESPONSE', message, retry: false }
  return errorOf(service, withUnknownOutcome(failure), status, undefined)
}
