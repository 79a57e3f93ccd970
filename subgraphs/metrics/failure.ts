/**
 * The meaning of a failed response. The envelope's `errorType` decides, and the status only if there is none. Proxies
 * refuse in plain text. Servers also blame a query if they could not evaluate it themselves, which their texts tell.
 * The service's own message is passed on if it explains a fault in the caller's expression or arguments.
 */

import type { ErrorCode } from '../../shared/errors.ts'
import type { UpstreamCall } from '../../shared/upstream.ts'
import { saysPerDay } from '../kit/daily-limit.ts'
import { isObject, objectOf, tableOf, textOf } from '../kit/json.ts'
import type { Failure, FailureReader } from '../kit/rest-client/index.ts'
import { parseJson } from '../kit/rest-client/json.ts'
import { plainMessage, publicMessage, wordOf } from '../kit/service-message.ts'
import { type Envelope, envelopeFrom } from './envelope.ts'

export interface PartialResponse {
  readonly status: number
  readonly envelope: Envelope
}

/**
 * Reads failed responses. Those that contain data are kept for their call, and the client reads them as responses.
 */
export function createFailureReader(): {
  readonly read: FailureReader
  readonly partialOf: (call: UpstreamCall) => PartialResponse | undefined
} {
  const kept = new WeakMap<UpstreamCall, PartialResponse>()
  return {
    read({ status, body, text, call }) {
      if (isDaily(status, body, text)) return usedUp
      const failure =
        failureFrom(status, body) ?? failureOfText(status, text, call) ?? failureOfStatus(status)
      const envelope = envelopeFrom(body)
      if (failure === undefined || envelope?.data == null) return failure
      kept.set(call, { status, envelope })
      return { ...failure, retry: false }
    },
    partialOf: (call) => kept.get(call),
  }
}

/**
 * Whether a daily allowance is used up, which hosted services say in the form of Prometheus, in Google's form or in
 * plain text. The text may contain what the caller wrote, so the result affects only this caller.
 */
function isDaily(status: number, body: unknown, text: string | undefined): boolean {
  if (status !== 403 && status !== 429) return false
  const { error } = objectOf(body)
  return saysPerDay(isObject(error) ? error.message : error, text)
}

const usedUp: Failure = {
  code: 'QUOTA_EXCEEDED',
  message: "The day's allowance of the metrics service is used up.",
  retry: false,
}

/** Undefined if there is no envelope. */
export function failureFrom(status: number, body: unknown): Failure | undefined {
  const envelope = envelopeFrom(body)
  return envelope === undefined ? undefined : failureOfEnvelope(status, envelope)
}

/** A server's message about a request that is not a query. It is not the caller's fault. */
const foreignText =
  /\bunsupported path\b|\bremoteAddr:|\bto an HTTPS server\b|\bhost header\b|\bpage not found\b|\bno org id\b/i

/** The failure of a plain-text response to a call that has arguments of the caller. */
function failureOfText(status: number, text: string | undefined, call: UpstreamCall): Failure | undefined {
  const hasArguments = call.body !== undefined || call.path.includes('?')
  if (!hasArguments || text === undefined || (status !== 400 && status !== 422)) return undefined
  const message = messageIn(text)
  const words = plainMessage(message, { maxLength: longestMessage })
  return words === '' || foreignText.test(message) ? undefined : refused(message, undefined)
}

/** The message of a plain-text response. vmalert sends its errors as JSON of this type, without a status. */
function messageIn(text: string): string {
  try {
    return textOf(objectOf(parseJson(text)).error) ?? text
  } catch {
    return text
  }
}

/** What the other values of `errorType` mean. Their reason is the value. */
const meanings = tableOf<Failure>({
  timeout: failed('UPSTREAM_TIMEOUT', 'The metrics service did not finish the query within its timeout.'),
  canceled: unavailable('The metrics service cancelled the query before it was finished.'),
  unavailable: unavailable('The metrics service is not ready yet.'),
  internal: failed('UPSTREAM_UNAVAILABLE', 'The metrics service failed to read its storage.'),
  not_found: failed('NOT_FOUND', 'The metrics service does not have the requested object.'),
  not_acceptable: failed('UPSTREAM_BAD_RESPONSE', 'The metrics service cannot answer in JSON.'),
})

/** `bad_data` and `execution` both say that this expression cannot be evaluated. */
const blamesQuery: ReadonlySet<unknown> = new Set(['bad_data', 'execution'])

/** Thanos Query takes a selector that it cannot parse for a fault of its own. */
const unparsed = /\b\d+:\d+: parse error: /

function failureOfEnvelope(status: number, { errorType, error }: Envelope): Failure | undefined {
  if (errorType === 'internal' && error !== undefined && unparsed.test(error))
    return refused(error, errorType)
  const known = meanings[errorType ?? '']
  if (known !== undefined) return { ...known, reason: errorType }
  const reason = wordOf(errorType)
  if (status < 400 && reason !== undefined && !blamesQuery.has(errorType))
    return failed(
      'UPSTREAM_UNAVAILABLE',
      'The metrics service reports a failure of a kind that its API does not name.',
      reason,
    )
  return blamesQuery.has(errorType) || status === 400 || status === 422
    ? refused(error, reason)
    : failureOfStatus(status, reason)
}

/**
 * A 400, 404 or 405 without an envelope does not come from the API, so the address is not that of a metrics
 * service.
 */
function failureOfStatus(status: number, reason?: string): Failure | undefined {
  if (status === 503) return unavailable('The metrics service is starting, stopping or overloaded.', reason)
  if (status < 400 || [400, 404, 405, 406, 415, 422].includes(status)) {
    return failed(
      'UPSTREAM_BAD_RESPONSE',
      'The server at the address of the metrics service does not speak its API.',
      reason,
    )
  }
  return undefined
}

/** The cause is at the end of a text, because Go puts the context of an error in front of it. */
const timedOut =
  /(?:^|[\s:])(?:context deadline exceeded|query timed out in [a-z ]{1,60})$|\brpc error: code = DeadlineExceeded\b|\btimeout exceeded\b/i
const gaveUp = /(?:^|[\s:])(?:context canceled|query was canceled in [a-z ]{1,60})$/i
const failedInside =
  /\brpc error: code = (?:Unavailable|Aborted|Internal|DataLoss|Unknown)\b|\bdial (?:tcp|udp|unix)\b|\bconnection refused$/i
/** Prometheus in agent mode only collects, and says so to every query. */
const isAgent = /^unavailable with Prometheus Agent$/

/** Failures that the service blames on the query, and that are its own fault. */
function ownFault(message: string | undefined): Failure | undefined {
  const text = message?.slice(-longestRead).trim() ?? ''
  if (timedOut.test(text))
    return failed(
      'UPSTREAM_TIMEOUT',
      'The metrics service did not begin or finish the query within its timeout.',
      'timeout',
    )
  if (gaveUp.test(text))
    return unavailable('The metrics service cancelled the query before it was finished.', 'canceled')
  if (failedInside.test(text))
    return unavailable('The metrics service could not read all that the query needs.', 'unavailable')
  if (isAgent.test(text))
    return failed(
      'UPSTREAM_UNAVAILABLE',
      'The metrics service has no queries, rules or alerts, because it runs as an agent.',
      'unavailable',
    )
  return undefined
}

const longestMessage = 1000
const longestRead = 4000

function refused(message: string | undefined, reason: string | undefined): Failure {
  const own = ownFault(message)
  if (own !== undefined) return own
  const explained = publicMessage(message, { maxLength: longestMessage })
  return failed(
    'BAD_USER_INPUT',
    explained === '' ? 'The metrics service refused the query.' : explained,
    reason,
  )
}

/** A failure that another try does not mend. */
function failed(code: ErrorCode, message: string, reason?: string): Failure {
  return { code, message, reason, retry: false }
}

function unavailable(message: string, reason?: string): Failure {
  return { code: 'UPSTREAM_UNAVAILABLE', message, reason, retry: true }
}
