/**
 * Whether the wait grows, and how quickly: a burst makes it long and then shorter, overload makes it longer all the
 * time. Growth counts from where the wait was last seen to get shorter, only after 80 ms, and only while it goes on:
 * clients that all begin at once, and then wait for their answers, are no overload. What comes in these 80 ms of an
 * overload waits longer than what comes later; more than that would be seen in p99 over some seconds.
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
  /** Since the wait was last seen to get shorter: the first sample, and the last ones. */
  let from: Sample = { waitMs: 0, at: 0 }
  let recent: Sample[] = []
  let samples = 0

  const begin = (sample: Sample): void => {
    from = sample
    recent = [sample]
    samples = 0
  }
  return {
    sample(waitMs, now, lateMs) {
      const last = recent.at(-1)
      if (last === undefined || waitMs + lateMs <= last.waitMs || waitMs <= smallMs) {
        begin({ waitMs, at: now })
        return
      }
      samples += 1
      recent.push({ waitMs, at: now })
      if (recent.length > recentSamples) recent.shift()
    },
    in(ms, now) {
      const [first] = recent
      const last = recent.at(-1)
      if (first === undefined || last === undefined) return 0
      if (now - from.at < leastMs || samples < leastSamples) return 0
      const lately = (last.waitMs - first.waitMs) / (last.at - first.at)
      const ever = (last.waitMs - from.waitMs) / (now - from.at)
      return Math.max(0, Math.min(lately, ever)) * ms
    },
    rest(now) {
      begin({ waitMs: 0, at: now })
    },
  }
}
