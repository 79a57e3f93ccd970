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
import type { Loss } from '../../../shared/http/client.ts'
import { plainMessage } from '../service-message.ts'
import type { Failure } from './client-options.ts'

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
  answer: {
    readonly status: number
    readonly retryAfter: number | undefined
    /** Whether the body is no JSON, which means that the service itself did not write it. */
    readonly foreign: boolean
    readonly forwarded: boolean
    /** The beginning of a plain-text body. */
    readonly text?: string | undefined
  },
): Failure {
  const { status } = answer
  const retry = passing.has(status) || (status === 429 && answer.retryAfter !== undefined)
  const the = `The ${service} service`
  switch (status) {
    case 401:
      return answer.forwarded
        ? {
            code: 'UNAUTHENTICATED',
            message: `${the} does not accept the caller's credential.`,
            retry,
          }
        : {
            code: 'UPSTREAM_UNAVAILABLE',
            message: `${the} does not accept this server's credential.`,
            reason: 'credentialRefused',
            retry,
          }
    case 403:
      return { code: 'FORBIDDEN', message: `${the} refuses this.`, retry }
    case 404:
    case 410:
      if (answer.foreign) break
      return { code: 'NOT_FOUND', message: `${the} has no such object.`, retry }
    case 408:
    case 504:
      return { code: 'UPSTREAM_TIMEOUT', message: `${the} did not answer in time.`, retry }
    case 409:
    case 412:
      return { code: 'CONFLICT', message: `${the} refuses this in the object's current state.`, retry }
    case 414:
    case 431:
      return {
        code: 'BAD_USER_INPUT',
        message: `The arguments are longer than the ${service} service accepts in one call.`,
        retry,
      }
    case 429:
      return { code: 'RATE_LIMITED', message: `${the} was called too often.`, retry }
    case 400:
    case 413:
    case 422:
      return { code: 'BAD_USER_INPUT', message: refusedAsWrong(the, answer.text), retry }
  }
  if (status >= 500) return { code: 'UPSTREAM_UNAVAILABLE', message: `${the} failed.`, retry }
  return {
    code: 'UPSTREAM_BAD_RESPONSE',
    message: `${the} returned an unexpected status.`,
    retry,
  }
}

/** Quotes the service's own words if it gave some in plain text. */
function refusedAsWrong(the: string, text: string | undefined): string {
  const words = plainMessage(text, { maxLength: 300 })
  return words === '' ? `${the} refuses the request as invalid.` : `${the} refuses the request: ${words}`
}

export function failureOfLoss(service: string, loss: Loss): Failure {
  const the = `The ${service} service`
  switch (loss) {
    case 'timeout':
      return {
        code: 'UPSTREAM_TIMEOUT',
        message: `${the} did not answer in time.`,
        reason: 'timeout',
        retry: false,
      }
    case 'cancelled':
      return {
        code: 'UPSTREAM_TIMEOUT',
        message: `The request ended before the ${service} service answered.`,
        reason: 'cancelled',
        retry: false,
      }
    case 'connection':
      return {
        code: 'UPSTREAM_UNAVAILABLE',
        message: `${the} cannot be reached.`,
        reason: 'connection',
        retry: true,
      }
    case 'truncated':
      return {
        code: 'UPSTREAM_BAD_RESPONSE',
        message: `${the} broke off its response.`,
        reason: 'truncated',
        retry: true,
      }
    case 'garbled':
      return {
        code: 'UPSTREAM_BAD_RESPONSE',
        message: `${the} returned an unreadable response.`,
        reason: 'garbled',
        retry: false,
      }
    case 'too-large':
      return {
        code: 'UPSTREAM_BAD_RESPONSE',
        message: `${the} returned too long a response.`,
        reason: 'tooLarge',
        retry: false,
      }
    case 'unsendable':
      return {
        code: 'INTERNAL_SERVER_ERROR',
        message: `The call to the ${service} service could not be made.`,
        reason: 'unsendable',
        retry: false,
      }
  }
}

const refusalCodes: Readonly<Record<string, ErrorCode>> = {
  stopping: 'SERVICE_STOPPING',
  caller: 'FORBIDDEN',
}

/** The failure for a call that was refused on our side, before anything was sent. */
export function refusal(
  service: string,
  why: 'breaker' | 'full' | 'stopping' | 'credential' | 'caller',
  retryAfter?: number,
): Failure {
  const the = `The ${service} service`
  const message = {
    breaker: `${the} is failing and is not called for now.`,
    full: `Too many calls to the ${service} service are waiting.`,
    stopping: `This server is shutting down.`,
    caller: `The ${service} service cannot be used by this caller: there is no token for it.`,
    credential: `No token for the ${service} service could be fetched.`,
  }[why]
  return {
    code: refusalCodes[why] ?? 'UPSTREAM_UNAVAILABLE',
    message,
    reason: why,
    retryAfter,
    retry: false,
  }
}

/** The failure of a write if no response shows whether it was made. */
export function withUnknownOutcome(failure: Failure): Failure {
  return {
    ...failure,
    message: `${failure.message} Whether the change was made is unknown.`,
    extensions: { ...failure.extensions, outcome: 'unknown' },
  }
}
