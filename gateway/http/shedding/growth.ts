/**
 * Whether the wait grows, and how quickly: a burst makes it long and then shorter, overload makes it longer all the
 * time. Growth is what the wait has grown by over the last 80 ms, and only while it goes on: clients that all begin at
 * once, and then wait for their answers, are no overload. That the wait gets shorter for a moment, as while connections
 * are accepted or garbage is collected, ends no growth. What comes in these 80 ms of an overload waits longer than what
 * comes later; more than that would be seen in p99 over some seconds.
 */

export interface Growth {
  /**
   * To be called again and again with the wait, and how late this call is, both in milliseconds: what came in a turn
   * of the event loop that took long is not read yet, so that the wait seems to get shorter by so much.
   */
  sample(waitMs: number, now: number, lateMs: number): void
  /** How much longer the wait will be after so long, if it goes on as it does; 0 where it does not grow. */
  in(ms: number, now: number): number
  /** What was before does not count. */
  rest(now: number): void
}

/** Growth for a shorter time, or seen less often, is no more than a burst or a stall. */
const leastMs = 80
const leastSamples = 5
/** As many samples tell whether it goes on. */
const recentSamples = 4

interface Sample {
  readonly waitMs: number
  readonly at: number
}

/** `smallMs`: a wait that is no longer does not count as growth. */
export function createGrowth(smallMs: number): Growth {
  /** Since the wait was last small, but no more than `leastMs` and `leastSamples` need. */
  let seen: Sample[] = []

  return {
    sample(waitMs, now, lateMs) {
      if (waitMs + lateMs <= smallMs) seen = []
      seen.push({ waitMs, at: now })
      while (seen.length > leastSamples + 1 && now - (seen[1]?.at ?? now) >= leastMs) seen.shift()
    },
    in(ms, now) {
      const [first] = seen
      const recent = seen.at(-recentSamples)
      const before = seen.at(-2)
      const last = seen.at(-1)
      if (first === undefined || recent === undefined || before === undefined || last === undefined) return 0
      if (now - first.at < leastMs || seen.length <= leastSamples || last.waitMs <= before.waitMs) return 0
      return Math.max(0, Math.min(growthOf(recent, last), growthOf(first, last))) * ms
    },
    rest(now) {
      seen = [{ waitMs: 0, at: now }]
    },
  }
}

/** Milliseconds a millisecond. */
const growthOf = (from: Sample, to: Sample): number => (to.waitMs - from.waitMs) / (to.at - from.at)
