/**
 * Bounds planning by a share of the request's remaining time. The usual bound is the number of steps, which gives an
 * operation the same plan each time. The clock is for operations and machines so slow that the steps would use up the
 * time for the subgraphs.
 */
import { PlanBoundError } from '../output/nodes.ts'

export interface Clock {
  /** Whether the time for improvements is over. */
  isLate(): boolean
  /** Throws if the time for any plan is over. */
  check(): void
}

/** The shares of the remaining time for improvements of the first plan, and for any plan at all. */
const improvingShare = 0.05
const planningShare = 0.5

const unbounded: Clock = { isLate: () => false, check() {} }
const defaultNow = (): number => performance.now()

/** `deadline` and `now` are in milliseconds of `performance.now()`. Without a deadline there is no bound. */
export function createClock(deadline: number | undefined, now: () => number = defaultNow): Clock {
  if (deadline === undefined) return unbounded
  const start = now()
  const left = Math.max(0, deadline - start)
  const improving = start + left * improvingShare
  const planning = start + left * planningShare
  return {
    isLate: () => now() > improving,
    check() {
      if (now() > planning)
        throw new PlanBoundError(
          'The operation is too complex: no plan was found within the time of the request.',
          true,
        )
    },
  }
}
