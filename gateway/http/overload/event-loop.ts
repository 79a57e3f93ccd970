/** What the queue asks of the event loop, so that tests can hold its clock. Times are in milliseconds. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

export interface EventLoop {
  now(): number
  /** Calls again and again until `stop`. `look` describes the time since the call before. */
  watch(everyMs: number, look: (seen: LoopState) => void): { stop(): void }
  /** Calls at the end of this turn. */
  atEnd(call: () => void): void
}

export interface LoopState {
  /** How late timers ran, in the mean. */
  readonly delayMs: number
  /** The share of the time in which the loop did anything, or was not let do it by other processes. */
  readonly utilization: number
}

/** Of the histogram of delays, whose values contain it. */
const resolution = 5

export const processLoop: EventLoop = {
  now: () => performance.now(),
  watch(everyMs, look) {
    const delays = monitorEventLoopDelay({ resolution })
    delays.enable()
    let before = performance.eventLoopUtilization()
    const timer = setInterval(() => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      // There is no mean as long as there is no value.
      const mean = delays.count === 0 ? 0 : delays.mean / 1e6
      delays.reset()
      look({ delayMs: Math.max(0, mean - resolution), utilization })
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
