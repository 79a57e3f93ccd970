/**
 * The steps of a call in their order: cache, quota admission, circuit breaker, concurrency limit, attempts, and the
 * event that reports the outcome. Each step is a module of its own.
 */
import { GraphQLError } from 'graphql'
import { createBreaker } from '../../../contract/breaker.ts'
import { badInput, isErrorCode } from '../../../contract/errors.ts'
import { runsPlainly } from '../../../contract/hot/switch.ts'
import { type Cancellation, CancelledError, pause, until } from '../../../contract/http/cancellation.ts'
import { createConcurrencyLimit } from '../../../contract/http/concurrency.ts'
import { createConnections } from '../../../contract/http/connections.ts'
import { createOwnConnections } from '../../../contract/http/hot/connections.ts'
import { retryDelayMs } from '../../../contract/http/retry.ts'
import type { CallOutcome, SubgraphRequest } from '../../../contract/request.ts'
import { traceOfRequest } from '../../../contract/trace-context.ts'
import type { UpstreamCall, UpstreamEvent } from '../../../contract/upstream.ts'
import { CredentialRefused, openCredential } from '../credential/index.ts'
import { climbs, isPath, readBaseUrl } from './address.ts'
import { type Answered, type AttemptEnd, createAttempts, Inconclusive } from './attempt.ts'
import { type Cache, cacheKey, createCache, type Held, heldFrom } from './cache.ts'
import { keyWith, onceEach, withCallHeaders } from './call-headers.ts'
import { errorOf, Failed, failureOfLoss, refusal } from './failure.ts'
import { createHeaders } from './headers.ts'
import { parseQuickly } from './hot/parse-body.ts'
import { createInFlightCalls } from './in-flight.ts'
import { parseBody } from './json.ts'
import { SpentBuckets } from './spent.ts'
import type { Failure, Upstream, UpstreamOptions, UpstreamResponse } from './options.ts'

type Response = UpstreamResponse<unknown>

/** The state of one call while it runs. */
interface CallState {
  readonly call: UpstreamCall
  readonly request: SubgraphRequest
  readonly cancellation: Cancellation
  readonly credentialKey: string
  readonly started: number
  readonly timeoutMs: number
  readonly deadline: number
  /** The stale response that is revalidated. */
  readonly held: Held | undefined
  /** Whether it was admitted at all, and what was reserved for it each time. */
  admitted: boolean
  reservations: readonly string[]
  /** Whether an attempt was made at all, and how many of them were sent to the service. */
  tried: boolean
  attempts: number
  units: number
  status: number | undefined
}

const nothingReserved: readonly string[] = []

const mebibyte = 1024 * 1024

/** The service charges nothing where it refuses a call with one of these. */
const notCharged = new Set(['RATE_LIMITED', 'QUOTA_EXCEEDED', 'UNAUTHENTICATED'])

export function createSender(options: UpstreamOptions): Upstream {
  const { service, tuning = {} } = options
  const address = readBaseUrl(options.baseUrl, service)
  const callHeaders = options.callHeaders && onceEach(options.callHeaders)
  const opened = openCredential(options.credential, service)
  const credential = { ...opened, key: keyWith(opened.key, callHeaders) }
  const usualTimeoutMs = tuning.timeoutMs ?? 10_000
  const concurrency = tuning.concurrency ?? 64
  const random = options.random ?? Math.random

  const plain = tuning.plain ?? false
  const connections = (plain || runsPlainly('connections') ? createConnections : createOwnConnections)(
    address.origin,
    { connectTimeoutMs: Math.min(5000, usualTimeoutMs), most: concurrency },
  )
  const parse = plain || runsPlainly('parse-body') ? parseBody : parseQuickly
  const slots = createConcurrencyLimit(concurrency, tuning.queue ?? 512)
  const breaker = createBreaker(tuning.breaker ?? {}, slots.shut)
  const attempt = createAttempts({
    service,
    connections,
    origin: address.origin,
    forwarded: options.credential.kind === 'forward',
    maxBytes: tuning.maxResponseBytes ?? 32 * mebibyte,
    failure: options.failure,
    parseBody: parse,
  })
  const headersOf = createHeaders(
    [
      ...['accept', 'application/json', 'user-agent', 'tessera'],
      // Over the loopback compression costs both sides more than the bytes would. The bare word, because
      // some servers do not understand a weight.
      ...((tuning.gzip ?? !address.loopback) ? ['accept-encoding', 'gzip'] : []),
    ],
    withCallHeaders(options.traceHeaders ?? traceOfRequest, callHeaders),
  )
  const cache =
    tuning.cache === undefined
      ? undefined
      : createCache({ freshMs: tuning.cache.freshMs, maxBytes: tuning.cache.maxBytes ?? 64 * mebibyte })
  const inFlight = createInFlightCalls<Response>()
  const spent = new SpentBuckets()

  let running = 0
  let closed: Promise<void> | undefined
  let allDone: (() => void) | undefined

  function callState(
    call: UpstreamCall,
    request: SubgraphRequest,
    cancellation: Cancellation,
    credentialKey: string,
    held: Held | undefined,
  ): CallState {
    const started = performance.now()
    const timeoutMs = call.timeoutMs ?? usualTimeoutMs
    return {
      call,
      request,
      cancellation,
      credentialKey,
      started,
      timeoutMs,
      deadline: Math.min(cancellation.deadline, started + timeoutMs),
      held,
      admitted: false,
      reservations: nothingReserved,
      tried: false,
      attempts: 0,
      units: 0,
      status: undefined,
    }
  }

  /** One event a call, whatever came of it. */
  function report(state: CallState, outcome: CallOutcome, failure: Partial<Failure> | undefined): void {
    const { call, request, units } = state
    const milliseconds = performance.now() - state.started
    request.meter.call({ service, operation: call.operation, outcome, units, milliseconds })
    const settle = state.admitted ? options.settle : undefined
    if (options.observe === undefined && settle === undefined) return
    const event: UpstreamEvent = {
      service,
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
    options.observe?.(event)
    settle?.(event)
  }

  /** Reports a call that failed; returns the error for its caller. */
  function ended(state: CallState, error: unknown, outcome: CallOutcome): unknown {
    if (error instanceof CancelledError) {
      const failure = failureOfLoss(service, error.why)
      report(state, outcome, failure)
      return errorOf(service, failure, state.status, undefined)
    }
    if (error instanceof Failed) {
      const { failure } = error
      report(state, outcome, failure)
      const more = options.explain?.(failure, state.call, state.request)
      return errorOf(
        service,
        more === undefined ? failure : { ...failure, ...more },
        state.status,
        error.cause,
      )
    }
    // Thrown by a hook: a refusal by the quota, or a defect of ours.
    const code = error instanceof GraphQLError ? error.extensions.code : undefined
    report(state, outcome, isErrorCode(code) ? { code } : { code: 'INTERNAL_SERVER_ERROR' })
    return error
  }

  function refuseWhileBroken(): void {
    const seconds = breaker.refusal()
    if (seconds !== undefined) throw new Failed(refusal(service, 'breaker', seconds))
  }

  function pathOf(call: UpstreamCall): string {
    if (climbs(call.path)) throw badInput('"." and ".." are no identifiers.', { service })
    if (!isPath(call.path)) throw new Error(`the path of ${call.operation} is not encoded`)
    return address.prefix + call.path
  }

  async function proofOf(state: CallState, promised: Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await until(promised, state.deadline, state.cancellation)
    } catch (error) {
      if (error instanceof CancelledError) throw error
      const why = error instanceof CredentialRefused ? 'caller' : 'credential'
      throw new Failed(refusal(service, why), error)
    }
  }

  /** One attempt as soon as there is a slot. Rejects where nothing could be sent. */
  function attemptInTurn(state: CallState, path: string, proof: readonly string[]): Promise<AttemptEnd> {
    if (slots.acquire()) return attemptNow(state, path, proof)
    return slots.wait(state.deadline, state.cancellation).then((turn) => {
      if (turn === 'timeout' || turn === 'cancelled') throw new CancelledError(turn)
      if (turn === 'full') throw new Failed(refusal(service, 'full', 1))
      if (turn === 'shut') throw new Failed(refusal(service, 'breaker', breaker.refusal() ?? 1))
      return attemptNow(state, path, proof)
    })
  }

  /** One attempt that holds a slot, and releases it at the end. */
  function attemptNow(state: CallState, path: string, proof: readonly string[]): Promise<AttemptEnd> {
    const { call, request, cancellation, deadline, timeoutMs, held } = state
    let isTrial = false
    /** The breaker sees the end before the slot is free: the next call must find that it has opened. */
    const leave = (end: AttemptEnd | undefined): void => {
      breaker.ended(isTrial, end)
      slots.release()
    }
    let ending: Promise<AttemptEnd>
    try {
      refuseWhileBroken()
      isTrial = breaker.begin()
      const etag = held?.etag
      const headers = headersOf({ call, request, proof, etag })
      const conditional = etag !== undefined
      const tried = { call, path, headers, proof, deadline, timeoutMs, conditional }
      ending = attempt(tried, cancellation)
    } catch (error) {
      leave(undefined)
      return Promise.reject(error)
    }
    return ending.then(
      (end) => {
        leave(end)
        return end
      },
      (error: unknown) => {
        leave(undefined)
        if (error instanceof Inconclusive) return error.end
        throw error
      },
    )
  }

  /** Attempts until one is answered, or none may follow. */
  async function attempts(state: CallState, path: string): Promise<Answered> {
    const { call, cancellation, deadline } = state
    let last: Failed | undefined
    let renewed = false
    for (let repetition = 0; ; ) {
      const shown = credential.headers(state.request)
      const proof = 'then' in shown ? await proofOf(state, shown) : shown
      let end: AttemptEnd
      try {
        end = await attemptInTurn(state, path, proof)
      } catch (error) {
        // The service's own last failure explains more than a refusal to try again.
        throw last !== undefined && error instanceof Failed ? last : error
      }
      state.tried = true
      if (end.left) {
        state.attempts += 1
        if (end.failure === undefined || !notCharged.has(end.failure.code)) state.units += call.units ?? 0
      }
      state.status = end.status === 0 ? undefined : end.status
      const { failure } = end
      if (failure === undefined) return end
      spent.note(state.credentialKey, call, failure)
      last = new Failed(failure, end.cause)
      if (end.status === 401 && credential.renew?.(proof) === true && call.safe && !renewed) {
        renewed = true
        continue
      }
      if (!call.safe || !failure.retry || repetition >= (tuning.retries ?? 2)) throw last
      const { retryAfter } = failure
      const delay = retryDelayMs({ repetition, firstMs: tuning.retryDelayMs ?? 100, random, retryAfter })
      if (performance.now() + delay >= deadline) throw last
      repetition += 1
      await pause(delay, cancellation)
      if ((call.units ?? 0) > 0) await admitAgain(state, last)
    }
  }

  /** A repetition is charged again. Where that is refused, the service's own failure explains more. */
  async function admitAgain(state: CallState, last: Failed): Promise<void> {
    try {
      await admit(state)
    } catch {
      throw last
    }
  }

  function admit(state: CallState): Promise<void> | undefined {
    const admitted = (reservation: string | undefined): void => {
      state.admitted = true
      if (reservation !== undefined) state.reservations = [...state.reservations, reservation]
    }
    const admission = options.admit?.(state.call, state.credentialKey, state.request)
    if (admission instanceof Promise) return admission.then(admitted)
    if (options.admit !== undefined) admitted(admission)
    return undefined
  }

  async function perform(state: CallState): Promise<Answered> {
    const { call, credentialKey } = state
    running += 1
    try {
      if (closed !== undefined) throw new Failed(refusal(service, 'stopping'))
      const path = pathOf(call)
      refuseWhileBroken()
      const admission = admit(state)
      if (admission !== undefined) await admission
      const known = spent.refusal(credentialKey, call)
      if (known !== undefined) throw new Failed(known)
      const end = await attempts(state, path)
      report(state, end.status === 304 && state.held !== undefined ? 'revalidated' : 'sent', undefined)
      return end
    } catch (error) {
      throw ended(state, error, state.tried ? 'failed' : 'refused')
    } finally {
      if (!call.safe && state.attempts > 0) cache?.wrote(credentialKey)
      running -= 1
      if (running === 0) allDone?.()
    }
  }

  function answer(call: UpstreamCall, request: SubgraphRequest): Promise<Response> {
    return perform(callState(call, request, request, credential.key(request), undefined))
  }

  async function cachedAnswer(call: UpstreamCall, request: SubgraphRequest, store: Cache): Promise<Response> {
    const credentialKey = credential.key(request)
    const key = cacheKey(credentialKey, call)
    const held = store.find(key)
    const state = callState(call, request, request, credentialKey, undefined)
    if (held !== undefined && store.fresh(held, credentialKey)) {
      report(state, 'cached', undefined)
      return held.response
    }
    // The refusal of a request whose quota is used up must not reach others that still have some.
    if (request.cacheOnly === true) return perform(state)
    const underWay = inFlight.find(key)
    const isShared = underWay !== undefined && store.knowsLastWrite(underWay.since, credentialKey)
    const shared = isShared
      ? underWay
      : inFlight.start(key, state.timeoutMs, async (cancellation) => {
          const stale = held?.etag === undefined ? undefined : held
          const own = callState(call, request, cancellation, credentialKey, stale)
          const end = await perform(own)
          const kept =
            stale !== undefined && end.status === 304
              ? { ...stale, since: own.started }
              : heldFrom(end, end.bytes, own.started)
          if (kept === undefined) return end
          store.keep(key, kept)
          return kept.response
        })
    let timedOut = false
    shared.join()
    try {
      const response = await until(shared.result, state.deadline, request)
      if (isShared) report(state, 'shared', undefined)
      return response
    } catch (error) {
      timedOut = error instanceof CancelledError && error.why === 'timeout'
      if (isShared) throw ended(state, error, 'failed')
      // The shared call reports its own outcome when it ends, which may be after this caller has gone.
      throw error instanceof CancelledError
        ? errorOf(service, failureOfLoss(service, error.why), undefined, undefined)
        : error
    } finally {
      shared.leave(timedOut)
    }
  }

  return {
    service,
    send: <T>(call: UpstreamCall, request: SubgraphRequest) =>
      (cache !== undefined &&
      call.cacheable === true &&
      call.method === 'GET' &&
      // What became of a write is found out at the service itself.
      request.earlierAttempt === undefined
        ? cachedAnswer(call, request, cache)
        : answer(call, request)) as Promise<UpstreamResponse<T>>,
    credentialKey: credential.key,
    parseBody: parse,
    state: () => ({ breaker: breaker.state, active: slots.active, waiting: slots.waiting }),
    close() {
      closed ??= (async () => {
        if (running > 0) {
          await new Promise<void>((resolve) => {
            allDone = resolve
          })
        }
        cache?.clear()
        await Promise.all([connections.close(), credential.close?.()])
      })()
      return closed
    },
  }
}
