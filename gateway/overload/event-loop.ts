/** What the queue reads of the event loop, so that tests can control the clock. Times are in milliseconds. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

export interface EventLoop {
  now(): number
  /** Calls repeatedly until `stop`. `look` describes the time since the previous call. */
  watch(everyMs: number, look: (seen: LoopState) => void): { stop(): void }
  /** Calls at the end of this turn. */
  atEnd(call: () => void): void
}

export interface LoopState {
  /** The mean delay of timers; 0 while the loop has time, and in the first look after that. */
  readonly delayMs: number
  /** The share of the time in which the loop was busy, or held up by other processes. */
  readonly utilization: number
}

/** The resolution of the histogram of delays, whose values contain it. */
const resolution = 5
/**
 * A loop that is less busy is not late. Measuring is costly: a turn of the loop at every step of the resolution, and
 * half a megabyte to read and clear at every look.
 */
const measuredShare = 0.75

export const processLoop: EventLoop = {
  now: () => performance.now(),
  watch(everyMs, look) {
    const delays = monitorEventLoopDelay({ resolution })
    let before = performance.eventLoopUtilization()
    const timer = setInterval(() => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      // There is no mean without a value.
      const delayMs = delays.count === 0 ? 0 : Math.max(0, delays.mean / 1e6 - resolution)
      if (delays.count > 0) delays.reset()
      if (utilization < measuredShare) delays.disable()
      else delays.enable()
      look({ delayMs, utilization })
    }, everyMs).unref()
    return {
      stop() {
        clearInterval(timer)
        delays.disable()
      },
    }
  },
  atEnd: (call) => void setImmediate(call),
}
