/**
 * The meaning of the service's problems, in bodies of failed responses and inside successful ones.
 *
 * A problem's type decides, by its last segment, because the host before it has changed. Then come its title and
 * the old numeric codes, and the HTTP status last. 429 has two meanings: the rate-limit window, which passes, and
 * the plan's cap, which does not. 402 and some 403 are about the plan as well.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { retryAfterSeconds, sentAt } from '../../shared/http/retry.ts'
import { saysPerDay, secondsToMidnight } from '../kit/daily-limit.ts'
import { isObject, type Json, objectOf, objectsOf, tableOf, textOf } from '../kit/json.ts'
import {
  type FailedResponse,
  type Failure,
  type FailureReader,
  type Meaning,
  meaning,
} from '../kit/rest-client/index.ts'
import { publicMessage } from '../kit/service-message.ts'

export interface Problem {
  /** The last segment of its type, or its title in that form if the type says nothing. */
  readonly name: string
  readonly status: number | undefined
  readonly detail: string | undefined
  readonly parameter: string | undefined
  readonly value: string | undefined
  readonly resourceId: string | undefined
  readonly resourceType: string | undefined
  readonly field: string | undefined
  readonly reason: string | undefined
}

const capped = meaning(
  'QUOTA_EXCEEDED',
  "The plan's allowance of the short-message service is used up; waiting minutes does not help.",
)
const broke = meaning('QUOTA_EXCEEDED', 'The credit at the short-message service is used up.')
const limited = meaning('RATE_LIMITED', 'Too many calls to the short-message service.')
const hidden = meaning('FORBIDDEN', 'The short-message service does not show this to the caller.')
const failing = meaning('UPSTREAM_UNAVAILABLE', 'The short-message service is failing.', true)
const missing = meaning('NOT_FOUND', 'The short-message service has no such object.')
const forbidden = meaning(
  'FORBIDDEN',
  'The short-message service does not allow this to the app or its plan.',
)

const meanings = tableOf<Meaning>({
  'invalid-request': meaning('BAD_USER_INPUT', 'The short-message service refuses the request.'),
  'resource-not-found': missing,
  'not-authorized-for-resource': hidden,
  'not-authorized-for-field': hidden,
  'field-unauthorized': hidden,
  'resource-unavailable': meaning('FORBIDDEN', 'The short-message service does not show this at the moment.'),
  'disallowed-resource': hidden,
  'field-hydration-failure': failing,
  'internal-error': failing,
  'unsupported-authentication': meaning(
    'FORBIDDEN',
    "The short-message service requires a user's own credential for this, not an app's.",
  ),
  'client-forbidden': forbidden,
  'usage-capped': capped,
  usagecapexceeded: capped,
  credits: broke,
  'credits-depleted': broke,
  creditsdepleted: broke,
  'payment-required': broke,
  spendcapreached: meaning('QUOTA_EXCEEDED', 'The spend cap at the short-message service is reached.'),
  'rate-limit-exceeded': limited,
  'too-many-requests': limited,
  conflict: meaning('CONFLICT', 'The short-message service refuses this in the current state.'),
})

/** The numbers of the service's older errors. */
const oldNames: ReadonlyMap<unknown, string> = new Map([
  [34, 'resource-not-found'],
  [50, 'resource-not-found'],
  [63, 'resource-unavailable'],
  [88, 'rate-limit-exceeded'],
  [130, 'internal-error'],
  [131, 'internal-error'],
  [139, 'conflict'],
  [144, 'resource-not-found'],
  [179, 'not-authorized-for-resource'],
])

function problemFrom(json: Json): Problem {
  const type = textOf(json.type)
  const named =
    type === undefined || type === 'about:blank' ? undefined : type.slice(type.lastIndexOf('/') + 1)
  const title = textOf(json.title)?.toLowerCase().replace(/\s+/g, '-')
  const name =
    named !== undefined && meanings[named] !== undefined
      ? named
      : title !== undefined && meanings[title] !== undefined
        ? title
        : (oldNames.get(json.code) ?? named ?? title ?? '')
  return {
    name,
    status: typeof json.status === 'number' ? json.status : undefined,
    detail: textOf(json.detail) ?? textOf(json.message),
    parameter: textOf(json.parameter),
    value: textOf(json.value),
    resourceId: textOf(json.resource_id),
    resourceType: textOf(json.resource_type),
    field: textOf(json.field),
    reason: textOf(json.reason),
  }
}

export function problemsFrom(errors: unknown): Problem[] {
  return objectsOf(errors).map(problemFrom)
}

export function isNotFoundProblem(problem: Problem): boolean {
  return problem.name === 'resource-not-found'
}

/** For problems without a known name. */
const meaningsByStatus = new Map([
  [401, hidden],
  [403, hidden],
  [404, missing],
  [429, limited],
])

const nameForm = /^[a-z][a-z0-9-]{0,63}$/i

function reasonOf(problem: Problem | undefined): string | undefined {
  if (problem === undefined) return undefined
  const { name, reason } = problem
  const word = reason !== undefined && nameForm.test(reason) ? reason : name
  return nameForm.test(word) ? word : undefined
}

function meaningOf({ name, status = 0 }: Problem): Meaning {
  return meanings[name] ?? meaningsByStatus.get(status) ?? failing
}

/** The error of one object or field that is missing in a successful response. */
export function problemError(problem: Problem): GraphQLError {
  const { code, message } = meaningOf(problem)
  const upstream = { status: problem.status, reason: reasonOf(problem) }
  return tesseraError(code, message, { service: 'messages', upstream })
}

/** The error if the `errors` of a successful response say that a change was refused, and so was not made. */
export function refusedChange(errors: unknown): GraphQLError | undefined {
  const [problem] = problemsFrom(errors)
  return problem === undefined || meaningOf(problem) === failing ? undefined : problemError(problem)
}

/** A body is a problem, or a list of problems (or of older errors) under `errors`. */
function mainProblem(body: unknown): Problem | undefined {
  if (!isObject(body)) return undefined
  const outer = problemFrom(body)
  if (outer.name !== '') return outer
  return problemsFrom(body.errors)[0]
}

/** What the service says about the parameters of a refused request. Only that explains the caller's fault. */
function refusedParameters(body: unknown): string {
  const messages = objectsOf(objectOf(body).errors, 10).map((error) =>
    publicMessage(error.message, { maxLength: 300 }),
  )
  return publicMessage(messages.join(' '), { maxLength: 300 })
}

/** Seconds until a limit is reset. The service gives the absolute time in seconds. */
function secondsUntil(reset: unknown, now: number): number | undefined {
  const at = typeof reset === 'string' && /^\d{1,12}$/.test(reset) ? Number(reset) : undefined
  return at === undefined ? undefined : Math.max(0, Math.ceil(at - now / 1000))
}

/** Seconds until the daily limit is reset, if that is the one that is used up. */
function dayEndsIn(headers: FailedResponse['headers'], now: number): number | undefined {
  for (const scope of ['user', 'app']) {
    if (headers[`x-${scope}-limit-24hour-remaining`] === '0') {
      const seconds = secondsUntil(headers[`x-${scope}-limit-24hour-reset`], now)
      if (seconds !== undefined) return seconds
    }
  }
  return undefined
}

function isDaily(status: number, problem: Problem | undefined, body: unknown): boolean {
  if (status !== 403 && status !== 429) return false
  const { period, title } = objectOf(body)
  if (/^daily$/i.test(textOf(period) ?? '')) return true
  return saysPerDay(problem?.detail, problem?.reason, title)
}

/** Reads failed responses. `now` is the clock in milliseconds. */
export function createFailureReader(now: () => number): FailureReader {
  return ({ status, headers, body, call }) => {
    const problem = mainProblem(body)
    const plain = { status, reason: reasonOf(problem) }
    // What 401 means depends on whose credential was refused, which the shared REST client knows.
    if (status === 401) return plain
    const at = sentAt(headers, now())
    const ofDay = status === 429 ? dayEndsIn(headers, at) : undefined
    if (ofDay !== undefined || isDaily(status, problem, body)) {
      return {
        code: 'QUOTA_EXCEEDED',
        message: "The day's allowance of the short-message service for this is used up.",
        reason: reasonOf(problem),
        retry: false,
        untilReset: true,
        retryAfter: ofDay ?? retryAfterSeconds(headers) ?? secondsToMidnight('UTC', at),
      }
    }
    const found =
      (problem === undefined ? undefined : meanings[problem.name]) ??
      (status === 402 ? broke : status === 429 ? limited : undefined)
    if (isLike(call) && (found === undefined ? status === 403 : found === forbidden))
      return likeRefused(problem)
    if (found === undefined) return plain
    const shown = found.code === 'BAD_USER_INPUT' ? refusedParameters(body) : ''
    const retryAfter = found === limited ? secondsUntil(headers['x-rate-limit-reset'], at) : undefined
    return {
      code: found.code,
      message: shown === '' ? found.message : `The short-message service answered: ${shown}`,
      reason: reasonOf(problem),
      retryAfter,
      // A rate limit whose end is unknown is not worth another call.
      retry: found.retry || (found === limited && retryAfter !== undefined),
    }
  }
}

const isLike = ({ operation }: FailedResponse['call']): boolean =>
  operation === 'messages.like' || operation === 'messages.unlike'

/** The service has closed liking to most plans, and says so in several ways. */
function likeRefused(problem: Problem | undefined): Failure {
  return {
    code: 'FORBIDDEN',
    message:
      'The short-message service refuses to change the like. It offers this only to enterprise plans, and only for the ' +
      "credential's own user.",
    reason: reasonOf(problem),
    retry: false,
  }
}
