/**
 * The one queue in front of the pipeline (docs/overload.md):
 *
 * 1. A request begins as soon as it is read, unless this turn of the event loop has begun work for 10 ms already, or as
 *    many requests are under way as the loop can take. Then it waits, in the order of arrival.
 * 2. Overload is a queue that would take longer than the target to empty while requests come faster than they leave.
 *    How long anybody waits is no overload by itself.
 * 3. During overload the queue is short and what does not fit is refused at once. It is over when nothing was refused
 *    for 200 ms.
 */
import { type EventLoop, type LoopState, processLoop } from './event-loop.ts'

type GateRefusal = 'overload' | 'gone'

/** A request that has been read and has not begun. */
export interface GatedRequest {
  isGone(): boolean
  begin(): void
  refuse(): void
}

export interface Gate {
  /** Begins the request at once or in its turn, or refuses it. */
  enter(request: GatedRequest): void
  /** A request that began was answered. */
  ended(this: void): void
  /** How long a request that arrives now would wait before it begins, in milliseconds. */
  waitMs(): number
}

interface GateOptions {
  /** The longest wait, in milliseconds, while more and more requests come; 0 refuses none. */
  readonly targetMs: number
  /** A request was refused, or not begun. */
  readonly onRefused?: ((reason: GateRefusal) => void) | undefined
  /** Refusing has begun, or has ended after a number of refusals. */
  readonly onChange?: ((sheds: boolean, refusals: number) => void) | undefined
  readonly loop?: EventLoop | undefined
}

/** How often the loop is observed, and for how long after the last request. */
const lookMs = 20
const watchedMs = 2000
/** The work that one turn may begin. */
const turnMs = 10
const idleShare = 0.5
/** A loop that is busy for this share of the time, and later than this, has begun too much. */
const fullShare = 0.9
const lateMs = 10
/** Work that has begun keeps the loop late for a while, so the limit is not lowered again at once. */
const lowerEveryMs = 100
/** Measured values lose two thirds of their weight in this time. */
const rememberedMs = 500
/** Requests come faster than they leave if so many looks, over this time, have each found more of them than ever. */
const growingLooks = 3
const growingMs = 100
/** How many there were is forgotten after one to two times as long, even if the queue was never empty. */
const mostKnownMs = 10_000
/** This many may wait at any time: one client with many requests is not overload. */
const alwaysHeld = 64
/** The most that wait in any case, which bounds their memory. */
export const mostHeld = 4096
/** During overload the queue holds what leaves in this time, or `alwaysHeld`. */
const shortMs = 25
const calmMs = 200
/** A refusal is useful only within this time. */
const soonMs = 50

const open: Gate = {
  enter: (request) => request.begin(),
  ended() {},
  waitMs: () => 0,
}

export const createGate = (options: GateOptions): Gate =>
  options.targetMs === 0 ? open : new Queue(options, options.loop ?? processLoop)

interface QueuedRequest {
  readonly request: GatedRequest
  readonly at: number
}

class Queue implements Gate {
  readonly #options: GateOptions
  readonly #loop: EventLoop
  #held: QueuedRequest[] = []
  #underWay = 0
  /** How many may be under way: none is too many until the loop was full and late. */
  #limit = Number.POSITIVE_INFINITY
  #loweredAt = Number.NEGATIVE_INFINITY
  /** When this turn began its first request; undefined before. */
  #turnAt: number | undefined
  #isDue = false
  /** The rate of answered requests per millisecond while others wait; undefined until it is known. */
  #rate: number | undefined
  #answered = 0
  #wasHeld = false
  /** The most requests that were here, waiting or under way, since the queue was last empty; and in the time before. */
  #most = 0
  #mostBefore = 0
  #mostSince = 0
  /** Whether there were more than ever since the last look; at how many looks in a row, since when and when last. */
  #grew = false
  #growths = 0
  #growsSince = 0
  #grewAt = 0
  #watch: { stop(): void } | undefined
  #lookedAt = 0
  #lastAt = 0
  #refusedAt = 0
  #refusals = 0
  #sheds = false

  constructor(options: GateOptions, loop: EventLoop) {
    this.#options = options
    this.#loop = loop
  }

  enter(request: GatedRequest): void {
    const now = this.#loop.now()
    this.#lastAt = now
    if (this.#watch === undefined) this.#startWatch(now)
    if (this.#held.length === 0 && this.#hasRoom(now)) this.#begin(request, now)
    else if (this.#held.length >= (this.#sheds ? this.#shortest() : mostHeld)) this.#refuse(request, now)
    else {
      this.#held.push({ request, at: now })
      this.#schedule()
    }
    const count = this.#held.length + this.#underWay
    if (count <= this.#most) return
    this.#most = count
    if (count > this.#mostBefore) this.#grew = true
  }

  readonly ended = (): void => {
    this.#underWay -= 1
    this.#answered += 1
    if (this.#held.length > 0) this.#schedule()
  }

  waitMs(): number {
    const [first] = this.#held
    if (first === undefined) return 0
    const age = this.#loop.now() - first.at
    return this.#rate === undefined ? age : Math.max(age, this.#held.length / this.#rate)
  }

  #hasRoom(now: number): boolean {
    return this.#underWay < this.#limit && (this.#turnAt === undefined || now - this.#turnAt < turnMs)
  }

  /** The length of the queue during overload: half of the target if even `alwaysHeld` takes long. */
  #shortest(): number {
    const rate = this.#rate ?? 1
    return Math.max(1, Math.min(Math.max(alwaysHeld, rate * shortMs), (rate * this.#options.targetMs) / 2))
  }

  #begin(request: GatedRequest, now: number): void {
    if (request.isGone()) {
      this.#options.onRefused?.('gone')
      request.refuse()
      return
    }
    if (this.#turnAt === undefined) {
      this.#turnAt = now
      this.#schedule()
    }
    this.#underWay += 1
    request.begin()
  }

  #refuse(request: GatedRequest, now: number): void {
    this.#refusedAt = now
    if (request.isGone()) this.#options.onRefused?.('gone')
    else {
      this.#refusals += 1
      this.#options.onRefused?.('overload')
    }
    request.refuse()
  }

  #schedule(): void {
    if (this.#isDue) return
    this.#isDue = true
    this.#loop.atEnd(() => this.#endTurn())
  }

  /** The next turn has its own time, and begins with the waiting requests. */
  #endTurn(): void {
    this.#isDue = false
    this.#turnAt = undefined
    let count = 0
    for (const { request } of this.#held) {
      const now = this.#loop.now()
      if (!this.#hasRoom(now)) break
      count += 1
      this.#begin(request, now)
    }
    if (count > 0) this.#held = this.#held.slice(count)
    // Requests that wait for the limit are considered when one has ended.
    if (this.#held.length > 0 && this.#underWay < this.#limit) this.#schedule()
  }

  #startWatch(now: number): void {
    this.#limit = Number.POSITIVE_INFINITY
    this.#rate = undefined
    this.#answered = 0
    this.#lookedAt = now
    this.#watch = this.#loop.watch(lookMs, (seen) => this.#look(seen))
  }

  #look(seen: LoopState): void {
    const now = this.#loop.now()
    const sinceMs = now - this.#lookedAt
    this.#lookedAt = now
    this.#measureRate(sinceMs)
    this.#adjustLimit(now, seen)
    const grows = this.#isGrowing(now, sinceMs)
    if (this.#sheds) {
      if (now - this.#refusedAt > calmMs) this.#change(false, now)
    } else if (grows && this.#held.length > alwaysHeld && this.waitMs() > this.#options.targetMs)
      this.#change(true, now)
    if (this.#held.length > 0) this.#schedule()
    if (this.#held.length + this.#underWay > 0 || this.#sheds || now - this.#lastAt < watchedMs) return
    this.#watch?.stop()
    this.#watch = undefined
  }

  #measureRate(ms: number): void {
    const isHeld = this.#held.length > 0
    if (this.#wasHeld && isHeld && ms > 0) {
      const rate = this.#answered / ms
      const weight = this.#rate === undefined ? 1 : Math.min(1, ms / rememberedMs)
      this.#rate = (this.#rate ?? 0) * (1 - weight) + rate * weight
    }
    this.#wasHeld = isHeld
    this.#answered = 0
  }

  /**
   * A loop that waits for services is not full, so slow services lower nothing. The limit rises slowly, because what
   * begins while the loop has time needs it again after its service has answered.
   */
  #adjustLimit(now: number, { delayMs, utilization }: LoopState): void {
    if (utilization < idleShare) this.#limit = 1.2 * this.#limit + 2
    else if (utilization < fullShare) this.#limit = 1.1 * this.#limit + 1
    else if (delayMs <= lateMs) this.#limit = 1.05 * this.#limit + 1
    else if (now - this.#loweredAt >= lowerEveryMs) {
      this.#loweredAt = now
      this.#limit = Math.max(1, Math.floor(0.75 * Math.min(this.#limit, this.#underWay)))
    }
  }

  /**
   * Whether there were more and more requests than ever since the queue was last empty. Clients that each wait for an
   * answer before they ask again are never more than clients, however slowly they are answered.
   */
  #isGrowing(now: number, sinceMs: number): boolean {
    if (now - this.#mostSince > mostKnownMs) {
      this.#mostBefore = this.#most
      this.#most = 0
      this.#mostSince = now
    }
    // A loop that is held up sees nothing of those that come meanwhile.
    if (now - this.#grewAt > growingMs + sinceMs) this.#growths = 0
    if (this.#grew) {
      if (this.#growths === 0) this.#growsSince = now
      this.#growths += 1
      this.#grewAt = now
    }
    this.#grew = false
    if (this.#held.length === 0) this.#most = this.#mostBefore = this.#growths = 0
    return this.#growths >= growingLooks && now - this.#growsSince >= growingMs
  }

  #change(to: boolean, now: number): void {
    this.#sheds = to
    this.#refusedAt = now
    this.#options.onChange?.(to, this.#refusals)
    this.#refusals = 0
    if (!to) return
    // The newest, which would wait longer than the target, and all that would wait twice as long.
    const most = Math.max(alwaysHeld, (this.#rate ?? 1) * this.#options.targetMs)
    const from = this.#held.findIndex(
      ({ at }, place) => place >= 2 * most || (place >= most && now - at <= soonMs),
    )
    if (from >= 0) for (const { request } of this.#held.splice(from)) this.#refuse(request, now)
  }
}
