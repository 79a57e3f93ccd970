/** The refusal of a request that would wait too long; made once, because it must cost next to nothing. */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { jsonText } from '../../shared/json/byte-string.ts'

/** Seconds: different ones, so that clients that were refused together do not return together. */
const waits = [1, 2, 3] as const

const errors = waits.map((retryAfter) =>
  tesseraError('SERVICE_BUSY', 'More requests arrive than can be answered in time.', { retryAfter }),
)
const responses = errors.map((error, at) => ({
  status: 503,
  /** Names and values in turn, without the content type. */
  head: ['retry-after', String(waits[at])],
  body: jsonText({ errors: [error] }),
}))

let turn = 0

export function busyResponse() {
  turn = (turn + 1) % responses.length
  return responses[turn] as (typeof responses)[number]
}

/** The same for a message that no HTTP response answers. */
export function busyError(): GraphQLError {
  turn = (turn + 1) % errors.length
  return errors[turn] as GraphQLError
}
