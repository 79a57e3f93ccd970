/** The store and the clock of a process that shares no pollers with other processes. */
import type { LiveClock, LiveStore } from '../../../shared/polling.ts'

export const systemClock: LiveClock = {
  now: Date.now,
  after(milliseconds, run) {
    // A pending poll must not keep the process alive.
    const timer = setTimeout(run, Math.min(milliseconds, 2 ** 31 - 1)).unref()
    return () => clearTimeout(timer)
  },
}

/** A process with this store leads every topic, because it has no others to agree with. */
export function createLocalStore(): LiveStore {
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
