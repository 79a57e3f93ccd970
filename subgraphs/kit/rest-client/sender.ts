/**
 * The steps of a call in their order: cache, quota admission, the guard (circuit breaker, concurrency limit, attempts),
 * and the event that reports the outcome. Each step is a module of its own.
 */
import { GraphQLError } from 'graphql'
import { badInput, isErrorCode } from '../../../shared/errors.ts'
import { createCallGuard } from '../../../shared/http/call-guard.ts'
import { CancelledError, until } from '../../../shared/http/cancellation.ts'
import { createHttpClient } from '../../../shared/http/client.ts'
import { traceOfRequest } from '../../../shared/http/trace-context.ts'
import type { CallOutcome, SubgraphRequest } from '../../../shared/request.ts'
import { SingleFlight } from '../../../shared/runtime/single-flight.ts'
import type { UpstreamCall, UpstreamEvent } from '../../../shared/upstream.ts'
import { openCredential } from '../credentials/index.ts'
import { climbs, isPath, readBaseUrl } from './address.ts'
import { type Answered, createAttempts } from './attempt.ts'
import { type Cache, cacheKey, createCache, heldFrom } from './cache.ts'
import { type CallParts, RunningCall } from './call.ts'
import { keyWith, onceEach, withCallHeaders } from './call-headers.ts'
import { errorOf, Failed, failureOfLoss, refusal } from './failure.ts'
import { createHeaders } from './headers.ts'
import { parseBody } from './json.ts'
import type { Failure, Upstream, UpstreamOptions, UpstreamResponse } from './options.ts'
import { SharedWait } from './shared-wait.ts'
import { SpentBuckets } from './spent.ts'

type Response = UpstreamResponse<unknown>

const mebibyte = 1024 * 1024

export function createSender(options: UpstreamOptions): Upstream {
  const { service, tuning = {} } = options
  const address = readBaseUrl(options.baseUrl, service)
  const callHeaders = options.callHeaders && onceEach(options.callHeaders)
  const opened = openCredential(options.credential, service)
  const credential = { ...opened, key: keyWith(opened.key, callHeaders) }
  const usualTimeoutMs = tuning.timeoutMs ?? 10_000
  const concurrency = tuning.concurrency ?? 64

  const client = createHttpClient(address.origin, {
    connections: concurrency,
    connectTimeoutMs: Math.min(5000, usualTimeoutMs),
  })
  const parse = tuning.parseBody ?? parseBody
  const guard = createCallGuard({
    concurrency: { most: concurrency, waiting: tuning.queue ?? 512 },
    breaker: tuning.breaker ?? {},
    retries: {
      most: tuning.retries ?? 2,
      delayMs: tuning.retryDelayMs ?? 100,
      random: options.random,
    },
  })
  const spent = new SpentBuckets()
  const parts: CallParts = {
    spent,
    service,
    credential,
    usualTimeoutMs,
    admit: options.admit,
    attempt: createAttempts({
      service,
      client,
      origin: address.origin,
      forwarded: options.credential.kind === 'forward',
      maxBytes: tuning.maxResponseBytes ?? 32 * mebibyte,
      failure: options.failure,
      parseBody: parse,
    }),
    headersOf: createHeaders(
      [
        ...['accept', 'application/json', 'user-agent', 'tessera'],
        // Over the loopback compression costs both sides more than the bytes would. The bare word, because
        // some servers do not understand a weight.
        ...((tuning.gzip ?? !address.loopback) ? ['accept-encoding', 'gzip'] : []),
      ],
      withCallHeaders(options.traceHeaders ?? traceOfRequest, callHeaders),
    ),
  }
  const cache =
    tuning.cache === undefined
      ? undefined
      : createCache({ freshMs: tuning.cache.freshMs, maxBytes: tuning.cache.maxBytes ?? 64 * mebibyte })
  const inFlight = new SingleFlight<Response, SharedWait>()

  let running = 0
  let closed: Promise<void> | undefined
  let allDone: (() => void) | undefined

  /** One event a call, whatever came of it. */
  function report(state: RunningCall, outcome: CallOutcome, failure: Partial<Failure> | undefined): void {
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
  function ended(state: RunningCall, error: unknown, outcome: CallOutcome): unknown {
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

  function pathOf(call: UpstreamCall): string {
    if (climbs(call.path)) throw badInput('"." and ".." are no identifiers.', { service })
    if (!isPath(call.path)) throw new Error(`the path of ${call.operation} is not encoded`)
    return address.prefix + call.path
  }

  async function perform(state: RunningCall): Promise<Answered> {
    const { call, credentialKey } = state
    running += 1
    try {
      if (closed !== undefined) throw new Failed(refusal(service, 'stopping'))
      state.path = pathOf(call)
      const seconds = guard.refusal()
      if (seconds !== undefined) throw new Failed(refusal(service, 'breaker', seconds))
      const admission = state.admit()
      if (admission !== undefined) await admission
      const known = spent.refusal(credentialKey, call)
      if (known !== undefined) throw new Failed(known)
      const end = await guard.run(state)
      if (end.failure !== undefined) throw new Failed(end.failure, end.cause)
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
    return perform(new RunningCall(parts, call, request, request, credential.key(request), undefined))
  }

  async function cachedAnswer(call: UpstreamCall, request: SubgraphRequest, store: Cache): Promise<Response> {
    const credentialKey = credential.key(request)
    const key = cacheKey(credentialKey, call)
    const held = store.find(key)
    const state = new RunningCall(parts, call, request, request, credentialKey, undefined)
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
      : inFlight.begin(key, new SharedWait(state.timeoutMs), async (cancellation) => {
          const stale = held?.etag === undefined ? undefined : held
          const own = new RunningCall(parts, call, request, cancellation, credentialKey, stale)
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
    shared.leader.join()
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
      if (shared.leader.leave()) {
        inFlight.forget(shared)
        shared.leader.cancel(timedOut)
      }
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
    state: () => guard.state,
    close() {
      closed ??= (async () => {
        if (running > 0) {
          await new Promise<void>((resolve) => {
            allDone = resolve
          })
        }
        cache?.clear()
        await Promise.all([client.close(), credential.close?.()])
      })()
      return closed
    },
  }
}
