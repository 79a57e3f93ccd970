/**
 * Why the server refuses a request before anything of it runs. Each error knows its HTTP status (`statusOfError`), and
 * its response has the headers that belong to it.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { acceptedCodings } from '../../shared/http/codings.ts'
import { mostWindowBits } from '../../shared/http/compression-window.ts'
import type { NotDecoded } from '../../shared/http/decoders.ts'
import { jsonType, type NoBody } from './body.ts'

const badRequest = (message: string, status?: number) => tesseraError('BAD_REQUEST', message, { status })
const tooLarge = (message: string, status?: number) => tesseraError('REQUEST_TOO_LARGE', message, { status })

export const refusals = {
  // The head of the request.
  unreadable: badRequest('The HTTP request cannot be read.'),
  noHost: badRequest('The header Host is missing.'),
  hosts: badRequest('There is more than one header Host.'),
  expectation: badRequest('The only supported expectation is 100-continue.', 417),
  transferCoding: badRequest('The only supported transfer coding is chunked.', 501),
  lateHead: tesseraError('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
  longHead: tooLarge('The headers are too long.', 431),
  longChunks: tooLarge('The extensions of the chunks are too long.'),
  stopping: tesseraError('SERVICE_STOPPING', 'This server is shutting down.'),
  // Its body.
  late: tesseraError('REQUEST_TIMEOUT', 'The request body did not arrive in time.'),
  busy: tesseraError('SERVICE_BUSY', 'Too many large or compressed requests arrive at the same time.', {
    retryAfter: 1,
  }),
  empty: badRequest('The request has no body.'),
  uncoded: badRequest(`The coding of the body must be one of ${acceptedCodings}.`, 415),
  garbled: badRequest('The body does not have the coding that Content-Encoding names.'),
  window: badRequest(
    `The body is compressed with a window of more than 2^${mostWindowBits} bytes: compress it with a smaller one.`,
  ),
} as const satisfies Readonly<Record<string, GraphQLError>>

/** Why a body cannot be used, if it may have so many bytes. */
export const bodyRefusal = (why: NoBody | NotDecoded, maxBytes: number): GraphQLError =>
  why === 'too-large' ? tooLarge(`The request body is larger than ${maxBytes} bytes.`) : refusals[why]

/** What the client is told of a failure of our own, whose cause the log has. */
export const failureOf = (id: string): GraphQLError =>
  tesseraError('INTERNAL_SERVER_ERROR', `Internal error. The log has it under ${id}.`)

const heads: ReadonlyMap<GraphQLError, readonly string[]> = new Map([
  [refusals.stopping, ['retry-after', '1', 'connection', 'close']],
  [refusals.busy, ['retry-after', '1']],
  // It names the supported codings (RFC 9110, section 15.5.16).
  [refusals.uncoded, ['accept-encoding', acceptedCodings]],
])

/** The headers of the response to a refused request: names and values in turn. */
export const refusalHead = (error: GraphQLError): readonly string[] => [
  'content-type',
  jsonType,
  ...(heads.get(error) ?? []),
]
