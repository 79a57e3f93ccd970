/**
 * What a failed response of the metrics service means. The envelope's `errorType` decides, the status only
 * where there is none (VictoriaMetrics writes the status there; proxies and a starting server write plain
 * text).
 *
 * The service's own message is passed on, sanitized, where it explains what is wrong with the caller's expression or
 * arguments; everything else stays out of messages.
 */

import type { UpstreamCall } from '../../contract/upstream.ts'
import { publicMessage } from '../kit/service-message.ts'
import type { Failure, FailureReader } from '../kit/upstream/index.ts'
import { type Envelope, envelopeFrom } from './envelope.ts'

/** A failed response that holds data all the same. */
export interface PartialResponse {
  readonly status: number
  readonly envelope: Envelope
}

/** Reads failed responses; those that hold data are kept for their call, and the client reads them as responses. */
export function createFailureReader(): {
  readonly read: FailureReader
  readonly partialOf: (call: UpstreamCall) => PartialResponse | undefined
} {
  const kept = new WeakMap<UpstreamCall, PartialResponse>()
  return {
    read({ status, body, call }) {
      const failure = failureFrom(status, body)
      const envelope = envelopeFrom(body)
      if (failure === undefined || envelope?.data == null) return failure
      kept.set(call, { status, envelope })
      return { ...failure, retry: false }
    },
    partialOf: (call) => kept.get(call),
  }
}

export function failureFrom(status: number, body: unknown): Failure | undefined {
  const envelope = envelopeFrom(body)
  return envelope === undefined ? failureOfStatus(status) : failureOfEnvelope(status, envelope)
}

/** `bad_data` and `execution` both say that this expression cannot be evaluated as it is written. */
function failureOfEnvelope(status: number, { errorType, error }: Envelope): Failure | undefined {
  switch (errorType) {
    case 'bad_data':
      return refused(error, 'bad_data')
    case 'execution':
      return refused(error, 'execution')
    case 'timeout':
      return {
        code: 'UPSTREAM_TIMEOUT',
        message: 'The metrics service did not finish the query within its timeout.',
        reason: 'timeout',
        retry: false,
      }
    case 'canceled':
      return unavailable('The metrics service gave the query up before it was finished.', 'canceled')
    case 'unavailable':
      return unavailable('The metrics service is not ready yet.', 'unavailable')
    case 'internal':
      return {
        code: 'UPSTREAM_UNAVAILABLE',
        message: 'The metrics service failed to read its storage.',
        reason: 'internal',
        retry: false,
      }
    case 'not_found':
      return {
        code: 'NOT_FOUND',
        message: 'The metrics service does not have what was asked for.',
        reason: 'not_found',
        retry: false,
      }
    case 'not_acceptable':
      return {
        code: 'UPSTREAM_BAD_RESPONSE',
        message: 'The metrics service cannot answer in JSON.',
        reason: 'not_acceptable',
        retry: false,
      }
    default:
      return status === 400 || status === 422 ? refused(error, errorType) : failureOfStatus(status, errorType)
  }
}

/** A 400, 404 or 405 without an envelope does not come from the API: what is called is no metrics service. */
function failureOfStatus(status: number, reason?: string): Failure | undefined {
  if (status === 503) return unavailable('The metrics service is starting, stopping or overloaded.', reason)
  if (status < 400 || [400, 404, 405, 406, 415, 422].includes(status)) {
    return {
      code: 'UPSTREAM_BAD_RESPONSE',
      message: 'What answers as the metrics service does not speak its API.',
      reason,
      retry: false,
    }
  }
  return undefined
}

function refused(message: string | undefined, reason: string | undefined): Failure {
  const explained = publicMessage(message, { maxLength: 1000 })
  return {
    code: 'BAD_USER_INPUT',
    message: explained === '' ? 'The metrics service refused the query.' : explained,
    reason,
    retry: false,
  }
}

function unavailable(message: string, reason: string | undefined): Failure {
  return { code: 'UPSTREAM_UNAVAILABLE', message, reason, retry: true }
}
