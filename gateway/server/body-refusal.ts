/** Why the body of a request cannot be used, as its response says: the status, the error, and headers that belong to it. */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { acceptedCodings } from '../../shared/http/codings.ts'
import { mostWindowBits } from '../../shared/http/compression-window.ts'
import type { NotDecoded } from '../../shared/http/decoders.ts'
import type { NoBody } from './body.ts'

export interface BodyRefusal {
  readonly status: number
  readonly error: GraphQLError
  /** Names and values in turn. */
  readonly head: readonly string[]
}

const none: readonly string[] = []

/** The only reason that has a number in it. */
function tooLarge(maxBytes: number): BodyRefusal {
  const error = tesseraError('REQUEST_TOO_LARGE', `The request body is larger than ${maxBytes} bytes.`)
  return { status: 413, error, head: none }
}

const others: Readonly<Record<Exclude<NoBody | NotDecoded, 'too-large'> | 'uncoded', BodyRefusal>> = {
  late: {
    status: 408,
    error: tesseraError('REQUEST_TIMEOUT', 'The request body did not arrive in time.'),
    head: none,
  },
  busy: {
    status: 503,
    error: tesseraError('SERVICE_BUSY', 'Too many large or compressed requests arrive at the same time.', {
      retryAfter: 1,
    }),
    head: ['retry-after', '1'],
  },
  garbled: {
    status: 400,
    error: tesseraError('BAD_REQUEST', 'The body does not have the coding that Content-Encoding names.'),
    head: none,
  },
  window: {
    status: 400,
    error: tesseraError(
      'BAD_REQUEST',
      `The body is compressed with a window of more than 2^${mostWindowBits} bytes: compress it with a smaller one.`,
    ),
    head: none,
  },
  // It names the supported codings (RFC 9110, section 15.5.16).
  uncoded: {
    status: 415,
    error: tesseraError('BAD_REQUEST', `The coding of the body must be one of ${acceptedCodings}.`),
    head: ['accept-encoding', acceptedCodings],
  },
}

export function bodyRefusal(why: NoBody | NotDecoded | 'uncoded', maxBytes: number): BodyRefusal {
  return why === 'too-large' ? tooLarge(maxBytes) : others[why]
}
