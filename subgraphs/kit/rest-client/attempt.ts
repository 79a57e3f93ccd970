/**
 * One attempt of a call: its exchange, the redirects within the origin, and the outcome. A response is read here,
 * or becomes a failure. Other modules decide on retries.
 */
import type { Verdict } from '../../../shared/http/breaker.ts'
import type { Cancellation } from '../../../shared/http/cancellation.ts'
import type { HttpClient, HttpResult } from '../../../shared/http/client.ts'
import { retryAfterSeconds } from '../../../shared/http/retry.ts'
import type { UpstreamCall } from '../../../shared/upstream.ts'
import { isObject } from '../json.ts'
import { redirectedPath } from './address.ts'
import type { Failure, UpstreamOptions, UpstreamResponse } from './client-options.ts'
import { failureOfLoss, failureOfStatus, withUnknownOutcome } from './failure.ts'
import { secretsIn } from './headers.ts'
import { isPlainText, mayBeJson, type ParseBody } from './json.ts'

export interface Attempt {
  readonly call: UpstreamCall
  /** It includes the path of the base URL. */
  readonly path: string
  readonly headers: readonly string[]
  /** The headers of the credential, which must not be logged. */
  readonly proof: readonly string[]
  readonly deadline: number
  readonly cancellation: Cancellation
  readonly timeoutMs: number
  /** Whether 304 is accepted. */
  readonly conditional: boolean
}

export interface SuccessfulAttempt extends Verdict, UpstreamResponse<unknown> {
  readonly failure: undefined
  /** The size of the body. */
  readonly bytes: number
  readonly wasSent: true
}

interface FailedAttempt extends Verdict {
  readonly failure: Failure
  /** 0 if no response began. */
  readonly status: number
  /** Whether anything may have reached the service. */
  readonly wasSent: boolean
  /** Whether the outcome says something about the service's health, which the circuit breaker counts. */
  readonly telling: boolean
  /** The actual reason, for the log. */
  readonly cause: Error | undefined
}

export type AttemptEnd = SuccessfulAttempt | FailedAttempt

const mostRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** A timeout counts against the service only if it had about its full time, or at least this long. */
const tellingMs = 1000
const fullShare = 0.9

/** How much of a service's body goes to the log. */
const excerptLength = 500
/** How much of a plain-text error is read for its message. */
const plainTextLength = 4000

/** What all attempts at a service share. */
export interface AttemptParts {
  readonly service: string
  readonly client: HttpClient
  readonly origin: string
  readonly forwarded: boolean
  readonly maxBytes: number
  readonly failure: UpstreamOptions['failure']
  readonly parseBody: ParseBody
}

export async function makeAttempt(parts: AttemptParts, attempt: Attempt): Promise<AttemptEnd> {
  const { call, headers, deadline, cancellation } = attempt
  const { method, body } = call
  const { client, maxBytes } = parts
  const started = performance.now()
  let { path } = attempt
  for (let hop = 0; ; hop++) {
    const got = await client.send({ method, path, headers, body, maxBytes }, deadline, cancellation)
    if (got.loss !== undefined) return lost(parts, attempt, got, performance.now() - started)
    const isSuccess =
      (got.status >= 200 && got.status < 300) ||
      (got.status === 304 && attempt.conditional) ||
      call.accept?.includes(got.status) === true
    if (isSuccess) return succeeded(parts, attempt, got)
    if (!redirects.has(got.status)) return failed(parts, attempt, got)
    const next =
      method === 'GET' && hop < mostRedirects
        ? redirectedPath(parts.origin, path, got.headers.location)
        : undefined
    if (next === undefined)
      return bad(parts, attempt, got, 'redirect', 'redirected to an address that is not followed')
    path = next
  }
}

function succeeded(parts: AttemptParts, attempt: Attempt, got: HttpResult): AttemptEnd {
  let body: unknown
  if (got.body.length > 0) {
    try {
      body = bodyFrom(parts, attempt.call, got)
    } catch {
      if (got.status < 300) return bad(parts, attempt, got, 'notJson', 'returned no JSON')
      // If the call accepts a status that is an error otherwise, what the service says with it counts.
      body = jsonOf(parts, got)
      if (body === undefined) return failed(parts, attempt, got)
    }
  }
  const { status, headers } = got
  return { fault: false, failure: undefined, status, headers, body, bytes: got.body.length, wasSent: true }
}

function failed(parts: AttemptParts, attempt: Attempt, got: HttpResult): FailedAttempt {
  const { call } = attempt
  const body = jsonOf(parts, got)
  const retryAfter = retryAfterSeconds(got.headers)
  const text = plainTextOf(attempt, got)
  const read = parts.failure({ status: got.status, headers: got.headers, body, text, call })
  let failure =
    read?.code === undefined
      ? failureOfStatus(parts.service, {
          status: read?.status ?? got.status,
          reason: read?.reason,
          retryAfter,
          foreign: body === undefined && got.body.length > 0,
          forwarded: parts.forwarded,
          text: body === undefined ? text : undefined,
        })
      : read
  if (failure.retryAfter === undefined && retryAfter !== undefined) failure = { ...failure, retryAfter }
  // A proxy that lost its own upstream cannot know whether a write was made.
  if (!call.safe && (got.status === 502 || got.status === 504) && failure.code.startsWith('UPSTREAM_')) {
    failure = withUnknownOutcome(failure)
  }
  const fault = got.status >= 500 && (read?.code === undefined || read.code === 'UPSTREAM_UNAVAILABLE')
  return refusedWith(failure, attempt, got, fault)
}

/** The response is not what the service promises. */
function bad(
  { service }: AttemptParts,
  attempt: Attempt,
  got: HttpResult,
  reason: string,
  words: string,
): FailedAttempt {
  const message = `The ${service} service ${words}.`
  const failure: Failure = { code: 'UPSTREAM_BAD_RESPONSE', message, reason, retry: false }
  return refusedWith(attempt.call.safe ? failure : withUnknownOutcome(failure), attempt, got, false)
}

function refusedWith(failure: Failure, attempt: Attempt, got: HttpResult, fault: boolean): FailedAttempt {
  return { fault, failure, status: got.status, wasSent: true, telling: true, cause: causeOf(attempt, got) }
}

function lost({ service }: AttemptParts, attempt: Attempt, got: HttpResult, waited: number): FailedAttempt {
  const loss = got.loss ?? 'connection'
  const failure = failureOfLoss(service, loss)
  const isEarly = loss === 'timeout' && waited < fullShare * Math.min(tellingMs, attempt.timeoutMs)
  return {
    fault: true,
    failure: attempt.call.safe || !got.wasSent ? failure : withUnknownOutcome(failure),
    status: got.status,
    wasSent: got.wasSent,
    telling: !(loss === 'cancelled' || loss === 'too-large' || loss === 'unsendable' || isEarly),
    cause: got.cause,
  }
}

/** Throws if the body is not the promised JSON. */
function bodyFrom({ parseBody }: AttemptParts, call: UpstreamCall, got: HttpResult): unknown {
  if (!mayBeJson(got.headers['content-type'])) throw new Error('another content type')
  if (call.as === 'bytes') return got.body
  return call.as === 'text' ? got.body.toString('utf8') : parseBody(got.body)
}

/** The JSON of a failed response. Programs in Go that fail by `http.Error` call it plain text. */
function jsonOf({ parseBody }: AttemptParts, got: HttpResult): unknown {
  const type = got.headers['content-type']
  const isPlain = isPlainText(type)
  if (got.body.length === 0 || !(isPlain || mayBeJson(type))) return undefined
  try {
    const body = parseBody(got.body)
    return isPlain && !isObject(body) ? undefined : body
  } catch {
    return undefined
  }
}

/** The beginning of a body, without the credential that was sent. */
function excerptOf(attempt: Attempt, got: HttpResult, bytes: number): string {
  let excerpt = got.body.toString('utf8', 0, bytes)
  for (const secret of secretsIn(attempt.proof)) excerpt = excerpt.replaceAll(secret, '[secret]')
  return excerpt
}

function plainTextOf(attempt: Attempt, got: HttpResult): string | undefined {
  return isPlainText(got.headers['content-type']) ? excerptOf(attempt, got, plainTextLength) : undefined
}

/** The beginning of the body as the cause of the error, for the log. */
function causeOf(attempt: Attempt, got: HttpResult): Error {
  const excerpt = excerptOf(attempt, got, excerptLength)
  const type = got.headers['content-type'] ?? 'no content type'
  return new Error(`${attempt.call.operation} got the status ${got.status} (${type}): ${excerpt}`)
}
