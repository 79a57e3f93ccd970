/**
 * The error for each failure: by its status, by how the response was lost, or refused before the call was sent.
 */
import { describe, expect, test } from 'vitest'
import { statusOfError } from '../../../../shared/errors.ts'
import type { LossReason } from '../../../../shared/http/dispatch-request.ts'
import {
  errorOf,
  Failed,
  failureOfLoss,
  failureOfStatus,
  refusal,
  withUnknownOutcome,
} from '../../../../subgraphs/kit/rest-client/failure.ts'

type Row = readonly [code: string, retry: boolean, message: string]

const wrong: Row = ['BAD_USER_INPUT', false, 'The videos service refuses the request as invalid.']
const long: Row = [
  'BAD_USER_INPUT',
  false,
  'The arguments are longer than the videos service accepts in one call.',
]
const missing: Row = ['NOT_FOUND', false, 'The videos service has no such object.']
const conflict: Row = ['CONFLICT', false, "The videos service refuses this in the object's current state."]
const odd: Row = ['UPSTREAM_BAD_RESPONSE', false, 'The videos service returned an unexpected status.']
const late = 'The videos service did not answer in time.'

const statuses: readonly (readonly [number, Row])[] = [
  [204, odd],
  [304, odd],
  [400, wrong],
  [402, odd],
  [403, ['FORBIDDEN', false, 'The videos service refuses this.']],
  [404, missing],
  [405, odd],
  [408, ['UPSTREAM_TIMEOUT', false, late]],
  [409, conflict],
  [410, missing],
  [412, conflict],
  [413, wrong],
  [414, long],
  [422, wrong],
  [429, ['RATE_LIMITED', false, 'The videos service was called too often.']],
  [431, long],
  [499, odd],
  [500, ['UPSTREAM_UNAVAILABLE', false, 'The videos service failed.']],
  [502, ['UPSTREAM_UNAVAILABLE', true, 'The videos service failed.']],
  [503, ['UPSTREAM_UNAVAILABLE', true, 'The videos service failed.']],
  [504, ['UPSTREAM_TIMEOUT', true, late]],
  [505, ['UPSTREAM_UNAVAILABLE', false, 'The videos service failed.']],
]

const answer = (status: number, more = {}) => ({
  status,
  retryAfter: undefined,
  foreign: false,
  forwarded: false,
  ...more,
})

describe('a status', () => {
  test.each(statuses)('%i', (status, [code, retry, message]) => {
    expect(failureOfStatus('videos', answer(status))).toEqual({ code, message, retry })
    // What came and whose credential it was matter for a few alone.
    if (status !== 404 && status !== 410)
      expect(failureOfStatus('videos', answer(status, { foreign: true, forwarded: true }))).toEqual({
        code,
        message,
        retry,
      })
  })

  test('401 is the caller’s to mend if the credential was the caller’s', () => {
    expect(failureOfStatus('videos', answer(401, { forwarded: true }))).toEqual({
      code: 'UNAUTHENTICATED',
      message: "The videos service does not accept the caller's credential.",
      retry: false,
    })
    expect(failureOfStatus('videos', answer(401))).toEqual({
      code: 'UPSTREAM_UNAVAILABLE',
      message: "The videos service does not accept this server's credential.",
      reason: 'credentialRefused',
      retry: false,
    })
  })

  test.each([404, 410])('%i is not that of an object if no JSON came', (status) => {
    const [code, retry, message] = odd
    expect(failureOfStatus('videos', answer(status, { foreign: true }))).toEqual({ code, message, retry })
  })

  test('429 may be tried again if the service says when', () => {
    expect(failureOfStatus('videos', answer(429, { retryAfter: 0 })).retry).toBe(true)
    expect(failureOfStatus('videos', answer(400, { retryAfter: 1 })).retry).toBe(false)
  })
})

test.each<[LossReason, Row, string]>([
  ['timeout', ['UPSTREAM_TIMEOUT', false, late], 'timeout'],
  [
    'cancelled',
    ['UPSTREAM_TIMEOUT', false, 'The request ended before the videos service answered.'],
    'cancelled',
  ],
  ['connection', ['UPSTREAM_UNAVAILABLE', true, 'The videos service cannot be reached.'], 'connection'],
  ['truncated', ['UPSTREAM_BAD_RESPONSE', true, 'The videos service broke off its response.'], 'truncated'],
  [
    'garbled',
    ['UPSTREAM_BAD_RESPONSE', false, 'The videos service returned an unreadable response.'],
    'garbled',
  ],
  [
    'too-large',
    ['UPSTREAM_BAD_RESPONSE', false, 'The videos service returned too long a response.'],
    'tooLarge',
  ],
  [
    'unsendable',
    ['INTERNAL_SERVER_ERROR', false, 'The call to the videos service could not be made.'],
    'unsendable',
  ],
])('an answer that was lost by %s', (loss, [code, retry, message], reason) => {
  expect(failureOfLoss('videos', loss)).toEqual({ code, message, reason, retry })
})

test.each([
  ['breaker', 'UPSTREAM_UNAVAILABLE', 'The videos service is failing and is not called for now.'],
  ['full', 'UPSTREAM_UNAVAILABLE', 'Too many calls to the videos service are waiting.'],
  ['stopping', 'SERVICE_STOPPING', 'This server is shutting down.'],
  ['caller', 'FORBIDDEN', 'The videos service cannot be used by this caller: there is no token for it.'],
  ['credential', 'UPSTREAM_UNAVAILABLE', 'No token for the videos service could be fetched.'],
] as const)('a call that is refused for %s', (why, code, message) => {
  expect(refusal('videos', why, 7)).toEqual({ code, message, reason: why, retryAfter: 7, retry: false })
})

test('a write that may have been made says so, beside what it said before', () => {
  const failure = {
    code: 'UPSTREAM_TIMEOUT',
    message: 'Late.',
    retry: false,
    extensions: { quota: 1 },
  } as const
  expect(withUnknownOutcome(failure)).toEqual({
    ...failure,
    message: 'Late. Whether the change was made is unknown.',
    extensions: { quota: 1, outcome: 'unknown' },
  })
})

test('the error has the code, the service, its status and reason, and keeps the cause', () => {
  const failure = {
    ...failureOfLoss('videos', 'connection'),
    retryAfter: 3,
    extensions: { outcome: 'unknown' },
  }
  const cause = new Error('reset')
  const error = errorOf('videos', failure, 502, cause)
  expect(error.message).toBe('The videos service cannot be reached.')
  expect(error.extensions).toEqual({
    code: 'UPSTREAM_UNAVAILABLE',
    service: 'videos',
    upstream: { status: 502, reason: 'connection' },
    retryAfter: 3,
    outcome: 'unknown',
  })
  expect(error.originalError).toBe(cause)
  expect(statusOfError(error)).toBe(503)
  const failed = new Failed(failure, cause)
  expect([failed.message, failed.failure, failed.cause]).toEqual([failure.message, failure, cause])
})

test.each([
  [
    'Field <b>x</b> of http://10.1.2.3/ is wrong',
    'The videos service refuses the request: Field x of … is wrong',
  ],
  ['400 Bad Request', 'The videos service refuses the request as invalid.'],
  [undefined, 'The videos service refuses the request as invalid.'],
])('of a refusal in plain text the words are shown, if there are any: %j', (text, message) => {
  for (const status of [400, 413, 422]) {
    expect(failureOfStatus('videos', answer(status, { text }))).toMatchObject({
      code: 'BAD_USER_INPUT',
      message,
    })
  }
  // The words of what is no fault of the caller stay in the log.
  expect(failureOfStatus('videos', answer(500, { text })).message).toBe('The videos service failed.')
})
