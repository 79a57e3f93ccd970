/**
 * Maps the service's errors to our codes. The reason decides, never the status alone, because 403 has a dozen
 * meanings. The service's message is passed on, sanitized, only if it explains the caller's fault.
 */
import type { GraphQLError } from 'graphql'
import { retryAfterSeconds } from '../../shared/http/retry.ts'
import { saysPerDay, secondsToMidnight } from '../kit/daily-limit.ts'
import { isObject, objectOf, objectsOf, tableOf, textOf } from '../kit/json.ts'
import {
  type FailedResponse,
  type Failure,
  type FailureReader,
  type Meaning,
  meaning,
  type PlainFailure,
} from '../kit/rest-client/index.ts'
import { publicMessage, wordOf } from '../kit/service-message.ts'

const quota = meaning('QUOTA_EXCEEDED', "The video service's quota is used up until its day ends.")
const tooFast = meaning('RATE_LIMITED', 'The video service accepts no more calls at the moment.', true)
const refused = meaning('FORBIDDEN', 'The video service does not allow this to the caller.')
const failing = meaning('UPSTREAM_UNAVAILABLE', 'The video service is failing.', true)
const changed = meaning('CONFLICT', 'The video was changed meanwhile.')

const meanings = tableOf<Meaning>({
  quotaExceeded: quota,
  dailyLimitExceeded: quota,
  uploadLimitExceeded: meaning('QUOTA_EXCEEDED', "The channel's daily limit of uploads is reached."),
  rateLimitExceeded: tooFast,
  userRateLimitExceeded: tooFast,
  servingLimitExceeded: tooFast,
  concurrentLimitExceeded: tooFast,
  forbidden: refused,
  insufficientPermissions: refused,
  SERVICE_UNAVAILABLE: refused,
  commentsDisabled: meaning('FORBIDDEN', 'Comments are switched off for this video.'),
  invalidPageToken: meaning(
    'BAD_USER_INPUT',
    'The cursor is no longer valid for this list: start again without it.',
  ),
  videoNotFound: meaning('NOT_FOUND', 'There is no such video.'),
  channelNotFound: meaning('NOT_FOUND', 'There is no such channel.'),
  commentThreadNotFound: meaning('NOT_FOUND', 'There is no such comment thread.'),
  videoChartNotFound: meaning('NOT_FOUND', 'There is no such chart for this region and category.'),
  conflict: changed,
  conditionNotMet: changed,
  backendError: failing,
  internalError: failing,
  notReady: failing,
})

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
function reasonOf({ errors, details }: Readonly<Record<string, unknown>>): string | undefined {
  const listed = textOf(objectsOf(errors, 1)[0]?.reason)
  if (listed !== undefined && listed !== 'badRequest') return listed
  const detailed = objectsOf(details).map(({ reason }) => textOf(reason))
  return detailed.find((reason) => reason !== undefined) ?? listed
}

/** The time zone in which the service's daily limits are reset. */
const dayZone = 'America/Los_Angeles'

/** Whether the daily allowance is used up. The reason alone may be that of a limit that passes in a minute. */
function isDaily(status: number, error: Readonly<Record<string, unknown>>): boolean {
  if (status !== 403 && status !== 429) return false
  const listed = [error.errors, error.details].flatMap((list) => objectsOf(list, 20))
  return saysPerDay(
    error.message,
    ...listed.flatMap(({ message, reason, metadata }) => {
      const { quota_limit: named, quota_unit: unit } = objectOf(metadata)
      return [message, reason, named, unit]
    }),
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
  const { error } = objectOf(body)
  if (!isObject(error)) return undefined
  const reason = wordOf(reasonOf(error))
  const known = meanings[reason ?? '']
  const failure = (means: Meaning): Failure => ({ ...means, reason })
  if (known === quota || isDaily(status, error)) {
    const retryAfter = retryAfterSeconds(headers) ?? secondsToMidnight(dayZone)
    return { ...failure(quota), untilReset: true, retryAfter }
  }
  if (known !== undefined) return failure(known)
  if (ofCredential.has(reason)) return { status: 401, reason }
  const isUnprocessed = reason === 'processingFailure'
  // A read gives the service nothing to process, so this is not the caller's fault.
  if (isUnprocessed && call.safe) return failure(failing)
  if (isUnprocessed || status === 400 || status === 413)
    return failure(meaning('BAD_USER_INPUT', messageOf(error)))
  return status === 403 ? failure(refused) : { status, reason }
}

function messageOf(error: Readonly<Record<string, unknown>>): string {
  const message = publicMessage(error.message, { maxLength: 300 })
  return message === ''
    ? 'The video service does not accept this input.'
    : `The video service does not accept this: ${message}`
}
