/**
 * Where requests begin, and where more than can be answered in time are refused.
 *
 * As long as the wait (`load.ts`) is below the target, a request begins as soon as it is read, which costs a few
 * additions. Beyond it the gate sheds, until nothing was refused for a second: what one turn of the event loop has
 * read is then looked at together at its end, mutations begin first, then queries from the cheapest to the dearest,
 * as many as keep the wait at a twentieth of the target; the others are refused at once. Mutations are refused only
 * where the loop's own delay passes the target, although queries are refused. Every 50 ms one
 * query begins all the same, so that a loop that is slow for another reason never refuses all.
 *
 * A request whose client is known to have gone is not begun. After a turn that took long the gate reads for one more
 * turn before it decides, as the ends of some connections arrive there; those that arrive later cancel what has begun.
 */
import { performance } from 'node:perf_hooks'
import { createLoad, type EventLoop, type Load, sampleMs } from './load.ts'

export type GateRefusal = 'overload' | 'gone'

/** A request that has been read, and has not begun. */
export interface Waiting {
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
  /** Begins or refuses it within this turn of the event loop, or the next one. */
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

/** After a turn longer than this, clients may well have gone whose requests are read only now. */
const longTurnMs = 250
/** For so long after it: connections have to be accepted before anything is read of them. */
const afterStallMs = 50
/** Shedding ends after so long without a refusal. */
const calmMs = 1000
/** One query begins in each of these times whatever the wait. */
const leastEveryMs = 50
/** How long a refusal keeps dearer queries back. */
const levelMs = 100
/** The event loop is looked at until so long after the last request. */
const watchedMs = 2000

const ownLoop: EventLoop = {
  now: () => performance.now(),
  busy: () => performance.eventLoopUtilization().active,
  every(ms, call) {
    const timer = setInterval(call, ms).unref()
    return () => clearInterval(timer)
  },
  atEnd: (call) => void setImmediate(call),
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
  const allowedMs = targetMs / 20
  const load: Load = createLoad(loop, allowedMs)
  let sheds = false
  let refusedAt = 0
  let refusals = 0
  let lastAt = 0
  let waiting: Waiting[] = []
  /** The cheapest query that was refused lately. */
  let level = Number.POSITIVE_INFINITY
  let levelAt = Number.NEGATIVE_INFINITY
  let begunAt = Number.NEGATIVE_INFINITY
  /** When the last long turn ended. */
  let stalledAt = Number.NEGATIVE_INFINITY
  /** Whether the requests that wait were left for one more turn. */
  let held = false
  let unwatch: (() => void) | undefined

  /** A loop that is late all the time works off something that the estimate does not know. */
  const waitMs = (now: number): number => Math.max(load.waitMs(now), load.lastingMs)
  const watch = (now: number): void => {
    load.rest(now)
    unwatch = loop.every(sampleMs, () => {
      const at = loop.now()
      load.sample(at)
      if (load.lastMs > longTurnMs) stalledAt = at
      if (sheds && waiting.length === 0 && at - refusedAt > calmMs) change(false)
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
  const refuse = (request: Waiting, reason: GateRefusal): void => {
    if (reason === 'overload') {
      refusedAt = loop.now()
      refusals += 1
      load.refuse()
    }
    onRefused?.(reason)
    request.refuse()
  }
  const fits = (rank: number, now: number): boolean => {
    if (rank === mutation) return load.lastingMs <= targetMs
    if (!sheds) return waitMs(now) <= targetMs
    // What is dearer than another one that was just refused leaves room for those that are cheaper.
    const room = rank > level && now - levelAt <= levelMs ? allowedMs / 4 : allowedMs
    return load.waitMs(now) <= room && load.lastingMs <= 4 * allowedMs
  }
  const decide = (): void => {
    if (!held && loop.now() - stalledAt < afterStallMs) {
      held = true
      loop.atEnd(decide)
      return
    }
    held = false
    const those: { readonly request: Waiting; readonly rank: number }[] = []
    for (const request of waiting) {
      if (request.isGone()) refuse(request, 'gone')
      else those.push({ request, rank: request.rank() })
    }
    waiting = []
    those.sort((a, b) => a.rank - b.rank)
    for (const { request, rank } of those) {
      const now = loop.now()
      if (now - begunAt < leastEveryMs && !fits(rank, now)) {
        if (now - levelAt > levelMs) level = rank
        else level = Math.min(level, rank)
        levelAt = now
        refuse(request, 'overload')
      } else {
        if (rank !== mutation) begunAt = now
        load.begin(now)
        request.begin()
      }
    }
  }

  return {
    opens() {
      const now = loop.now()
      lastAt = now
      if (unwatch === undefined) watch(now)
      if (sheds) return false
      if (waitMs(now) > targetMs && load.mostMs >= allowedMs) {
        refusedAt = now
        change(true)
        return false
      }
      if (now - stalledAt < afterStallMs) return false
      load.begin(now)
      return true
    },
    wait(request) {
      waiting.push(request)
      if (waiting.length === 1) loop.atEnd(decide)
    },
    ended: () => load.end(),
    waitMs: () => waitMs(loop.now()),
    get sheds() {
      return sheds
    },
  }
}
