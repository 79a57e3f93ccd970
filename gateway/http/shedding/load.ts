/**
 * How long a request that comes now would wait for those before it, in milliseconds of this process's one thread.
 *
 * Each request that begins adds what one costs, and time takes it off again: what is left is the wait of the next
 * one. It is known before anybody has waited, while a measured delay only tells of those who have. What a request
 * costs is measured: the time in which the event loop was busy, less what refusals took and single long stalls, over
 * the requests that were answered in the last seconds. The estimate is held against the event loop itself, both
 * ways: where the loop has time to spare no request waits, whatever was estimated, and where it is late for a whole
 * interval, everybody does.
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
  /** Calls once. */
  after(ms: number, call: () => void): void
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
  /** Whether the event loop had hardly any time to spare lately: only then does anybody wait for others. */
  readonly isFull: boolean
  /** Called while requests are held: where the loop had time to spare since the last call, nothing is ahead. */
  settle(now: number): void
  /** A request begins. */
  begin(now: number): void
  /** A request is answered. */
  end(): void
  /** So many requests were refused, which took so long. */
  refuse(count: number, ms: number): void
  /** To be called every `sampleMs`; `now` tells how late it is. */
  sample(now: number): void
  /** There was no request for a while: delays before do not count. */
  rest(now: number): void
}

/** How often the event loop is looked at. */
export const sampleMs = 10
const samples = 6
/** As many of them tell whether the loop is full. */
const fullSamples = 2
/** A loop that is busy for this share of the time is full. */
const fullShare = 0.9
/** How often the cost of a request is measured. */
const intervalMs = 100
/** In so many intervals what was measured loses two thirds of its weight. */
const keptIntervals = 15
/** A delay longer than this is something else than many requests. */
const stallMs = 50
/** Work that is waited for beyond this tells why the loop has time to spare. */
const aheadMs = 25
/** A loop that is idle for longer has begun nothing that it could go on with. */
const idleMs = 0.2
/** To read a request that is refused takes about as long as to refuse it. */
const refusalFactor = 2
/** The most that the cost is corrected by, up and down. */
const mostCorrection = 8
const mostReduction = 1000

/** `aimMs`: the delay of the event loop that is aimed at while requests are refused. */
export function createLoad({ now: clock, busy }: EventLoop, aimMs: number): Load {
  let work = 0
  let workAt = clock()
  /** Busy time and answers of the last seconds. */
  let busyFor = 0
  let answers = 0
  /** Of the cost, while requests are refused. */
  let correction = 1
  let sampledAt = clock()
  /** The last samples, a ring. */
  const late = new Float64Array(samples)
  let at = 0
  let last = 0
  let lasting = 0
  /** The longest delay since the cost was measured. */
  let longest = 0
  let underWay = 0
  /** Since the cost was measured. */
  let begun = 0
  let answered = 0
  let refused = 0
  let refusing = 0
  let measuredAt = clock()
  let busyAt = busy()
  /** Busy time and time of the last samples. */
  const busyIn = new Float64Array(fullSamples)
  const timeIn = new Float64Array(fullSamples)
  let busySampled = busyAt
  let settledAt = measuredAt
  let settledBusy = busyAt

  const forget = (now: number): void => {
    longest = 0
    measuredAt = now
    busyAt = busy()
    begun = 0
    answered = 0
    refused = 0
    refusing = 0
  }
  const measureCost = (now: number): void => {
    const busyMs = busy() - busyAt
    const forMs = now - measuredAt
    // One stall is not what requests cost, where the loop had time to spare beside it.
    const stall = longest > stallMs && busyMs - longest < fullShare * (forMs - longest) ? longest : 0
    const kept = 1 - 1 / keptIntervals
    // Of requests that will be answered later the cost is not known yet.
    const known = begun === 0 ? 1 : Math.min(1, answered / begun)
    busyFor = busyFor * kept + known * Math.max(0, busyMs - stall - refusalFactor * refusing)
    answers = answers * kept + answered
    if (refused === 0) correction = 1
    else if (lasting > aimMs) correction = Math.min(mostCorrection, correction * 1.1)
    // What has begun will keep the loop busy when the services answer.
    else if (underWay * costMs() <= aheadMs) {
      // A loop that has time to spare while requests are refused: what was measured is wrong.
      const idle = 1 - busyMs / forMs
      const factor = idle > 0.3 ? 0.5 : idle > 0.03 ? 0.9 : 1
      correction = Math.max(1 / mostReduction, correction * factor)
    }
    forget(now)
  }
  const costMs = (): number => (answers < 1 ? 0 : (busyFor / answers) * correction)
  const estimate = (now: number): number => {
    work = Math.max(0, work - (now - workAt))
    workAt = now
    return work
  }
  return {
    waitMs: estimate,
    get costMs() {
      return costMs()
    },
    get lastingMs() {
      return lasting
    },
    get lastMs() {
      return last
    },
    get isFull() {
      return sum(busyIn) >= fullShare * sum(timeIn)
    },
    settle(now) {
      const busyNow = busy()
      const idle = now - settledAt - (busyNow - settledBusy)
      settledAt = now
      settledBusy = busyNow
      if (idle > idleMs && underWay * costMs() <= aheadMs) work = 0
    },
    begin(now) {
      begun += 1
      underWay += 1
      work = estimate(now) + costMs()
    },
    end() {
      answered += 1
      underWay -= 1
    },
    refuse(count, ms) {
      refused += count
      refusing += ms
    },
    sample(now) {
      last = Math.max(0, now - sampledAt - sampleMs)
      const busyNow = busy()
      busyIn[at % fullSamples] = busyNow - busySampled
      timeIn[at % fullSamples] = now - sampledAt
      busySampled = busyNow
      sampledAt = now
      longest = Math.max(longest, last)
      late[at] = last
      at = (at + 1) % samples
      lasting = lastingDelay(late, Math.max(...late))
      if (now - measuredAt >= intervalMs) measureCost(now)
    },
    rest(now) {
      work = 0
      workAt = now
      late.fill(0)
      last = 0
      lasting = 0
      busyIn.fill(0)
      // Not full until something is known.
      timeIn.fill(sampleMs)
      busySampled = busy()
      sampledAt = now
      forget(now)
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

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)
