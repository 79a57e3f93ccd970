/**
 * How many requests may be under way: as many as do not make the event loop late. A loop that is full and late has
 * begun too much, so the limit is lowered to less than what is under way; otherwise it rises. A loop that waits for
 * services is not full, so slow services lower nothing. The limit rises slowly, because a request that waits for a
 * service will need the loop again: what begins while the loop is idle would make it late all at once.
 */
import type { LoopState } from './event-loop.ts'

/** A loop that is busy for the first share of the time is full; up to the second share it is idle. */
const fullShare = 0.9
const idleShare = 0.5
const lateMs = 10
/** Work that has begun keeps the loop late for a while, so the limit is not lowered again at once. */
const lowerEveryMs = 100

export class Limit {
  /** There is no limit until a loop was full and late. */
  value = Number.POSITIVE_INFINITY
  #loweredAt = Number.NEGATIVE_INFINITY

  look(now: number, { delayMs, utilization }: LoopState, underWay: number): void {
    if (utilization < idleShare) this.value = 1.2 * this.value + 2
    else if (utilization < fullShare) this.value = 1.1 * this.value + 1
    else if (delayMs <= lateMs) this.value = 1.05 * this.value + 1
    else if (now - this.#loweredAt >= lowerEveryMs) {
      this.#loweredAt = now
      this.value = Math.max(1, Math.floor(0.75 * Math.min(this.value, underWay)))
    }
  }
}
