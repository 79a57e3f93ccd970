/**
 * Protects another server, and this one from it: a concurrency limit, a circuit breaker, and retries within a budget,
 * so that they do not multiply the load of a failing server. The clients of services and of subgraphs both use it.
 *
 * Each attempt waits for its turn, is refused while the breaker is open, and reports its result to the breaker before
 * its turn ends, so that the next one finds the breaker open.
 */

import type { UpstreamState } from '../upstream.ts'
import { type BreakerTuning, createBreaker, type Verdict } from './breaker.ts'
import { type Cancellation, CancelledError, type CancelReason, pause } from './cancellation.ts'
import { createConcurrencyLimit, type SlotResult } from './concurrency.ts'
import { retryDelayMs } from './retry.ts'

export interface CallGuardOptions {
  /** The most concurrent calls, and the most that may wait. Unlimited by default. */
  readonly concurrency?: { readonly most: number; readonly waiting: number } | undefined
  /** None by default. */
  readonly breaker?: BreakerTuning | undefined
  /** None by default. */
  readonly retries?: CallRetries | undefined
}

interface CallRetries {
  readonly most: number
  /** The first retry waits a random time up to this. It doubles each time. */
  readonly delayMs: number
  /** The average number of retries for each call. By default `most`. */
  readonly budget?: number | undefined
  readonly random?: (() => number) | undefined
}

/** Why an attempt was not made: the limit, the breaker, or the end of its caller's time. */
export type CallRefusal =
  | { readonly why: 'full' | 'breaker'; readonly retryAfter: number }
  | { readonly why: CancelReason }

/** How an attempt may be repeated. */
export type Repetition =
  /** Immediately, without counting as a retry. */
  | 'at-once'
  /** After a pause of at least the seconds that the server sent. */
  | { readonly retryAfter: number | undefined }

/** A guarded call. `End` is the result of an attempt, successful or not. */
export interface GuardedCall<End extends object> {
  readonly deadline: number
  readonly cancellation: Cancellation
  /** Called before each attempt waits for its turn. A rejection is the outcome. */
  prepare?(): Promise<void> | undefined
  /** A rejection is the outcome, and says nothing about the server. */
  attempt(): Promise<End>
  /** Undefined if the result says nothing about the server. */
  verdict(end: End): Verdict | undefined
  /** Called once after each attempt. */
  repetition(end: End): Repetition | undefined
  /** Called after the pause before a retry. If it may not be made, the previous result is the outcome. */
  mayRepeat?(): Promise<boolean> | undefined
  /** The outcome if no attempt was made. May throw. */
  refused(refusal: CallRefusal): End
}

export type CallGuard = ReturnType<typeof createCallGuard>

/** The most retries that can be saved up for a moment of failures. */
const mostSaved = 10

export function createCallGuard(options: CallGuardOptions) {
  const { concurrency, retries } = options
  const limit =
    concurrency === undefined ? undefined : createConcurrencyLimit(concurrency.most, concurrency.waiting)
  const breaker =
    options.breaker === undefined ? undefined : createBreaker(options.breaker, () => limit?.shut())
  const { most = 0, delayMs = 0, budget = Number.POSITIVE_INFINITY, random = Math.random } = retries ?? {}
  const mostKept = Number.isFinite(budget) ? mostSaved : Number.POSITIVE_INFINITY
  let saved = mostKept

  /** Why a call is not made after its wait for a turn. Undefined if it is made. */
  function refusalAfter(turn: SlotResult): CallRefusal | undefined {
    if (turn === 'full') return { why: 'full', retryAfter: 1 }
    if (turn === 'shut') return { why: 'breaker', retryAfter: breaker?.refusal() ?? 1 }
    if (turn !== 'acquired') return { why: turn }
    const seconds = breaker?.refusal()
    if (seconds === undefined) return undefined
    limit?.release()
    return { why: 'breaker', retryAfter: seconds }
  }

  return {
    async run<End extends object>(call: GuardedCall<End>): Promise<End> {
      saved = Math.min(mostKept, saved + budget)
      let last: End | undefined
      for (let repeated = 0; ; ) {
        const preparing = call.prepare?.()
        if (preparing !== undefined) await preparing
        const isFree = limit === undefined || limit.acquire()
        const refusal = refusalAfter(isFree ? 'acquired' : await limit.wait(call.deadline, call.cancellation))
        if (refusal !== undefined) {
          // The server's own last failure explains more than a refused retry.
          const isOurs = refusal.why === 'full' || refusal.why === 'breaker'
          return isOurs && last !== undefined ? last : call.refused(refusal)
        }
        // No await is in between, so a half-open breaker lets only one call through.
        const isTrial = breaker?.begin() ?? false
        let end: End | undefined
        try {
          end = await call.attempt()
        } finally {
          breaker?.ended(isTrial, end && call.verdict(end))
          limit?.release()
        }
        const repetition = call.repetition(end)
        if (repetition === undefined) return end
        last = end
        if (repetition === 'at-once') continue
        if (repeated >= most || saved < 1) return end
        const { retryAfter } = repetition
        const delay = retryDelayMs({ repetition: repeated, firstMs: delayMs, random, retryAfter })
        // A response that explains its failure is better than a timeout.
        if (performance.now() + delay >= call.deadline) return end
        repeated += 1
        saved -= 1
        try {
          await pause(delay, call.cancellation)
        } catch (error) {
          if (error instanceof CancelledError) return call.refused({ why: error.why })
          throw error
        }
        if ((await call.mayRepeat?.()) === false) return end
      }
    },
    /** The seconds until the breaker lets a call through. Undefined if it does now. */
    refusal: () => breaker?.refusal(),
    get state(): UpstreamState {
      return {
        breaker: breaker?.state ?? 'closed',
        active: limit?.active ?? 0,
        waiting: limit?.waiting ?? 0,
      }
    },
  }
}
