/**
 * Whether the wait grows, and how quickly: a burst makes it long and then shorter, overload makes it longer all the
 * time. Growth counts from where the wait was last seen to get shorter, and only after 150 ms: clients that all begin
 * at once, and then wait for their answers, are no overload.
 */

export interface Growth {
  /** To be called again and again with the wait, in milliseconds. */
  sample(waitMs: number, now: number): void
  /** How much longer the wait will be after so long, if it goes on as it does; 0 where it does not grow. */
  in(ms: number, now: number): number
  /** What was before does not count. */
  rest(now: number): void
}

/** Growth for a shorter time, or seen less often, is no more than a burst or a stall. */
const leastMs = 150
const leastSamples = 5

/** `smallMs`: a wait that is no longer does not count as growth. */
export function createGrowth(smallMs: number): Growth {
  let last = 0
  /** The wait, and when, since which it has grown. */
  let from = 0
  let since = 0
  let samples = 0
  return {
    sample(waitMs, now) {
      if (waitMs <= last || waitMs <= smallMs) {
        from = waitMs
        since = now
        samples = 0
      } else samples += 1
      last = waitMs
    },
    in(ms, now) {
      const time = now - since
      return time < leastMs || samples < leastSamples ? 0 : (Math.max(0, last - from) / time) * ms
    },
    rest(now) {
      last = 0
      from = 0
      since = now
      samples = 0
    },
  }
}
