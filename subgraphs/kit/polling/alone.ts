/** The store and the clock of a process that polls by itself. */
import type { LiveClock, LiveStore } from '../../../shared/polling.ts'

export const systemClock: LiveClock = {
  now: Date.now,
  after(milliseconds, run) {
    // A pending poll must not keep the process alive.
    const timer = setTimeout(run, Math.min(milliseconds, 2 ** 31 - 1)).unref()
    return () => clearTimeout(timer)
  },
}

/** The store of a process that shares its pollers with no other one, and therefore leads every topic. */
export function createLoneStore(): LiveStore {
  return {
    join(_, member) {
      let left = false
      queueMicrotask(() => {
        if (!left) member.lead(true)
      })
      return {
        want: () => {},
        mark: { asked: 0, heard: undefined },
        tell: () => {},
        pace: () => {},
        leave() {
          left = true
        },
      }
    },
    close: async () => {},
  }
}
