/**
 * How long a shared batch waits for further wants while others are on their way: at most a share of what the service
 * itself takes, in the median of the last batches, so that waiting costs a request the same part of its time wherever
 * the service is. It waits that long only for a batch that is expected back within it, whose requests will ask for
 * more then; else a few milliseconds. It is longer where the service's budget runs low, and never longer than a bound.
 */

/** How look-ups of different requests share calls. */
export interface Sharing {
  /** The longest that a want waits for others, in milliseconds. 50. */
  readonly mostWaitMs?: number | undefined
  /** How much of the service's budget is spent, from 0 to 1. Nothing, unless given. */
  readonly spent?: ((credentialKey: string) => number) | undefined
}

export interface Patience {
  /** A batch that began at `began` is back. Times are those of `performance.now()`. */
  took(began: number): void
  /**
   * How long to wait, in milliseconds; `spent` is the part of the budget that is gone, `began` when those began that
   * are on their way, the first one first.
   */
  wait(spent: number, began: Iterable<number>): number
}

/**
 * Of the median of a batch. With a quarter, requests took up to 1.3 times as long as without sharing where a service 30 ms
 * away takes 15 ms more or less; with a fifth 1.2 times, with as many calls (`npm run bench -- --distance`).
 */
const shareOfMedian = 0.2
/** For services nearby, which are back before this is over. */
const leastMs = 4
const remembered = 15
/** With this much of the budget gone, waiting grows … */
const lowFrom = 0.5
/** … up to so many times, when nothing is left. */
const lowFactor = 5

export function createPatience(mostMs: number): Patience {
  const last: number[] = []
  let next = 0
  let median = 0
  return {
    took(began) {
      last[next] = performance.now() - began
      next = (next + 1) % remembered
      median = [...last].sort((a, b) => a - b)[last.length >>> 1] ?? 0
    },
    wait(spent, began) {
      const low = Math.max(0, (Math.min(1, spent) - lowFrom) / (1 - lowFrom))
      const most = Math.min(mostMs, Math.max(leastMs, median * shareOfMedian) * (1 + low * (lowFactor - 1)))
      // With little left, a unit counts for more than a millisecond.
      if (low > 0) return most
      const now = performance.now()
      let until = 0
      for (const each of began) {
        const due = each + median - now
        if (due > most) break
        until = Math.max(until, due)
      }
      return Math.min(most, until + leastMs)
    },
  }
}
