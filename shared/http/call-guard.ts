/**
 * What protects another server, and this one from it: a limit on how much is sent at the same time, a circuit breaker,
 * and repetitions of what may be repeated, within a budget, so that they never multiply the load of a server that is
 * failing. The clients of services and of subgraphs both send through it.
 *
 * The order: each attempt waits for its turn, is refused while the breaker is open, and tells the breaker how it ended
 * before its turn is over, so that the next one finds the breaker open.
 */

import type { UpstreamState } from '../upstream.ts'
import { type BreakerTuning, createBreaker, type Verdict } from './breaker.ts'
import { type Cancellation, CancelledError, type CancelReason, pause } from './cancellation.ts'
import { createConcurrencyLimit, type SlotResult } from './concurrency.ts'
import { retryDelayMs } from './retry.ts'

export interface CallGuardOptions {
  /** Calls at the same time, and those that may wait for their turn. Any number by default. */
  readonly concurrency?: { readonly most: number; readonly waiting: number } | undefined
  /** None by default. */
  readonly breaker?: BreakerTuning | undefined
  /** None by default. */
  readonly retries?: CallRetries | undefined
}

export interface CallRetries {
  /** How often a call is repeated at most. */
  readonly most: number
  /** The first repetition waits a random time up to this; it doubles each time. */
  readonly delayMs: number
  /** Repetitions for each call, in the long run. As many as `most` allows by default. */
  readonly budget?: number | undefined
  readonly random?: (() => number) | undefined
}

/** Why an attempt was not made: by the limit, by the breaker, or because its caller's time was up. */
export type CallRefusal =
  | { readonly why: 'full' | 'breaker'; readonly retryAfter: number }
  | { readonly why: CancelReason }

/** How an attempt may be followed by another one. */
export type Repetition =
  /** It counts as none of those that are allowed. */
  | 'at-once'
  /** After a pause, which is at least as long as the server said, in seconds. */
  | { readonly retryAfter: number | undefined }

/** What is attempted. `End` is how an attempt ended, well or not. */
export interface GuardedCall<End extends object> {
  readonly deadline: number
  readonly cancellation: Cancellation
  /** Before each attempt waits for its turn. A rejection is the outcome. */
  prepare?(): Promise<void> | undefined
  /** A rejection is the outcome, and tells nothing of the server. */
  attempt(): Promise<End>
  /** Undefined if the end tells nothing of the server. */
  verdict(end: End): Verdict | undefined
  /** Asked once after each attempt. */
  repetition(end: End): Repetition | undefined
  /** After the pause before a repetition; if it may not be made, the end before it is the outcome. */
  mayRepeat?(): Promise<boolean> | undefined
  /** The outcome if no attempt was made; may throw it. */
  refused(refusal: CallRefusal): End
}

export interface CallGuard {
  run<End extends object>(call: GuardedCall<End>): Promise<End>
  /** The seconds until the breaker lets a call through; undefined if it does now. */
  refusal(): number | undefined
  readonly state: UpstreamState
}

/** Repetitions that may be saved up for a moment of failures. */
const mostSaved = 10

export function createCallGuard(options: CallGuardOptions): CallGuard {
  const { concurrency, retries } = options
  const limit =
    concurrency === undefined ? undefined : createConcurrencyLimit(concurrency.most, concurrency.waiting)
  const breaker =
    options.breaker === undefined ? undefined : createBreaker(options.breaker, () => limit?.shut())
  const { most = 0, delayMs = 0, budget = Number.POSITIVE_INFINITY, random = Math.random } = retries ?? {}
  const mostKept = Number.isFinite(budget) ? mostSaved : Number.POSITIVE_INFINITY
  let saved = mostKept

  /** Why a call is not made whose wait for a turn ended so; undefined if it is made. */
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
          // The server's own last failure explains more than a refusal to try again.
          const isOurs = refusal.why === 'full' || refusal.why === 'breaker'
          return isOurs && last !== undefined ? last : call.refused(refusal)
        }
        // Nothing is waited for in between: a breaker that is half open lets one call through.
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
        // An answer that says why it failed is worth more than a timeout.
        if (performance.now() + delay >= call.deadline) return end
        repeated += 1
        saved -= 1
        const why = await pausedFor(delay, call.cancellation)
        if (why !== undefined) return call.refused({ why })
        if ((await call.mayRepeat?.()) === false) return end
      }
    },
    refusal: () => breaker?.refusal(),
    get state() {
      return {
        breaker: breaker?.state ?? 'closed',
        active: limit?.active ?? 0,
        waiting: limit?.waiting ?? 0,
      }
    },
  }
}

/** Why the pause was not waited for. */
async function pausedFor(ms: number, cancellation: Cancellation): Promise<CancelReason | undefined> {
  try {
    await pause(ms, cancellation)
    return undefined
  } catch (error) {
    if (error instanceof CancelledError) return error.why
    throw error
  }
}
