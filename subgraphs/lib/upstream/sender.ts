/**
 * How a call runs: cache, admission, breaker, queue, attempts, and the event that tells of it. Each of
 * these parts knows only its own; their order is decided here.
 */
import { BrokenCircuitError } from 'cockatiel'
import { GraphQLError } from 'graphql'
import { openCredential } from '../credential.ts'
import { badInput, isErrorCode } from '../errors.ts'
import type { CallOutcome, SubgraphRequest } from '../request.ts'
import type {
  Failure,
  Upstream,
  UpstreamCall,
  UpstreamEvent,
  UpstreamOptions,
  UpstreamResponse,
} from '../upstream.ts'
import { climbs, isPath, readBaseUrl } from './address.ts'
import { type Answered, type AttemptEnd, createAttempts, Inconclusive } from './attempt.ts'
import { createBreaker } from './breaker.ts'
import { type Cache, cacheKey, createCache, type Held, heldFrom } from './cache.ts'
import { createConnections } from './connections.ts'
import { errorOf, Failed, failureOfLoss, refusal } from './failure.ts'
import { createFlights } from './flights.ts'
import { createHeaders, traceOfRequest } from './headers.ts'
import { createLanes } from './lanes.ts'
import { GaveUp, type Patience, pause, until } from './patience.ts'
import { retryDelayMs } from './retry.ts'

type Answer = UpstreamResponse<unknown>

/** What is known of a call while it runs. */
interface Course {
  readonly call: UpstreamCall
  readonly request: SubgraphRequest
  readonly patience: Patience
  readonly credentialKey: string
  readonly started: number
  readonly timeoutMs: number
  readonly deadline: number
  /** The stale answer that may turn out to be good still. */
  readonly held: Held | undefined
  admitted: boolean
  /** Whether it was tried at all, and how often it left for the service. */
  tried: boolean
  attempts: number
  units: number
  status: number | undefined
}

const mebibyte = 1024 * 1024

/** What the service refuses with these it does not charge. */
const notCharged = new Set(['RATE_LIMITED', 'QUOTA_EXCEEDED'])

export function createSender(options: UpstreamOptions): Upstream {
  const { service, tuning = {} } = options
  const address = readBaseUrl(options.baseUrl, service)
  const credential = openCredential(options.credential, service)
  const usualTimeoutMs = tuning.timeoutMs ?? 10_000
  const concurrency = tuning.concurrency ?? 64
  const random = options.random ?? Math.random

  const connections = createConnections(address.origin, Math.min(5000, usualTimeoutMs))
  const lanes = createLanes(concurrency, tuning.queue ?? 512)
  const breaker = createBreaker(tuning.breaker ?? {}, lanes.shut)
  const attempt = createAttempts({
    service,
    connections,
    origin: address.origin,
    forwarded: options.credential.kind === 'forward',
    maxBytes: tuning.maxResponseBytes ?? 32 * mebibyte,
    failure: options.failure,
  })
  const headersOf = createHeaders(
    [
      ...['accept', 'application/json', 'user-agent', 'tessera'],
      // Over the loopback compression costs both sides more than the bytes would. The bare word, because
      // some servers do not understand a weight.
      ...((tuning.gzip ?? !address.loopback) ? ['accept-encoding', 'gzip'] : []),
    ],
    options.traceHeaders ?? traceOfRequest,
  )
  const cache =
    tuning.cache === undefined
      ? undefined
      : createCache({ freshMs: tuning.cache.freshMs, maxBytes: tuning.cache.maxBytes ?? 64 * mebibyte })
  const flights = createFlights<Answer>()

  let running = 0
  let closed: Promise<void> | undefined
  let allDone: (() => void) | undefined

  function courseOf(
    call: UpstreamCall,
    request: SubgraphRequest,
    patience: Patience,
    credentialKey: string,
    held: Held | undefined,
  ): Course {
    const started = performance.now()
    const timeoutMs = call.timeoutMs ?? usualTimeoutMs
    return {
      call,
      request,
      patience,
      credentialKey,
      started,
      timeoutMs,
      deadline: Math.min(patience.deadline, started + timeoutMs),
      held,
      admitted: false,
      tried: false,
      attempts: 0,
      units: 0,
      status: undefined,
    }
  }

  /** One event a call, whatever came of it. */
  function report(course: Course, outcome: CallOutcome, failure: Partial<Failure> | undefined): void {
    const { call, request, units } = course
    const milliseconds = performance.now() - course.started
    request.meter.call({ service, operation: call.operation, outcome, units, milliseconds })
    const settle = course.admitted ? options.settle : undefined
    if (options.observe === undefined && settle === undefined) return
    const event: UpstreamEvent = {
      service,
      call,
      operation: call.operation,
      method: call.method,
      safe: call.safe,
      outcome,
      status: course.status,
      milliseconds,
      units,
      attempts: course.attempts,
      code: failure?.code,
      reason: failure?.reason,
      retryAfter: failure?.retryAfter,
      credentialKey: course.credentialKey,
      request,
    }
    options.observe?.(event)
    settle?.(event)
  }

  /** Reports a call that came to nothing; answers the error for its caller. */
  function ended(course: Course, error: unknown, outcome: CallOutcome): unknown {
    if (error instanceof GaveUp) {
      const failure = failureOfLoss(service, error.why)
      report(course, outcome, failure)
      return errorOf(service, failure, course.status, undefined)
    }
    if (error instanceof Failed) {
      report(course, outcome, error.failure)
      return errorOf(service, error.failure, course.status, error.cause)
    }
    // Thrown by a hook: the admission's refusal, or a fault of our own.
    const code = error instanceof GraphQLError ? error.extensions.code : undefined
    report(course, outcome, isErrorCode(code) ? { code } : { code: 'INTERNAL_SERVER_ERROR' })
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

  async function proofOf(course: Course, promised: Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await until(promised, course.deadline, course.patience)
    } catch (error) {
      throw error instanceof GaveUp ? error : new Failed(refusal(service, 'credential'), error)
    }
  }

  /** One attempt, in its turn. Rejects where nothing could be sent. */
  function attemptInTurn(course: Course, path: string, proof: readonly string[]): Promise<AttemptEnd> {
    if (lanes.enter()) return attemptNow(course, path, proof)
    return lanes.wait(course.deadline, course.patience).then((turn) => {
      if (turn === 'timeout' || turn === 'cancelled') throw new GaveUp(turn)
      if (turn === 'full') throw new Failed(refusal(service, 'full', 1))
      if (turn === 'shut') throw new Failed(refusal(service, 'breaker', breaker.refusal() ?? 1))
      return attemptNow(course, path, proof)
    })
  }

  /** For who has a lane, which is left with the attempt's end. */
  function attemptNow(course: Course, path: string, proof: readonly string[]): Promise<AttemptEnd> {
    const { call, request, patience, deadline, timeoutMs, held } = course
    const noted = breaker.state === 'closed'
    let ending: Promise<AttemptEnd>
    try {
      refuseWhileBroken()
      const etag = held?.etag
      const headers = headersOf({ call, request, proof, etag })
      const conditional = etag !== undefined
      const tried = { call, path, headers, proof, deadline, timeoutMs, conditional }
      ending = noted ? attempt(tried, patience) : breaker.run(() => attempt(tried, patience))
    } catch (error) {
      lanes.leave()
      return Promise.reject(error)
    }
    return ending.then(
      (end) => {
        const leave = (): AttemptEnd => {
          lanes.leave()
          return end
        }
        // Before the lane is free: who waits for it must not go where the breaker has just opened.
        const noting = noted ? breaker.ended(end) : undefined
        return noting === undefined ? leave() : noting.then(leave)
      },
      (error: unknown) => {
        lanes.leave()
        if (error instanceof Inconclusive) return error.end
        throw error instanceof BrokenCircuitError ? new Failed(refusal(service, 'breaker', 1)) : error
      },
    )
  }

  /** Attempts until one is answered, or none may follow. */
  async function attempts(course: Course, path: string): Promise<Answered> {
    const { call, patience, deadline } = course
    let last: Failed | undefined
    let renewed = false
    for (let repetition = 0; ; ) {
      const shown = credential.headers(course.request)
      const proof = 'then' in shown ? await proofOf(course, shown) : shown
      let end: AttemptEnd
      try {
        end = await attemptInTurn(course, path, proof)
      } catch (error) {
        // What the service itself said last tells more than that it is not asked again.
        throw last !== undefined && error instanceof Failed ? last : error
      }
      course.tried = true
      if (end.left) {
        course.attempts += 1
        if (end.failure === undefined || !notCharged.has(end.failure.code)) course.units += call.units ?? 0
      }
      course.status = end.status === 0 ? undefined : end.status
      const { failure } = end
      if (failure === undefined) return end
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
      await pause(delay, patience)
    }
  }

  async function perform(course: Course): Promise<Answered> {
    const { call, request, credentialKey } = course
    running += 1
    try {
      if (closed !== undefined) throw new Failed(refusal(service, 'stopping'))
      const path = pathOf(call)
      refuseWhileBroken()
      if (options.admit !== undefined) {
        const admission = options.admit(call, credentialKey, request)
        if (admission !== undefined) await admission
        course.admitted = true
      }
      const end = await attempts(course, path)
      report(course, end.status === 304 && course.held !== undefined ? 'revalidated' : 'sent', undefined)
      return end
    } catch (error) {
      throw ended(course, error, course.tried ? 'failed' : 'refused')
    } finally {
      if (!call.safe && course.attempts > 0) cache?.wrote(credentialKey)
      running -= 1
      if (running === 0) allDone?.()
    }
  }

  function answer(call: UpstreamCall, request: SubgraphRequest): Promise<Answer> {
    return perform(courseOf(call, request, request, credential.key(request), undefined))
  }

  async function cachedAnswer(call: UpstreamCall, request: SubgraphRequest, store: Cache): Promise<Answer> {
    const credentialKey = credential.key(request)
    const key = cacheKey(credentialKey, call)
    const held = store.find(key)
    const course = courseOf(call, request, request, credentialKey, undefined)
    if (held !== undefined && store.fresh(held, credentialKey)) {
      report(course, 'cached', undefined)
      return held.response
    }
    const underWay = flights.find(key)
    const shared = underWay !== undefined && store.knowsLastWrite(underWay.since, credentialKey)
    const flight = shared
      ? underWay
      : flights.begin(key, course.timeoutMs, async (patience) => {
          const stale = held?.etag === undefined ? undefined : held
          const flown = courseOf(call, request, patience, credentialKey, stale)
          const end = await perform(flown)
          const kept =
            stale !== undefined && end.status === 304
              ? { ...stale, since: flown.started }
              : heldFrom(end, end.bytes, flown.started)
          if (kept === undefined) return end
          store.keep(key, kept)
          return kept.response
        })
    let timedOut = false
    flight.board()
    try {
      const response = await until(flight.landing, course.deadline, request)
      if (shared) report(course, 'shared', undefined)
      return response
    } catch (error) {
      timedOut = error instanceof GaveUp && error.why === 'timeout'
      if (shared) throw ended(course, error, 'failed')
      // The flight reports itself when it ends; its first rider may leave before.
      throw error instanceof GaveUp
        ? errorOf(service, failureOfLoss(service, error.why), undefined, undefined)
        : error
    } finally {
      flight.leave(timedOut)
    }
  }

  return {
    service,
    send: <T>(call: UpstreamCall, request: SubgraphRequest) =>
      (cache !== undefined && call.cacheable === true && call.method === 'GET'
        ? cachedAnswer(call, request, cache)
        : answer(call, request)) as Promise<UpstreamResponse<T>>,
    credentialKey: credential.key,
    state: () => ({ breaker: breaker.state, active: lanes.active, waiting: lanes.waiting }),
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
