/** Converts the HTTP response of a remote subgraph into a result: GraphQL of any status, or one error with a code. */
import { type ErrorCode, tesseraError } from '../../../shared/errors.ts'
import type { CancelReason } from '../../../shared/http/cancellation.ts'
import type { HttpResult } from '../../../shared/http/dispatch-request.ts'
import { retryAfterSeconds } from '../../../shared/http/retry.ts'
import { withoutByteOrderMark } from '../../../shared/json/byte-order-mark.ts'
import { parseExactly } from '../../../shared/json/exact-number.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { mostErrors } from '../../executor/error-list.ts'
import type { SubgraphResult } from '../subgraph-fetch.ts'
import { NotSent } from './guard.ts'
import type { ErrorReader } from './subgraph-errors.ts'

export const unsendableMessage = 'The subgraph could not be called.'

interface Details {
  /** 0 if there is no response. */
  readonly status?: number
  readonly cause?: unknown
  readonly retryAfter?: number | undefined
}

export function failed(
  service: string,
  code: ErrorCode,
  message: string,
  { status = 0, cause, retryAfter }: Details = {},
): SubgraphResult {
  const upstream = status === 0 ? undefined : { status }
  return { errors: [tesseraError(code, message, { service, upstream, cause, retryAfter })] }
}

export function lost(service: string, why: CancelReason): SubgraphResult {
  return failed(
    service,
    'UPSTREAM_TIMEOUT',
    why === 'timeout' ? `The subgraph ${service} did not answer in time.` : 'The request was cancelled.',
  )
}

const unreadable = (service: string, how: string, details: Details): SubgraphResult =>
  failed(service, 'UPSTREAM_BAD_RESPONSE', `The response of the subgraph ${service} ${how}.`, details)

export function resultOf(
  service: string,
  { loss, status, headers, body, cause }: HttpResult,
  errorFrom: ErrorReader,
): SubgraphResult {
  switch (loss) {
    case undefined:
      return {
        ...read(service, status, retryAfterSeconds(headers), body, errorFrom),
        answered: { status, headers },
      }
    case 'timeout':
    case 'cancelled':
      return lost(service, loss)
    case 'connection':
      if (cause instanceof NotSent)
        return failed(service, 'UPSTREAM_UNAVAILABLE', cause.message, { retryAfter: cause.retryAfter })
      return failed(service, 'UPSTREAM_UNAVAILABLE', `The subgraph ${service} cannot be reached.`, { cause })
    case 'truncated':
    case 'garbled':
      return unreadable(service, 'broke off', { status, cause })
    case 'too-large':
      return unreadable(service, 'is too large', { status })
    case 'unsendable':
      return failed(service, 'INTERNAL_SERVER_ERROR', unsendableMessage, { cause })
  }
}

export function read(
  service: string,
  status: number,
  retryAfter: number | undefined,
  body: Buffer,
  errorFrom: ErrorReader,
): SubgraphResult {
  let json: unknown
  let cause: unknown
  try {
    json = parseExactly(withoutByteOrderMark(body.toString('utf8')))
  } catch (error) {
    cause = error
  }
  const answer = graphqlAnswer(json)
  if (answer === undefined) {
    if (status >= 500 || status === 429) {
      const details = { status, retryAfter, cause }
      return failed(service, 'UPSTREAM_UNAVAILABLE', `The subgraph ${service} is failing.`, details)
    }
    const message = `The subgraph ${service} did not answer with GraphQL.`
    return failed(service, 'UPSTREAM_BAD_RESPONSE', message, { status, cause })
  }
  const { data, errors: written } = answer
  const errors = written.length === 0 ? undefined : written.slice(0, mostErrors).map(errorFrom)
  if (data == null && errors === undefined) {
    const message = `The subgraph ${service} answered without data.`
    return failed(service, 'UPSTREAM_BAD_RESPONSE', message, { status })
  }
  return errors === undefined ? { data } : { data, errors, moreErrors: written.length > mostErrors }
}

interface GraphQLAnswer {
  readonly data: Record<string, unknown> | null | undefined
  readonly errors: readonly unknown[]
}

/** The GraphQL response, whatever its status: servers may send errors with any status. */
function graphqlAnswer(answer: unknown): GraphQLAnswer | undefined {
  if (!isObject(answer)) return undefined
  const { data, errors } = answer
  const hasData = Object.hasOwn(answer, 'data')
  if (hasData && data !== null && !isObject(data)) return undefined
  if (errors != null && !Array.isArray(errors)) return undefined
  if (!hasData && (errors == null || errors.length === 0)) return undefined
  return { data: data as GraphQLAnswer['data'], errors: errors ?? [] }
}
