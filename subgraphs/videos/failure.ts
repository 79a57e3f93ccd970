/**
 * Maps the service's errors to our codes. The reason decides, never the status alone, because 403 has a dozen
 * meanings. The service's message is passed on, sanitized, only if it explains the caller's fault.
 */
import type { GraphQLError } from 'graphql'
import type { ErrorCode } from '../../shared/errors.ts'
import { retryAfterSeconds } from '../../shared/http/retry.ts'
import { saysPerDay, secondsToMidnight } from '../kit/daily-limit.ts'
import { isObject, textOf } from '../kit/json.ts'
import type { FailedResponse, Failure, FailureReader, PlainFailure } from '../kit/rest-client/index.ts'
import { publicMessage } from '../kit/service-message.ts'

interface Reading {
  readonly code: ErrorCode
  readonly message?: string
  readonly retry?: boolean
}

const quota: Reading = {
  code: 'QUOTA_EXCEEDED',
  message: "The video service's quota is used up until its day ends.",
}
const tooFast: Reading = {
  code: 'RATE_LIMITED',
  message: 'The video service accepts no more calls at the moment.',
  retry: true,
}
const refused: Reading = {
  code: 'FORBIDDEN',
  message: 'The video service does not allow this to the caller.',
}
const failing: Reading = {
  code: 'UPSTREAM_UNAVAILABLE',
  message: 'The video service is failing.',
  retry: true,
}

const readings: Readonly<Record<string, Reading>> = {
  quotaExceeded: quota,
  dailyLimitExceeded: quota,
  uploadLimitExceeded: {
    code: 'QUOTA_EXCEEDED',
    message: "The channel's daily limit of uploads is reached.",
  },
  rateLimitExceeded: tooFast,
  userRateLimitExceeded: tooFast,
  servingLimitExceeded: tooFast,
  concurrentLimitExceeded: tooFast,
  forbidden: refused,
  insufficientPermissions: refused,
  SERVICE_UNAVAILABLE: refused,
  commentsDisabled: { code: 'FORBIDDEN', message: 'Comments are switched off for this video.' },
  invalidPageToken: {
    code: 'BAD_USER_INPUT',
    message: 'The cursor is no longer valid for this list: start again without it.',
  },
  videoNotFound: { code: 'NOT_FOUND', message: 'There is no such video.' },
  channelNotFound: { code: 'NOT_FOUND', message: 'There is no such channel.' },
  commentThreadNotFound: { code: 'NOT_FOUND', message: 'There is no such comment thread.' },
  videoChartNotFound: { code: 'NOT_FOUND', message: 'There is no such chart for this region and category.' },
  conflict: { code: 'CONFLICT', message: 'The video was changed meanwhile.' },
  conditionNotMet: { code: 'CONFLICT', message: 'The video was changed meanwhile.' },
  processingFailure: { code: 'BAD_USER_INPUT' },
  backendError: failing,
  internalError: failing,
  notReady: failing,
}

/** The credential is refused, whatever the status is. The shared REST client knows whose credential it was. */
const ofCredential: ReadonlySet<string | undefined> = new Set([
  'keyInvalid',
  'API_KEY_INVALID',
  'authError',
  'expired',
  'authorizationRequired',
  'youtubeSignupRequired',
])

/** The service's reason for a failure, from either form of its errors. */
function reasonOf(error: Readonly<Record<string, unknown>>): string | undefined {
  const [first] = Array.isArray(error.errors) ? (error.errors as unknown[]) : []
  if (isObject(first) && textOf(first.reason) !== undefined) {
    const reason = textOf(first.reason)
    if (reason !== 'badRequest') return reason
  }
  for (const detail of Array.isArray(error.details) ? (error.details as unknown[]) : []) {
    if (isObject(detail) && textOf(detail.reason) !== undefined) return textOf(detail.reason)
  }
  return isObject(first) ? textOf(first.reason) : undefined
}

/** The reason, if it is a word that may be shown. */
function wordOf(reason: string | undefined): string | undefined {
  return reason !== undefined && /^[\w-]{1,64}$/.test(reason) ? reason : undefined
}

/** The time zone in which the service's daily limits are reset. */
export const dayZone = 'America/Los_Angeles'

/** Whether the daily allowance is used up. The reason alone may be that of a limit that passes in a minute. */
function isDaily(status: number, error: Readonly<Record<string, unknown>>): boolean {
  if (status !== 403 && status !== 429) return false
  const listed = [error.errors, error.details]
    .flatMap((list) => (Array.isArray(list) ? (list.slice(0, 20) as unknown[]) : []))
    .filter(isObject)
  return saysPerDay(
    error.message,
    ...listed.flatMap(({ message, reason }) => [message, reason]),
    ...listed.flatMap(({ metadata }) =>
      isObject(metadata) ? [metadata.quota_limit, metadata.quota_unit] : [],
    ),
  )
}

/** Whether a call for owner-only parts was refused because the caller does not own one of the videos. */
export const isAboutOwner = ({ extensions: { code, upstream } }: GraphQLError): boolean =>
  code === 'FORBIDDEN' && isObject(upstream) && upstream.reason === 'forbidden'

/** Reads failed responses. The result is undefined if the body has neither form of the service's errors. */
export function createFailureReader(): FailureReader {
  return readFailure
}

function readFailure({ status, headers, body, call }: FailedResponse): Failure | PlainFailure | undefined {
  const error = isObject(body) && isObject(body.error) ? body.error : undefined
  if (error === undefined) return undefined
  const reason = wordOf(reasonOf(error))
  const known = reason !== undefined && Object.hasOwn(readings, reason) ? readings[reason] : undefined
  const failure = ({ code, message = messageOf(error), retry = false }: Reading): Failure => {
    return { code, message, reason, retry }
  }
  if (known === quota || isDaily(status, error)) {
    const retryAfter = retryAfterSeconds(headers) ?? secondsToMidnight(dayZone)
    return { ...failure(quota), untilReset: true, retryAfter }
  }
  // A read gives the service nothing to process, so this is not the caller's fault.
  if (reason === 'processingFailure' && call.safe) return failure(failing)
  if (known !== undefined) return failure(known)
  if (ofCredential.has(reason)) return { status: 401, reason }
  if (status === 400 || status === 413) return failure({ code: 'BAD_USER_INPUT' })
  return status === 403 ? failure(refused) : { status, reason }
}

function messageOf(error: Readonly<Record<string, unknown>>): string {
  const message = publicMessage(error.message, { maxLength: 300 })
  return message === ''
    ? 'The video service does not accept this input.'
    : `The video service does not accept this: ${message}`
}
