/**
 * One call while it runs: its steps, as the guard runs them (`shared/http/call-guard.ts`), and its attempts. An attempt
 * is one exchange with the redirects within the origin. Its response is read here, or becomes a failure.
 */
import type { Verdict } from '../../../shared/http/breaker.ts'
import type { CallRefusal, GuardedCall, Repetition } from '../../../shared/http/call-guard.ts'
import { type Cancellation, CancelledError, until } from '../../../shared/http/cancellation.ts'
import type { HttpClient, HttpResult } from '../../../shared/http/client.ts'
import { retryAfterSeconds } from '../../../shared/http/retry.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { UpstreamCall } from '../../../shared/upstream.ts'
import { CredentialRefused, type OpenCredential } from '../credentials/index.ts'
import { redirectedPath } from './address.ts'
import type { CachedResponse } from './cache.ts'
import type { Failure, UpstreamOptions, UpstreamResponse } from './client-options.ts'
import type { ExhaustedBuckets } from './exhausted-buckets.ts'
import { Failed, failureOfLoss, failureOfStatus, refusal, withUnknownOutcome } from './failure.ts'
import { type HeaderParts, secretsIn } from './headers.ts'
import { isPlainText, mayBeJson, type ParseBody } from './json.ts'

export interface CallParts {
  readonly service: string
  readonly client: HttpClient
  readonly origin: string
  readonly forwarded: boolean
  readonly maxBytes: number
  readonly failure: UpstreamOptions['failure']
  readonly parseBody: ParseBody
  readonly credential: OpenCredential
  readonly headersOf: (parts: HeaderParts) => readonly string[]
  readonly admit: UpstreamOptions['admit']
  readonly defaultTimeoutMs: number
  readonly exhausted: ExhaustedBuckets
}

/** The service charges nothing for a call that it refuses with one of these codes. */
const notCharged = new Set(['RATE_LIMITED', 'QUOTA_EXCEEDED', 'UNAUTHENTICATED'])

const nothing: readonly string[] = []

/** What a call that several requests may wait for has instead of its request's cancellation. */
interface SharedCall {
  readonly cancellation: Cancellation
  /** The stale response that it revalidates. */
  readonly held: CachedResponse | undefined
}

export class RunningCall implements GuardedCall<AttemptEnd> {
  readonly call: UpstreamCall
  readonly request: SubgraphRequest
  readonly cancellation: Cancellation
  readonly credentialKey: string
  readonly started = performance.now()
  readonly timeoutMs: number
  readonly deadline: number
  /** The stale response that is being revalidated. */
  readonly held: CachedResponse | undefined
  /** It includes the path of the base URL, and is set before the first attempt. */
  path = ''
  headers: readonly string[] = nothing
  proof: readonly string[] = nothing
  /** Whether the call was admitted, and what was reserved for it each time. */
  admitted = false
  reservations: readonly string[] = nothing
  /** Whether an attempt was made, and how many of them were sent to the service. */
  tried = false
  attempts = 0
  units = 0
  status: number | undefined
  #renewed = false
  readonly #parts: CallParts

  constructor(
    parts: CallParts,
    call: UpstreamCall,
    request: SubgraphRequest,
    credentialKey: string,
    { cancellation, held }: SharedCall = { cancellation: request, held: undefined },
  ) {
    this.#parts = parts
    this.call = call
    this.request = request
    this.cancellation = cancellation
    this.credentialKey = credentialKey
    this.held = held
    this.timeoutMs = call.timeoutMs ?? parts.defaultTimeoutMs
    this.deadline = Math.min(cancellation.deadline, this.started + this.timeoutMs)
  }

  get conditional(): boolean {
    return this.held?.etag !== undefined
  }

  /** Asks whether the call may be sent. A rejection or a thrown error refuses it. */
  admit(): Promise<void> | undefined {
    const { admit } = this.#parts
    if (admit === undefined) return undefined
    const admitted = (reservation: string | undefined): void => {
      this.admitted = true
      if (reservation !== undefined) this.reservations = [...this.reservations, reservation]
    }
    const admission = admit(this.call, this.credentialKey, this.request)
    if (admission instanceof Promise) return admission.then(admitted)
    admitted(admission)
    return undefined
  }

  prepare(): Promise<void> | undefined {
    const shown = this.#parts.credential.headers(this.request)
    if ('then' in shown) return this.#prove(shown)
    this.proof = shown
    return undefined
  }

  async #prove(promised: Promise<readonly string[]>): Promise<void> {
    try {
      this.proof = await until(promised, this.deadline, this.cancellation)
    } catch (error) {
      if (error instanceof CancelledError) throw error
      const why = error instanceof CredentialRefused ? 'caller' : 'credential'
      throw new Failed(refusal(this.#parts.service, why), error)
    }
  }

  attempt(): Promise<AttemptEnd> {
    const { call, request, proof, held } = this
    this.headers = this.#parts.headersOf({ call, request, proof, etag: held?.etag })
    return makeAttempt(this.#parts, this)
  }

  verdict(end: AttemptEnd): Verdict | undefined {
    return end.failure === undefined || end.telling ? end : undefined
  }

  repetition(end: AttemptEnd): Repetition | undefined {
    const { call } = this
    this.tried = true
    if (end.wasSent) {
      this.attempts += 1
      if (end.failure === undefined || !notCharged.has(end.failure.code)) this.units += call.units ?? 0
    }
    this.status = end.status === 0 ? undefined : end.status
    const { failure } = end
    if (failure === undefined) return undefined
    this.#parts.exhausted.note(this.credentialKey, call, failure)
    const isRenewed = end.status === 401 && this.#parts.credential.renew?.(this.proof) === true
    if (isRenewed && call.safe && !this.#renewed) {
      this.#renewed = true
      return 'at-once'
    }
    return call.safe && failure.retry ? { retryAfter: failure.retryAfter } : undefined
  }

  /** A retry is charged again. If that is refused, the caller gets the service's own failure. */
  async mayRepeat(): Promise<boolean> {
    if ((this.call.units ?? 0) === 0) return true
    try {
      await this.admit()
      return true
    } catch {
      return false
    }
  }

  refused(why: CallRefusal): never {
    const { service } = this.#parts
    switch (why.why) {
      case 'full':
      case 'breaker':
        throw new Failed(refusal(service, why.why, why.retryAfter))
      default:
        throw new CancelledError(why.why)
    }
  }
}

export interface SuccessfulAttempt extends Verdict, UpstreamResponse<unknown> {
  readonly failure: undefined
  readonly bytes: number
  readonly wasSent: true
}

interface FailedAttempt extends Verdict {
  readonly failure: Failure
  readonly status: number
  /** Whether anything may have reached the service. */
  readonly wasSent: boolean
  /** Whether the outcome says something about the service's health, which the circuit breaker counts. */
  readonly telling: boolean
  readonly cause: Error | undefined
}

type AttemptEnd = SuccessfulAttempt | FailedAttempt

const mostRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** A timeout counts against the service only if it had about its full time, or at least this long. */
const tellingMs = 1000
const fullShare = 0.9

const excerptLength = 500
const plainTextLength = 4000

async function makeAttempt(parts: CallParts, attempt: RunningCall): Promise<AttemptEnd> {
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

function succeeded(parts: CallParts, attempt: RunningCall, got: HttpResult): AttemptEnd {
  let body: unknown
  if (got.body.length > 0) {
    try {
      body = bodyFrom(parts, attempt.call, got)
    } catch {
      // If the call accepts a status that is an error otherwise, what the service says with it counts.
      if (got.status >= 300) return failed(parts, attempt, got)
      return bad(parts, attempt, got, 'notJson', 'returned no JSON')
    }
  }
  const { status, headers } = got
  return { fault: false, failure: undefined, status, headers, body, bytes: got.body.length, wasSent: true }
}

function failed(parts: CallParts, attempt: RunningCall, got: HttpResult): FailedAttempt {
  const { call } = attempt
  const body = jsonOf(parts, got)
  const retryAfter = retryAfterSeconds(got.headers)
  const isText = body === undefined && isPlainText(got.headers['content-type'])
  const text = isText ? excerptOf(attempt, got, plainTextLength) : undefined
  const read = parts.failure({ status: got.status, headers: got.headers, body, text, call })
  let failure =
    read?.code === undefined
      ? failureOfStatus(parts.service, {
          status: read?.status ?? got.status,
          reason: read?.reason,
          retryAfter,
          foreign: body === undefined && got.body.length > 0,
          forwarded: parts.forwarded,
          text,
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

function bad(
  { service }: CallParts,
  attempt: RunningCall,
  got: HttpResult,
  reason: string,
  words: string,
): FailedAttempt {
  const message = `The ${service} service ${words}.`
  const failure: Failure = { code: 'UPSTREAM_BAD_RESPONSE', message, reason, retry: false }
  return refusedWith(attempt.call.safe ? failure : withUnknownOutcome(failure), attempt, got, false)
}

function refusedWith(failure: Failure, attempt: RunningCall, got: HttpResult, fault: boolean): FailedAttempt {
  return { fault, failure, status: got.status, wasSent: true, telling: true, cause: causeOf(attempt, got) }
}

function lost({ service }: CallParts, attempt: RunningCall, got: HttpResult, waited: number): FailedAttempt {
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

function bodyFrom({ parseBody }: CallParts, call: UpstreamCall, got: HttpResult): unknown {
  if (!mayBeJson(got.headers['content-type'])) throw new Error('another content type')
  if (call.as === 'bytes') return got.body
  return call.as === 'text' ? got.body.toString('utf8') : parseBody(got.body)
}

function jsonOf({ parseBody }: CallParts, got: HttpResult): unknown {
  if (got.body.length === 0 || !mayBeJson(got.headers['content-type'])) return undefined
  try {
    return parseBody(got.body)
  } catch {
    return undefined
  }
}

/** The beginning of a body, without the credential that was sent. */
function excerptOf(attempt: RunningCall, got: HttpResult, bytes: number): string {
  let excerpt = got.body.toString('utf8', 0, bytes)
  for (const secret of secretsIn(attempt.proof)) excerpt = excerpt.replaceAll(secret, '[secret]')
  return excerpt
}

function causeOf(attempt: RunningCall, got: HttpResult): Error {
  const excerpt = excerptOf(attempt, got, excerptLength)
  const type = got.headers['content-type'] ?? 'no content type'
  return new Error(`${attempt.call.operation} got the status ${got.status} (${type}): ${excerpt}`)
}
