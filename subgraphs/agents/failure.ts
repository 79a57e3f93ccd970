/**
 * The meaning of the service's failures. They have the form `google.rpc.Status`, in the body of a failed response
 * and as data (a webhook's status, an operation's error).
 *
 * The status's name decides, never the HTTP status alone. The service's own words are passed on only if they
 * explain the caller's fault, and then without names of projects, Java classes, addresses or accounts.
 */
import type { GraphQLError } from 'graphql'
import { codeOf, type ErrorCode } from '../../shared/errors.ts'
import { retryAfterSeconds } from '../../shared/http/retry.ts'
import { saysPerDay, secondsToMidnight } from '../kit/daily-limit.ts'
import { isObject, type Json, objectOf, objectsOf } from '../kit/json.ts'
import type { FailedResponse, Failure, FailureReader, PlainFailure } from '../kit/rest-client/index.ts'
import { publicMessage } from '../kit/service-message.ts'

interface Meaning {
  readonly code: ErrorCode
  readonly retry: boolean
  readonly message: string
  /** Whether the service's own message is shown, if there is one. */
  readonly showsMessage: boolean
}

/** In the order of their gRPC numbers, because data have the number and bodies of responses the name. */
const statusNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const

type StatusName = (typeof statusNames)[number]

const meaning = (code: ErrorCode, message: string, more?: Partial<Meaning>): Meaning => ({
  ...{ code, message, retry: false, showsMessage: false },
  ...more,
})

const shown = { showsMessage: true }
const again = { retry: true }
const failing = meaning('UPSTREAM_UNAVAILABLE', 'The agents service is failing.', again)

/**
 * UNAUTHENTICATED is missing, because its meaning depends on whose credential it was. The HTTP status decides
 * there.
 */
const meanings: Readonly<Record<Exclude<StatusName, 'UNAUTHENTICATED'>, Meaning>> = {
  OK: failing,
  CANCELLED: meaning('UPSTREAM_UNAVAILABLE', 'The agents service abandoned the call.'),
  UNKNOWN: failing,
  INVALID_ARGUMENT: meaning('BAD_USER_INPUT', 'The agents service refuses the input.', shown),
  DEADLINE_EXCEEDED: meaning('UPSTREAM_TIMEOUT', 'The agents service did not finish in time.', again),
  NOT_FOUND: meaning('NOT_FOUND', 'The agents service has no object of this name.', shown),
  ALREADY_EXISTS: meaning('CONFLICT', 'It exists already.', shown),
  PERMISSION_DENIED: meaning(
    'FORBIDDEN',
    'The agents service does not allow this with the given credential.',
  ),
  RESOURCE_EXHAUSTED: meaning('RATE_LIMITED', 'Too many calls to the agents service.', again),
  FAILED_PRECONDITION: meaning('CONFLICT', 'The agent is in a state that does not allow this.', shown),
  ABORTED: meaning('CONFLICT', 'Somebody else changed the same object at the same time.'),
  OUT_OF_RANGE: meaning('BAD_USER_INPUT', 'The agents service refuses a value.', shown),
  UNIMPLEMENTED: meaning('UPSTREAM_UNAVAILABLE', 'The agents service does not offer this.'),
  INTERNAL: failing,
  UNAVAILABLE: failing,
  DATA_LOSS: { ...failing, retry: false },
}

export function statusNameOf(code: unknown): string {
  return typeof code === 'number' ? (statusNames[code] ?? 'UNKNOWN') : 'UNKNOWN'
}

/** Whether the service said that the object does not exist. */
export function isNotFound(error: unknown): boolean {
  return codeOf(error) === 'NOT_FOUND'
}

/** Whether it said so in its own form, and not a proxy in front of it. */
export function isOwnNotFound(error: unknown): boolean {
  if (!isNotFound(error)) return false
  const { upstream } = (error as GraphQLError).extensions
  return isObject(upstream) && upstream.reason !== undefined
}

const mostDetails = 20

function detailOf(details: readonly Json[], type: string): Json | undefined {
  return details.find((detail) => String(detail['@type']).endsWith(`google.rpc.${type}`))
}

function secondsOf(duration: unknown): number | undefined {
  if (typeof duration !== 'string' || !/^\d+(?:\.\d+)?s$/.test(duration)) return undefined
  return Math.ceil(Number(duration.slice(0, -1)))
}

/** Our own name of what is shown of a detail, the detail's type, its list, and the members that are shown. */
const shownDetails = [
  ['fieldViolations', 'BadRequest', 'fieldViolations', ['field', 'description']],
  ['preconditionViolations', 'PreconditionFailure', 'violations', ['type', 'description']],
  ['quotaViolations', 'QuotaFailure', 'violations', ['description']],
] as const

/** Details that help a caller, under our own names; undefined if there are none. */
function extensionsOf(details: readonly Json[], names: readonly string[]): Json | undefined {
  const extensions = shownDetails.flatMap(([name, type, list, members]) => {
    const violations = objectsOf(detailOf(details, type)?.[list], mostDetails).map((violation) =>
      Object.fromEntries(members.map((member) => [member, publicMessage(violation[member], { names })])),
    )
    return violations.length === 0 ? [] : [[name, violations] as const]
  })
  return extensions.length === 0 ? undefined : Object.fromEntries(extensions)
}

/** The time zone in which the service's daily limits are reset. */
const dayZone = 'America/Los_Angeles'

/** Whether a daily quota is used up, so that waiting minutes does not help. */
function isDaily(status: number, message: unknown, details: readonly Json[]): boolean {
  if (status !== 403 && status !== 429) return false
  const { reason, metadata } = detailOf(details, 'ErrorInfo') ?? {}
  const { quota_limit: named, quota_unit: unit } = objectOf(metadata)
  const violations = objectsOf(detailOf(details, 'QuotaFailure')?.violations, mostDetails)
  return saysPerDay(message, reason, named, unit, ...violations.map(({ description }) => description))
}

/** The project of a call, so that its name can be kept out of messages. */
function projectOf(path: string): string | undefined {
  const segment = /\/projects\/([^/:?]+)/.exec(path)?.[1]
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Reads failed responses. The result is undefined if the body is no `google.rpc.Status`, and then the HTTP status
 * alone decides.
 */
export function createFailureReader(): FailureReader {
  return readFailure
}

function readFailure({ status, headers, body, call }: FailedResponse): Failure | PlainFailure | undefined {
  const { error } = objectOf(body)
  if (!isObject(error)) return undefined
  // The contract does not say the form of errors, so the name may be missing.
  const hasNumberAlone = status === 404 && error.status === undefined && error.code === 404
  const name = hasNumberAlone ? 'NOT_FOUND' : statusNames.find((known) => known === error.status)
  if (name === undefined || name === 'OK' || name === 'UNAUTHENTICATED') return undefined
  const details = objectsOf(error.details, mostDetails)
  const reason = detailOf(details, 'ErrorInfo')?.reason
  // The credential is refused, whatever the status is. The shared REST client knows whose credential it was.
  if (reason === 'API_KEY_INVALID') return { status: 401, reason }
  const project = projectOf(call.path)
  const names = project === undefined ? [] : [project]
  const { code, message, retry, showsMessage } = meanings[name]
  const words = showsMessage ? publicMessage(error.message, { names }) : ''
  const retryAfter = secondsOf(detailOf(details, 'RetryInfo')?.retryDelay) ?? retryAfterSeconds(headers)
  const common = {
    reason: typeof reason === 'string' && /^[A-Z0-9_]{1,63}$/.test(reason) ? reason : name,
    extensions: extensionsOf(details, names),
  }
  if (isDaily(status, error.message, details))
    return {
      ...common,
      code: 'QUOTA_EXCEEDED',
      message: "The day's quota of the agents service is used up.",
      retry: false,
      untilReset: true,
      retryAfter: retryAfter ?? secondsToMidnight(dayZone),
    }
  return {
    ...common,
    code,
    message: words === '' ? message : `The agents service answered: ${words}`,
    // If no waiting time is known, trying again at once would only make it worse.
    retry: retry && (name !== 'RESOURCE_EXHAUSTED' || retryAfter !== undefined),
    retryAfter,
  }
}
