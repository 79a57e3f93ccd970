/** The refusal of a request that would wait too long; made once, because it must cost next to nothing. */
import { tesseraError } from '../../shared/errors.ts'
import { jsonText } from '../../shared/json/byte-string.ts'

/** After different seconds, so that clients that were refused together do not return together. */
const refusals = [1, 2, 3].map((retryAfter) => {
  const message = 'More requests arrive than can be answered in time.'
  const error = tesseraError('SERVICE_BUSY', message, { retryAfter })
  return {
    /** For a message that no HTTP response answers. */
    error,
    status: 503,
    /** Names and values in turn, without the content type. */
    head: ['retry-after', String(retryAfter)],
    body: jsonText({ errors: [error] }),
  }
})

let turn = 0

export function busyRefusal() {
  turn = (turn + 1) % refusals.length
  return refusals[turn] as (typeof refusals)[number]
}
