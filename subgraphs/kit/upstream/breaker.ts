/**
 * The circuit breaker of one service, on cockatiel. It opens after many failures in a row, or when too
 * large a share of the recent calls failed; then calls are refused at once. After a pause, which doubles
 * while the service stays down, one call is let through, and its success closes the breaker.
 */
import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoff,
  type IBreaker,
  SamplingBreaker,
} from 'cockatiel'

export interface BreakerTuning {
  readonly consecutive?: number | undefined
  readonly ratio?: number | undefined
  readonly minimumRps?: number | undefined
  readonly pauseMs?: number | undefined
  readonly maxPauseMs?: number | undefined
}

/** What the breaker wants to know of a call's end. A call that throws tells nothing of the service. */
export interface Verdict {
  /** Whether the service failed, and not the caller. */
  readonly fault: boolean
}

export interface Breaker {
  readonly state: 'closed' | 'open' | 'half-open'
  /** Undefined where a call may go out, else the seconds until one may. */
  refusal(): number | undefined
  /** Makes the call and takes note of its end. Call it directly after `refusal()` had nothing to say. */
  run<T extends Verdict>(call: () => Promise<T>): Promise<T>
  /**
   * The same for a call that was begun while the state was 'closed': the policy then only counts, and without its
   * wrappings every call is a few microseconds cheaper. Wait for what is answered, if anything is.
   */
  ended(end: Verdict): Promise<unknown> | undefined
}

const sampledMs = 10_000

export function createBreaker(tuning: BreakerTuning, opened: () => void): Breaker {
  const firstPause = tuning.pauseMs ?? 1000
  const longestPause = Math.max(firstPause, tuning.maxPauseMs ?? 10_000)
  let until = 0

  const pauseOf = (ms: number): IBackoff<unknown> => {
    until = Date.now() + ms
    return { duration: ms, next: () => pauseOf(Math.min(longestPause, ms * 2)) }
  }

  const breaker = eitherOf(
    new ConsecutiveBreaker(tuning.consecutive ?? 10),
    new SamplingBreaker({
      threshold: tuning.ratio ?? 0.5,
      duration: sampledMs,
      minimumRps: tuning.minimumRps ?? 5,
    }),
  )
  const policy = circuitBreaker(
    // A call that tells nothing (its caller went away) counts for nothing, but it must not end a trial well.
    handleWhen(() => policy.state === CircuitState.HalfOpen).orWhenResult((end) => (end as Verdict).fault),
    {
      breaker,
      halfOpenAfter: { next: () => pauseOf(firstPause) },
    },
  )
  policy.onBreak(opened)

  return {
    get state() {
      if (policy.state === CircuitState.Closed) return 'closed'
      return policy.state === CircuitState.HalfOpen ? 'half-open' : 'open'
    },
    refusal() {
      if (policy.state === CircuitState.Closed) return undefined
      const left = until - Date.now()
      // While one call probes, the others would wait for its end: they are refused instead.
      if (policy.state === CircuitState.HalfOpen) return 1
      return left > 0 ? Math.max(1, Math.ceil(left / 1000)) : undefined
    },
    run: (call) => policy.execute(call),
    ended(end) {
      if (!end.fault) breaker.success(CircuitState.Closed)
      else if (policy.state === CircuitState.Closed) return policy.execute(() => end)
      return undefined
    },
  }
}

/** Opens when either of two breakers would; both see every call. */
function eitherOf(first: IBreaker, second: IBreaker): IBreaker {
  return {
    get state() {
      return [first.state, second.state]
    },
    set state(state: unknown) {
      if (Array.isArray(state)) [first.state, second.state] = state
    },
    success(state) {
      first.success(state)
      second.success(state)
    },
    failure(state) {
      const one = first.failure(state)
      const other = second.failure(state)
      return one || other
    },
  }
}
