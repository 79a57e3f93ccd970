/**
 * The steps of a call in order: cache, quota admission, the guard (circuit breaker, concurrency limit, attempts),
 * and the event about the outcome. Each step is a module of its own.
 */
import { badInput, codeOf, isErrorCode } from '../../../shared/errors.ts'
import { createCallGuard } from '../../../shared/http/call-guard.ts'
import { CancelledError, until } from '../../../shared/http/cancellation.ts'
import { createHttpClient } from '../../../shared/http/client.ts'
import { traceOfRequest } from '../../../shared/http/trace-context.ts'
import type { CallOutcome, SubgraphRequest } from '../../../shared/request.ts'
import { memoByObject } from '../../../shared/runtime/memo.ts'
import { SingleFlight } from '../../../shared/runtime/single-flight.ts'
import type { UpstreamCall, UpstreamEvent, UpstreamState } from '../../../shared/upstream.ts'
import { openCredential } from '../credentials/index.ts'
import { climbs, isPath, readBaseUrl } from './address.ts'
import type { SuccessfulAttempt } from './attempt.ts'
import { type Cache, cacheKey, createCache, heldFrom } from './cache.ts'
import { type CallParts, RunningCall } from './call.ts'
import type {
  Failure,
  Upstream,
  UpstreamOptions,
  UpstreamResponse,
  UpstreamTuning,
} from './client-options.ts'
import { ExhaustedBuckets } from './exhausted-buckets.ts'
import { errorOf, Failed, failureOfLoss, refusal } from './failure.ts'
import { createHeaders, keyWith } from './headers.ts'
import { type ParseBody, parseBody } from './json.ts'
import { SharedCancellation } from './shared-cancellation.ts'

type Response = UpstreamResponse<unknown>

const mebibyte = 1024 * 1024

/** The least values of the tuning. With less, calls would never be sent or would end at once. */
const least = { timeoutMs: 1, retries: 0, retryDelayMs: 0, concurrency: 1, queue: 0, maxResponseBytes: 1 }
/** Those that may be Infinity. */
const boundless = ['queue', 'maxResponseBytes']

function checkTuning(service: string, tuning: UpstreamTuning): void {
  for (const name of Object.keys(least) as (keyof typeof least)[]) {
    const { [name]: value = least[name] } = tuning
    const [most, kind] = boundless.includes(name)
      ? [Number.POSITIVE_INFINITY, 'number']
      : [Number.MAX_VALUE, 'finite number']
    if (!(value >= least[name] && value <= most))
      throw new Error(
        `the tuning of ${service}: ${name} must be a ${kind} of at least ${least[name]}, not ${value}`,
      )
  }
}

/** Makes the client of a service. Throws an Error if the base URL, the credential or the tuning is wrong. */
export function createUpstream(options: UpstreamOptions): Upstream {
  return new CallSender(options)
}

class CallSender implements Upstream {
  readonly #options: UpstreamOptions
  readonly #address
  readonly #credential
  readonly #client
  readonly #guard
  readonly #spent = new ExhaustedBuckets()
  readonly #parts: CallParts
  readonly #cache
  readonly #inFlight = new SingleFlight<Response, SharedCancellation>()
  #running = 0
  #closed: Promise<void> | undefined
  #allDone: (() => void) | undefined
  readonly service: string
  readonly credentialKey
  readonly parseBody: ParseBody

  constructor(options: UpstreamOptions) {
    this.#options = options
    const { service, tuning = {} } = options
    this.service = service
    checkTuning(service, tuning)
    this.#address = readBaseUrl(options.baseUrl, this.service)
    // They are computed once for each request.
    const callHeaders = options.callHeaders && memoByObject(options.callHeaders)
    const opened = openCredential(options.credential, this.service)
    this.#credential = { ...opened, key: keyWith(opened.key, callHeaders) }
    const defaultTimeoutMs = tuning.timeoutMs ?? 10_000
    const concurrency = tuning.concurrency ?? 64
    this.#client = createHttpClient(this.#address.origin, {
      connections: concurrency,
      connectTimeoutMs: Math.min(5000, defaultTimeoutMs),
    })
    this.parseBody = tuning.parseBody ?? parseBody
    this.#guard = createCallGuard({
      concurrency: { most: concurrency, waiting: tuning.queue ?? 512 },
      breaker: tuning.breaker ?? {},
      retries: {
        most: tuning.retries ?? 2,
        delayMs: tuning.retryDelayMs ?? 100,
        random: options.random,
      },
    })
    // Over the loopback interface compression costs more than it saves.
    const gzip = tuning.gzip ?? !this.#address.loopback
    this.#parts = {
      exhausted: this.#spent,
      service,
      credential: this.#credential,
      defaultTimeoutMs,
      admit: options.admit,
      client: this.#client,
      origin: this.#address.origin,
      forwarded: options.credential.kind === 'forward',
      maxBytes: tuning.maxResponseBytes ?? 32 * mebibyte,
      failure: options.failure,
      parseBody: this.parseBody,
      headersOf: createHeaders(
        [
          ...['accept', 'application/json', 'user-agent', gzip ? 'tessera (gzip)' : 'tessera'],
          // Google's services compress only for clients that name it in both headers. The second one has no weights,
          // because some servers do not understand them.
          ...(gzip ? ['accept-encoding', 'gzip'] : []),
        ],
        options.traceHeaders ?? traceOfRequest,
        callHeaders,
      ),
    }
    this.#cache =
      tuning.cache === undefined
        ? undefined
        : createCache({ freshMs: tuning.cache.freshMs, maxBytes: tuning.cache.maxBytes ?? 64 * mebibyte })
    this.credentialKey = this.#credential.key
  }

  send<T>(call: UpstreamCall, request: SubgraphRequest): Promise<UpstreamResponse<T>> {
    return (
      this.#cache !== undefined &&
      call.cacheable === true &&
      call.method === 'GET' &&
      // A request after an unknown outcome must see what the service knows now, and not a cached response.
      request.earlierAttempt === undefined
        ? this.#sendCached(call, request, this.#cache)
        : this.#perform(new RunningCall(this.#parts, call, request, this.#credential.key(request)))
    ) as Promise<UpstreamResponse<T>>
  }

  readonly state = (): UpstreamState => this.#guard.state

  close(): Promise<void> {
    this.#closed ??= (async () => {
      if (this.#running > 0) {
        await new Promise<void>((resolve) => {
          this.#allDone = resolve
        })
      }
      this.#cache?.clear()
      await Promise.all([this.#client.close(), this.#credential.close?.()])
    })()
    return this.#closed
  }

  /** Reports one event for each call, whatever the outcome. */
  #report(state: RunningCall, outcome: CallOutcome, failure: Partial<Failure> | undefined): void {
    const { call, request, units } = state
    const milliseconds = performance.now() - state.started
    request.meter.call({ service: this.service, operation: call.operation, outcome, units, milliseconds })
    const settle = state.admitted ? this.#options.settle : undefined
    if (this.#options.observe === undefined && settle === undefined) return
    const event: UpstreamEvent = {
      service: this.service,
      call,
      operation: call.operation,
      method: call.method,
      safe: call.safe,
      outcome,
      status: state.status,
      milliseconds,
      units,
      attempts: state.attempts,
      reservations: state.reservations,
      code: failure?.code,
      reason: failure?.reason,
      retryAfter: failure?.retryAfter,
      credentialKey: state.credentialKey,
      request,
    }
    this.#options.observe?.(event)
    settle?.(event)
  }

  /** Reports a call that failed; returns the error for its caller. */
  #ended(state: RunningCall, error: unknown, outcome: CallOutcome): unknown {
    if (error instanceof CancelledError) {
      const failure = failureOfLoss(this.service, error.why)
      this.#report(state, outcome, failure)
      return errorOf(this.service, failure, state.status, undefined)
    }
    if (error instanceof Failed) {
      const { failure } = error
      this.#report(state, outcome, failure)
      const more = this.#options.explain?.(failure, state.call, state.request)
      return errorOf(
        this.service,
        more === undefined ? failure : { ...failure, ...more },
        state.status,
        error.cause,
      )
    }
    // A hook threw this: the quota refused the call, or the hook has a defect.
    const code = codeOf(error)
    this.#report(state, outcome, isErrorCode(code) ? { code } : { code: 'INTERNAL_SERVER_ERROR' })
    return error
  }

  #pathOf(call: UpstreamCall): string {
    if (climbs(call.path)) throw badInput('"." and ".." are not identifiers.', { service: this.service })
    if (!isPath(call.path)) throw new Error(`the path of ${call.operation} is not encoded`)
    return this.#address.prefix + call.path
  }

  async #perform(state: RunningCall): Promise<SuccessfulAttempt> {
    const { call, credentialKey } = state
    this.#running += 1
    try {
      if (this.#closed !== undefined) throw new Failed(refusal(this.service, 'stopping'))
      state.path = this.#pathOf(call)
      const seconds = this.#guard.refusal()
      if (seconds !== undefined) throw new Failed(refusal(this.service, 'breaker', seconds))
      const admission = state.admit()
      if (admission !== undefined) await admission
      const known = this.#spent.refusal(credentialKey, call)
      if (known !== undefined) throw new Failed(known)
      const end = await this.#guard.run(state)
      if (end.failure !== undefined) throw new Failed(end.failure, end.cause)
      this.#report(state, end.status === 304 && state.held !== undefined ? 'revalidated' : 'sent', undefined)
      return end
    } catch (error) {
      throw this.#ended(state, error, state.tried ? 'failed' : 'refused')
    } finally {
      if (!call.safe && state.attempts > 0) this.#cache?.wrote(credentialKey)
      this.#running -= 1
      if (this.#running === 0) this.#allDone?.()
    }
  }

  async #sendCached(call: UpstreamCall, request: SubgraphRequest, store: Cache): Promise<Response> {
    const credentialKey = this.#credential.key(request)
    const key = cacheKey(credentialKey, call)
    const held = store.find(key)
    const state = new RunningCall(this.#parts, call, request, credentialKey)
    if (held !== undefined && store.fresh(held, credentialKey)) {
      this.#report(state, 'cached', undefined)
      return held.response
    }
    // If the quota of this request is used up, its refusal must not reach others that have quota left.
    if (request.cacheOnly === true) return this.#perform(state)
    const underWay = this.#inFlight.find(key)
    const isShared = underWay !== undefined && store.knowsLastWrite(underWay.since, credentialKey)
    const shared = isShared
      ? underWay
      : this.#inFlight.begin(key, new SharedCancellation(state.timeoutMs), async (cancellation) => {
          const stale = held?.etag === undefined ? undefined : held
          const own = new RunningCall(this.#parts, call, request, credentialKey, {
            cancellation,
            held: stale,
          })
          const end = await this.#perform(own)
          const kept =
            stale !== undefined && end.status === 304
              ? { ...stale, since: own.started }
              : heldFrom(end, end.bytes, own.started)
          if (kept === undefined) return end
          store.keep(key, kept)
          return kept.response
        })
    let timedOut = false
    shared.leader.join()
    try {
      const response = await until(shared.result, state.deadline, request)
      if (isShared) this.#report(state, 'shared', undefined)
      return response
    } catch (error) {
      timedOut = error instanceof CancelledError && error.why === 'timeout'
      if (isShared) throw this.#ended(state, error, 'failed')
      // The shared call reports its own outcome when it ends, perhaps after this caller has left.
      throw error instanceof CancelledError
        ? errorOf(this.service, failureOfLoss(this.service, error.why), undefined, undefined)
        : error
    } finally {
      if (shared.leader.leave()) {
        this.#inFlight.forget(shared)
        shared.leader.cancel(timedOut)
      }
    }
  }
}
