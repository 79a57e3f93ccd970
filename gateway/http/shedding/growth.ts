/**
 * Whether the wait grows, and how quickly: a burst makes it long and then shorter, overload makes it longer all the
 * time. Growth is what the wait has grown by over the last 80 ms, and only while it goes on: clients that all begin at
 * once, and then wait for their answers, are no overload. That the wait gets shorter for a moment, as while connections
 * are accepted or garbage is collected, ends no growth. That it may be an overload is known after 30 ms.
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

/** For how long, and in how many samples, the wait must have grown. */
export interface Least {
  readonly ms: number
  readonly samples: number
}

/** What lasts less long, or is seen less often, is no more than a burst or a stall. */
export const overload: Least = { ms: 80, samples: 5 }
/** It may be an overload, or a burst. */
export const possibleOverload: Least = { ms: 30, samples: 2 }

/** As many samples tell whether it goes on. */
const recentSamples = 4

interface Sample {
  readonly waitMs: number
  readonly at: number
}

/** `smallMs`: a wait that is no longer does not count as growth. */
export function createGrowth(smallMs: number, least: Least): Growth {
  /** Since the wait was last small, but no more than `least` needs. */
  let seen: Sample[] = []

  return {
    sample(waitMs, now, lateMs) {
      if (waitMs + lateMs <= smallMs) seen = []
      seen.push({ waitMs, at: now })
      while (seen.length > least.samples + 1 && now - (seen[1]?.at ?? now) >= least.ms) seen.shift()
    },
    in(ms, now) {
      const [first] = seen
      const recent = seen.at(-recentSamples) ?? first
      const before = seen.at(-2)
      const last = seen.at(-1)
      if (first === undefined || recent === undefined || before === undefined || last === undefined) return 0
      if (now - first.at < least.ms || seen.length <= least.samples || last.waitMs <= before.waitMs) return 0
      return Math.max(0, Math.min(growthOf(recent, last), growthOf(first, last))) * ms
    },
    rest(now) {
      seen = [{ waitMs: 0, at: now }]
    },
  }
}

/** Milliseconds a millisecond. */
const growthOf = (from: Sample, to: Sample): number => (to.waitMs - from.waitMs) / (to.at - from.at)
