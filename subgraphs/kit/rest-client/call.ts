/**
 * The state of one call while it runs: its steps, as the guard runs them (`shared/http/call-guard.ts`), and what
 * the event about its outcome reports.
 */
import type { Verdict } from '../../../shared/http/breaker.ts'
import type { CallRefusal, GuardedCall, Repetition } from '../../../shared/http/call-guard.ts'
import { type Cancellation, CancelledError, until } from '../../../shared/http/cancellation.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { UpstreamCall } from '../../../shared/upstream.ts'
import { CredentialRefused, type OpenCredential } from '../credentials/index.ts'
import { type Attempt, type AttemptEnd, type AttemptParts, makeAttempt } from './attempt.ts'
import type { CachedResponse } from './cache.ts'
import type { UpstreamOptions } from './client-options.ts'
import type { ExhaustedBuckets } from './exhausted-buckets.ts'
import { Failed, refusal } from './failure.ts'
import type { HeaderParts } from './headers.ts'

/** What all calls to a service share. */
export interface CallParts extends AttemptParts {
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

export class RunningCall implements GuardedCall<AttemptEnd>, Attempt {
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

  /** Whether 304 is accepted. */
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

  /**
   * A retry is charged again. If the charge is refused, the caller gets the service's own failure, which explains
   * more.
   */
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
