/**
 * Bounds how many polls of one service run at the same time. Otherwise thousands of requests would be sent at the
 * same time when they begin or when the service is back. The service would then answer late or not at all, and
 * queries would wait as well.
 */
export interface Turns {
  /** Resolves when it is the caller's turn, which lasts until `release`. Returns undefined if the turn is now. */
  take(): Promise<void> | undefined
  release(): void
}

export function createTurns(most: number): Turns {
  let taken = 0
  // A Set keeps the order and removes its first entry in constant time.
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
