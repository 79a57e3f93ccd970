/** The clock of the process, for pollers. */
import type { LiveClock } from '../../../shared/polling.ts'

export const systemClock: LiveClock = {
  now: Date.now,
  after(milliseconds, run) {
    // A pending poll must not keep the process alive.
    const timer = setTimeout(run, Math.min(milliseconds, 2 ** 31 - 1)).unref()
    return () => clearTimeout(timer)
  },
}
