/**
 * How long a request that comes now would wait for those before it, in milliseconds of this process's one thread.
 *
 * Each request that begins adds what one costs, and time takes it off again: what is left is the wait of the next
 * one. It is known before anybody has waited, while a measured delay only tells of those who have. What a request
 * costs is measured: the time in which the event loop was busy, over the requests that were answered in it. The
 * estimate is held against the event loop's own delay, both ways: where the loop is not late nobody waits, whatever
 * was estimated, and where it is late for a whole interval, everybody does.
 *
 * Waiting for services is no load: the loop is idle meanwhile.
 */

/** The event loop; milliseconds. */
export interface EventLoop {
  now(): number
  /** How long it has been busy so far. */
  busy(): number
  /** Calls again and again, until the function that is returned is called. */
  every(ms: number, call: () => void): () => void
  /** Calls at the end of this turn. */
  atEnd(call: () => void): void
}

export interface Load {
  /** The estimated wait of a request that begins at `now`. */
  waitMs(now: number): number
  /** What one request costs, in milliseconds. */
  readonly costMs: number
  /** The delay of the event loop that requests have met lately, without the longest one. */
  readonly lastingMs: number
  /** How late the event loop was when it was looked at last. */
  readonly lastMs: number
  /** The most that it was late lately. */
  readonly mostMs: number
  /** A request begins. */
  begin(now: number): void
  /** A request is answered. */
  end(): void
  /** A request is refused. */
  refuse(): void
  /** To be called every `sampleMs`; `now` tells how late it is. */
  sample(now: number): void
  /** Nobody has asked for a while: delays before do not count. */
  rest(now: number): void
}

/** How often the event loop is looked at. */
export const sampleMs = 10
const samples = 5
/** How often the cost of a request is measured. */
const intervalMs = 100
/** A delay longer than this is something else than many requests. */
const stallMs = 250
/** The most that the cost is corrected by, up and down. */
const mostCorrection = 8
const mostReduction = 1000
/** Fewer answers say little about what one costs. */
const leastAnswers = 3

/** `aimMs`: the delay of the event loop that is aimed at while requests are refused. */
export function createLoad({ now: clock, busy }: EventLoop, aimMs: number): Load {
  let work = 0
  let workAt = clock()
  let cost = 0
  /** Of the cost, while refusals hide it. */
  let correction = 1
  let sampledAt = clock()
  /** The last samples, a ring. */
  const late = new Float64Array(samples)
  let at = 0
  let last = 0
  let lasting = 0
  let most = 0
  /** The longest delay since the cost was measured. */
  let longest = 0
  let answered = 0
  let refused = 0
  let measuredAt = clock()
  let busyAt = busy()

  const measureCost = (now: number): void => {
    const busyNow = busy()
    if (refused > 0) {
      // Refusals take their share of the time, so that it does not tell what a request costs. The delay that is aimed
      // at does: too many begin where it is passed, and too few where it is not reached.
      const idle = 1 - (busyNow - busyAt) / (now - measuredAt)
      if (lasting > aimMs) correction = Math.min(mostCorrection, correction * 1.2)
      // A loop that has time to spare while requests are refused: what was measured is wrong, be it by one stall.
      else if (idle > 0.3) correction = Math.max(1 / mostReduction, correction / 2)
      else if (lasting < aimMs / 2) correction = Math.max(1 / mostReduction, correction * 0.85)
    } else {
      if (answered < leastAnswers) return
      // One stall is not what requests cost.
      const stall = longest > stallMs ? longest : 0
      const found = Math.max(0, busyNow - busyAt - stall) / answered
      cost = cost === 0 ? found : cost + (found - cost) / 4
      correction = 1
    }
    longest = 0
    measuredAt = now
    busyAt = busyNow
    answered = 0
    refused = 0
  }
  const estimate = (now: number): number => {
    work = Math.max(0, work - (now - workAt))
    workAt = now
    return work
  }
  return {
    waitMs: estimate,
    get costMs() {
      return cost * correction
    },
    get lastingMs() {
      return lasting
    },
    get lastMs() {
      return last
    },
    get mostMs() {
      return most
    },
    begin(now) {
      work = estimate(now) + cost * correction
    },
    end() {
      answered += 1
    },
    refuse() {
      refused += 1
    },
    sample(now) {
      last = Math.max(0, now - sampledAt - sampleMs)
      sampledAt = now
      longest = Math.max(longest, last)
      late[at] = last
      at = (at + 1) % samples
      most = Math.max(...late)
      lasting = lastingDelay(late, most)
      if (now - measuredAt >= intervalMs) measureCost(now)
    },
    rest(now) {
      work = 0
      workAt = now
      late.fill(0)
      last = 0
      longest = 0
      lasting = 0
      most = 0
      sampledAt = now
      answered = 0
      refused = 0
      measuredAt = now
      busyAt = busy()
    },
  }
}

/**
 * The delay that something meets which comes at any time: a long one counts for as many as come in it. The longest
 * does not count, so that one stall alone, such as a large answer, is no load.
 */
function lastingDelay(late: Float64Array, longest: number): number {
  let met = -longest * longest
  let time = -longest
  for (const ms of late) {
    met += ms * ms
    time += ms + sampleMs
  }
  return met / time
}
