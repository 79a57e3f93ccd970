/**
 * The circuit breaker of a service or subgraph. It opens after many consecutive failures, or if too many of the
 * recent calls failed. Calls are refused immediately then. After a pause, which doubles while the service remains
 * down, one trial call is let through. Its success closes the breaker.
 */

export interface BreakerTuning {
  /** Opens after this many consecutive failures. 10 by default. */
  readonly consecutive?: number | undefined
  /** Opens when more than this share of the calls of the last ten seconds failed. 0.5 by default. */
  readonly ratio?: number | undefined
  readonly minimumRps?: number | undefined
  /** The first pause before a trial. 1000 by default. */
  readonly pauseMs?: number | undefined
  readonly maxPauseMs?: number | undefined
}

export interface Verdict {
  /** Whether the service failed, and not the caller. */
  readonly fault: boolean
}

export type Breaker = ReturnType<typeof createBreaker>

const sampledSeconds = 10

/** `opened` is called whenever it opens. */
export function createBreaker(tuning: BreakerTuning, opened: () => void) {
  const { consecutive = 10, ratio = 0.5, minimumRps = 5, pauseMs: firstPauseMs = 1000 } = tuning
  const longestPauseMs = Math.max(firstPauseMs, tuning.maxPauseMs ?? 10_000)
  const recent = createRecentCalls()
  let state: 'closed' | 'open' | 'half-open' = 'closed'
  let failuresInRow = 0
  let pauseMs = firstPauseMs
  let closedUntil = 0

  function open(): void {
    state = 'open'
    closedUntil = performance.now() + pauseMs
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    opened()
  }

  function close(): void {
    state = 'closed'
    pauseMs = firstPauseMs
    failuresInRow = 0
    recent.clear()
  }

  function hasTooManyFailures(now: number): boolean {
    if (failuresInRow >= consecutive) return true
    const { calls, failures } = recent.counts(now)
    return calls >= sampledSeconds * minimumRps && failures > ratio * calls
  }

  return {
    get state() {
      return state
    },
    /** Undefined if a call may begin, otherwise the seconds until one may. */
    refusal(): number | undefined {
      if (state === 'closed') return undefined
      // During the trial other calls are refused instead of waiting for its end.
      if (state === 'half-open') return 1
      const left = closedUntil - performance.now()
      return left > 0 ? Math.max(1, Math.ceil(left / 1000)) : undefined
    },
    /** Begins a call, directly after `refusal()` returned undefined. Returns whether it is the trial. */
    begin(): boolean {
      if (state !== 'open') return false
      state = 'half-open'
      return true
    },
    /** Ends a call, without a verdict if its result says nothing about the service. A trial must end once. */
    ended(isTrial: boolean, verdict: Verdict | undefined): void {
      if (isTrial) {
        if (verdict?.fault === false) close()
        else open()
        return
      }
      // A call that began before the breaker opened says nothing about the service now.
      if (verdict === undefined || state !== 'closed') return
      const now = performance.now()
      recent.note(now, verdict.fault)
      if (!verdict.fault) failuresInRow = 0
      else {
        failuresInRow += 1
        if (hasTooManyFailures(now)) open()
      }
    },
  }
}

const never = Number.NEGATIVE_INFINITY

/** Counts calls and failures of the last ten seconds, by whole seconds. */
function createRecentCalls() {
  const seconds = Array.from({ length: sampledSeconds }, () => ({ second: never, calls: 0, failures: 0 }))
  return {
    note(now: number, fault: boolean): void {
      const second = Math.floor(now / 1000)
      const at = seconds[second % sampledSeconds]
      if (at === undefined) return
      if (at.second !== second) {
        at.second = second
        at.calls = 0
        at.failures = 0
      }
      at.calls += 1
      if (fault) at.failures += 1
    },
    counts(now: number) {
      const first = Math.floor(now / 1000) - sampledSeconds
      let calls = 0
      let failures = 0
      for (const each of seconds) {
        if (each.second <= first) continue
        calls += each.calls
        failures += each.failures
      }
      return { calls, failures }
    },
    clear(): void {
      for (const each of seconds) each.second = never
    },
  }
}
