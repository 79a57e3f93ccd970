/**
 * How many polls of one service are under way at once. With thousands of different questions, all would be asked together
 * when they begin or when the service is back: it would answer late or not at all, and not to queries either.
 */
export interface Turns {
  /** Resolves when it is the caller's turn, which lasts until `release`; undefined if that is now. */
  take(): Promise<void> | undefined
  release(): void
}

export function createTurns(most: number): Turns {
  let taken = 0
  // A Set keeps the order, and gives up its first one in no time.
  const waiting = new Set<() => void>()
  return {
    take() {
      if (taken < most) {
        taken += 1
        return undefined
      }
      return new Promise((resolve) => void waiting.add(resolve))
    },
    release() {
      const [next] = waiting
      if (next === undefined) {
        taken -= 1
        return
      }
      waiting.delete(next)
      next()
    },
  }
}
