/**
 * When a worker that ended is restarted: immediately for the first time, then after increasing times, until too
 * many have ended within a minute.
 */
export const mostRestarts = 12
export const withinMs = 60_000
const firstMs = 100
const longestMs = 10_000

export function createRestarts() {
  let ends: number[] = []
  return {
    /** Milliseconds until a worker that ended at `now` is replaced; undefined if it is time to give up. */
    next(now: number): number | undefined {
      ends = [...ends.filter((at) => now - at < withinMs), now]
      if (ends.length > mostRestarts) return undefined
      return ends.length === 1 ? 0 : Math.min(longestMs, firstMs * 2 ** (ends.length - 2))
    },
  }
}
