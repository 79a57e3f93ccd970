/**
 * The time that planning may take: a share of what a request has left. The usual bound is the number of steps, by
 * which an operation has the same plan each time; the clock is for operations, and for machines, that are so slow that
 * the steps would take the time in which subgraphs should answer.
 */
import { PlanBoundError } from '../output/nodes.ts'

export interface Clock {
  /** Whether the time is over in which a better plan is looked for. */
  isLate(): boolean
  /** Throws if the time is over in which there must be any plan at all. */
  check(): void
}

/** Of the time that is left: what is spent on a plan that is better than the first one, and on any plan at all. */
const improvingShare = 0.05
const planningShare = 0.5

const unbounded: Clock = { isLate: () => false, check() {} }
const usualNow = (): number => performance.now()

/** `deadline` and `now` in milliseconds of `performance.now()`; without a deadline there is no bound. */
export function createClock(deadline: number | undefined, now: () => number = usualNow): Clock {
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
          'The operation is too complex: no plan was found in the time of the request.',
          true,
        )
    },
  }
}
