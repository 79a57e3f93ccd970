/**
 * Where requests begin, and where more than can be answered in time are refused.
 *
 * As long as little work is ahead (`load.ts`), a request begins as soon as it is read, which costs a few additions. Else
 * it is held, so that what has begun is finished first, and the oldest begins as soon as there is room. That is all that
 * happens in a burst. Where the event loop has time to spare more may be ahead, as the estimate may be wrong, but a turn
 * begins no more than 10 ms of work: all that came in one turn would make the next one longer, and so on, and the growth
 * of the wait would be seen only between these turns.
 *
 * Where the wait has grown for 30 ms it may be an overload or a burst: until that is known the newest begin first. In an
 * overload their answers still come soon, and those of the oldest would be late in any case. No request is put off for
 * longer than a fifth of the target.
 *
 * The gate sheds as soon as the wait passes the target, or grows so quickly that it soon would (`growth.ts`), until
 * nothing is held and the loop has time to spare. For a second after that it sheds again where the wait passes a fifth
 * of the target. Meanwhile mutations begin first, then queries from the cheapest to the dearest, of equals the newest,
 * whose client will not have given up; what has been held for a twenty-fifth of the target (at least 10 ms) is refused.
 * Mutations are refused only where the loop's own delay passes the target, although queries are refused. Every 50 ms
 * the first of each kind begins all the same, so that a loop that is slow for another reason never refuses all.
 *
 * How old a request is counts from when it was read, or may have come (`serve/accept-queue.ts`): at the beginning of an
 * overload most requests come on new connections, which wait to be accepted for longer than requests are held.
 *
 * A request whose client is known to have gone is not begun. After a turn that took long the gate reads for one more
 * turn before it decides, as the ends of some connections arrive there; those that arrive later cancel what has begun.
 */
import { performance } from 'node:perf_hooks'
import { createGrowth, type Growth, overload, possibleOverload } from './growth.ts'
import { createLoad, type EventLoop, type Load, sampleMs } from './load.ts'

export type GateRefusal = 'overload' | 'gone'

/** A request that has been read, and has not begun. */
export interface Waiting {
  /** When it may have come, of the clock of the event loop; not given where that is when it was read. */
  readonly cameAt?: number | undefined
  /** `mutation`, or how dear a query is: only asked for where not all can begin. */
  rank(): number
  /** Whether its client has gone. */
  isGone(): boolean
  begin(): void
  refuse(): void
}

/** The rank of mutations, below that of every query. */
export const mutation = -1

export interface Gate {
  /**
   * Whether a request may begin right now; if so it counts as begun. If not, it is to be given to `wait`.
   */
  opens(): boolean
  /** Begins it as soon as there is room, or refuses it where that would be too late. */
  wait(request: Waiting): void
  /** A request that began was answered. */
  ended(): void
  /** How long a request that comes now would wait, in milliseconds. */
  waitMs(): number
  /** Whether requests are being refused. */
  readonly sheds: boolean
}

export interface GateOptions {
  /** The longest that requests may wait for each other, in milliseconds; 0 never refuses any. */
  readonly targetMs: number
  /** A request was refused, or not begun. */
  readonly onRefused?: ((reason: GateRefusal) => void) | undefined
  /** Shedding has begun, or ended after so many refusals. */
  readonly onChange?: ((sheds: boolean, refusals: number) => void) | undefined
  readonly loop?: EventLoop | undefined
}

interface Held {
  readonly request: Waiting
  /** When it came. */
  readonly at: number
  /** Known where the gate sheds. */
  rank: number | undefined
}

/** After a turn longer than this, clients may well have gone whose requests are read only now. */
const longTurnMs = 250
/** For so long after it: connections have to be accepted before anything is read of them. */
const afterStallMs = 50
/** Shedding ends at the latest when nothing had to be held for so long. */
const calmMs = 200
/** One mutation and one query begin in each of these times whatever the wait. */
const leastEveryMs = 50
/** The event loop is looked at until so long after the last request. */
const watchedMs = 2000
/** How soon requests that are held are looked at again where nothing else happens. */
const againMs = 1
/** So much later the wait must not pass the target. */
const foreseenMs = 450
/** For so long after shedding ended it begins again where the wait is short: most likely it is the same overload. */
const cautiousMs = 1000
/** A wait is short up to this share of the target. */
const shortShare = 0.2
/** Work that is begun in one turn, beyond what is allowed, where the loop does not seem full. */
const mostBeyondMs = 10

const ownLoop: EventLoop = {
  now: () => performance.now(),
  busy: () => performance.eventLoopUtilization().active,
  every(ms, call) {
    const timer = setInterval(call, ms).unref()
    return () => clearInterval(timer)
  },
  atEnd: (call) => void setImmediate(call),
  after: (ms, call) => void setTimeout(call, ms),
}

const always: Gate = {
  opens: () => true,
  wait: (request) => request.begin(),
  ended() {},
  waitMs: () => 0,
  sheds: false,
}

export function createGate({ targetMs, onRefused, onChange, loop = ownLoop }: GateOptions): Gate {
  if (targetMs === 0) return always
  /** The work that may be ahead of a request when it begins. */
  const aheadMs = Math.max(2, targetMs / 100)
  /**
   * The same while others are refused. A turn of the event loop begins so much, and an answer takes about three turns
   * (its request is read in one, what the services answer in another), so that this is what most of its time depends on.
   * What begins together takes less time, as its calls are written in one turn and answered in one: 7 % more was answered
   * with a three-hundredth of the target than with an eight-hundredth. With a four-hundredth as much is answered, and
   * p99 is a tenth lower.
   */
  const aheadSheddingMs = Math.max(0.5, targetMs / 400)
  const shortMs = targetMs * shortShare
  /** How long a request is held while others are refused. */
  const heldMs = Math.max(10, targetMs / 25)
  const load: Load = createLoad(loop, aheadMs)
  const growth = createGrowth(aheadMs, overload)
  const beginning = createGrowth(aheadMs, possibleOverload)
  let sheds = false
  /** Whether this may be the beginning of an overload. */
  let grows = false
  /** When not all could begin. */
  let fullAt = 0
  /** When shedding ended. */
  let endedAt = Number.NEGATIVE_INFINITY
  let refusals = 0
  let lastAt = 0
  let held: Held[] = []
  const begunAt = { mutation: Number.NEGATIVE_INFINITY, query: Number.NEGATIVE_INFINITY }
  /** When the last long turn ended. */
  let stalledAt = Number.NEGATIVE_INFINITY
  /** Whether the requests that are held were left for one more turn. */
  let waited = false
  /** Whether they will be looked at. */
  let isDue = false
  let unwatch: (() => void) | undefined

  const estimate = (now: number): number => load.waitMs(now) + held.length * load.costMs
  /** A loop that is late all the time works off something that the estimate does not know. */
  const waitMs = (now: number): number => {
    const oldestAt = held.reduce((oldest, { at }) => Math.min(oldest, at), now)
    return Math.max(estimate(now), load.lastingMs, now - oldestAt)
  }
  const watch = (now: number): void => {
    load.rest(now)
    growth.rest(now)
    beginning.rest(now)
    unwatch = loop.every(sampleMs, () => {
      const at = loop.now()
      load.sample(at)
      const wait = estimate(at)
      growth.sample(wait, at, load.lastMs)
      beginning.sample(wait, at, load.lastMs)
      if (load.lastMs > longTurnMs) stalledAt = at
      if (sheds && held.length === 0 && (at - fullAt > calmMs || !load.isFull)) {
        change(false)
        endedAt = at
      }
      if (at - load.lastMs - lastAt < watchedMs || sheds) return
      unwatch?.()
      unwatch = undefined
    })
  }
  const change = (to: boolean): void => {
    sheds = to
    onChange?.(to, refusals)
    refusals = 0
  }
  const isCautious = (now: number): boolean => now - endedAt < cautiousMs
  const willWait = (now: number, { in: grownIn }: Growth, limitMs: number): boolean =>
    load.isFull && waitMs(now) + grownIn(foreseenMs, now) > limitMs
  const room = (now: number): number => {
    if (sheds) return aheadSheddingMs
    // What waits for services is not there for an idle loop, which is worse than a longer turn while nobody is refused.
    return grows || isCautious(now) ? aheadMs / 2 : aheadMs
  }
  const hasRoom = (now: number): boolean => load.waitMs(now) <= room(now)
  /** Whether the loop may have time to spare although work seems to be ahead. */
  const mayBeIdle = (now: number): boolean => !load.isFull && !isCautious(now)
  const begin = ({ request }: Held, now: number): void => {
    if (request.isGone()) {
      onRefused?.('gone')
      request.refuse()
      return
    }
    load.begin(now)
    request.begin()
  }
  const refuse = ({ request }: Held): void => {
    if (request.isGone()) onRefused?.('gone')
    else {
      refusals += 1
      onRefused?.('overload')
    }
    request.refuse()
  }
  const beginOldest = (): void => {
    let count = 0
    let beyondMs = 0
    for (const one of held) {
      const now = loop.now()
      if (!hasRoom(now)) {
        if (!mayBeIdle(now) || beyondMs >= mostBeyondMs) break
        beyondMs += load.costMs
      }
      begin(one, now)
      count += 1
    }
    held = held.slice(count)
  }
  const beginNewest = (): void => {
    let from = 0
    let until = held.length
    while (from < until) {
      const now = loop.now()
      if (!hasRoom(now)) break
      const oldest = held[from] as Held
      if (now - oldest.at > shortMs) {
        from += 1
        begin(oldest, now)
      } else {
        until -= 1
        begin(held[until] as Held, now)
      }
    }
    held = held.slice(from, until)
  }
  const beginCheapest = (): void => {
    for (const one of held) one.rank ??= one.request.rank()
    held.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || b.at - a.at)
    const left: Held[] = []
    const late: Held[] = []
    // Time passes where one begins; there may be hundreds that do not.
    let now = loop.now()
    for (const one of held) {
      const kind = one.rank === mutation ? 'mutation' : 'query'
      const fits = kind === 'mutation' ? load.lastingMs <= targetMs : hasRoom(now) && load.lastingMs <= heldMs
      if (fits || now - begunAt[kind] >= leastEveryMs) {
        begunAt[kind] = now
        begin(one, now)
        now = loop.now()
      } else if (now - one.at > heldMs) late.push(one)
      else left.push(one)
    }
    if (late.length > 0) {
      for (const one of late) refuse(one)
      load.refuse(late.length, loop.now() - now)
    }
    held = left
  }
  const decide = (): void => {
    isDue = false
    const now = loop.now()
    if (!waited && now - stalledAt < afterStallMs) {
      waited = true
      isDue = true
      loop.atEnd(decide)
      return
    }
    waited = false
    load.settle(now)
    if (!sheds && willWait(now, growth, isCautious(now) ? shortMs : targetMs)) change(true)
    if (sheds) beginCheapest()
    else {
      held.sort((a, b) => a.at - b.at)
      grows = willWait(now, beginning, shortMs)
      if (grows) beginNewest()
      else beginOldest()
    }
    if (held.length === 0) {
      grows = false
      return
    }
    if (isDue) return
    fullAt = now
    isDue = true
    loop.after(againMs, decide)
  }

  return {
    opens() {
      const now = loop.now()
      lastAt = now
      if (unwatch === undefined) watch(now)
      if (sheds || held.length > 0 || now - stalledAt < afterStallMs) return false
      if (!hasRoom(now) && (!mayBeIdle(now) || load.waitMs(now) > mostBeyondMs)) return false
      load.begin(now)
      return true
    },
    wait(request) {
      held.push({ request, at: request.cameAt ?? loop.now(), rank: undefined })
      if (isDue) return
      isDue = true
      loop.atEnd(decide)
    },
    ended: () => load.end(),
    waitMs: () => waitMs(loop.now()),
    get sheds() {
      return sheds
    },
  }
}
