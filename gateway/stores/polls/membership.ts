/**
 * This gateway in one topic. The topic has a lease that its holder renews, the wants of all members, and a log of what
 * the holder learned, with a message for each addition. The log is read from the last entry on, so that nothing is lost
 * during a reconnection. While Redis is away each gateway leads by itself. Afterwards the others ask for the whole state,
 * and older entries of the log count as older than what they learned alone.
 */
import { parseExactly } from '../../../shared/json/exact-number.ts'
import type { LiveMark, LiveMember, LiveMembership } from '../../../shared/polling.ts'
import type { Store } from '../store.ts'
import {
  endStep,
  leaveStep,
  noEntry,
  publishStep,
  readAtOnce,
  readStep,
  type TopicKeys,
  tellStep,
  tickStep,
} from './steps.ts'

/** Slightly longer than the interval between polls, so that another member leads before the second one is over. */
const leaseShare = 1.5
const shortestLeaseMs = 1500
const longestLeaseMs = 15_000
/** How often a lease is renewed, or requested, within its time. */
const triesWithin = 3

interface MembershipOptions {
  readonly keys: TopicKeys
  /** Stands for this gateway in the store. */
  readonly self: string
  readonly member: LiveMember
  readonly store: Store<undefined>
  readonly left: () => void
}

export class Membership implements LiveMembership {
  readonly #options: MembershipOptions
  #want = ''
  #leaseMs = longestLeaseMs
  #leading: boolean | undefined
  /** Messages of others may have been lost since it last asked for the whole state, or messages to others. */
  #lost = false
  /**
   * A poll must have known this request for the whole state to be newer than what was learned here: 0 if the others
   * have heard of everything, infinite until the state is requested.
   */
  #needs = 0
  /** The newest request of all members, and the one for which the member was told to publish the whole state. */
  #asked = 0
  #renewed = 0
  #others = ''
  /** The last entry of the log that was read; undefined until the end of the log is known. */
  #last: string | undefined
  #reading: Promise<boolean> | undefined
  #readAgain = false
  #ticking: Promise<void> | undefined
  #tickAgain = false
  #timer: NodeJS.Timeout | undefined
  #left = false

  constructor(options: MembershipOptions) {
    this.#options = options
  }

  want(want: unknown): void {
    const { store, keys } = this.#options
    this.#want = JSON.stringify(want) ?? ''
    void this.tick().then(() => store.share(publishStep, { keys, text: 'wants' }))
  }

  get mark(): LiveMark {
    return { asked: this.#asked, heard: this.#last }
  }

  async tell(message: unknown, mark: LiveMark, whole = false): Promise<void> {
    const { store, keys, self } = this.#options
    const text = JSON.stringify(message)
    if (this.#lost) this.#learnedAlone()
    const isAdded = await store.share(tellStep, { keys, self, text, mark, whole })
    if (isAdded === true) return
    this.#learnedAlone()
    // Another member leads, and this gateway has not noticed yet.
    if (isAdded === false) void this.tick()
  }

  pace(milliseconds: number): void {
    const wanted = Math.round(milliseconds * leaseShare)
    this.#leaseMs = Math.min(Math.max(wanted, shortestLeaseMs), longestLeaseMs)
  }

  leave(): void {
    const { store, keys, self, left } = this.#options
    this.close()
    // Another member need not wait until the lease expires.
    void store.share(leaveStep, { keys, self }).then(() => store.share(publishStep, { keys, text: 'left' }))
    left()
  }

  close(): void {
    this.#left = true
    clearTimeout(this.#timer)
  }

  /** A message of another member, or of itself. */
  noted(text: string): void {
    if (text === 'log') this.read()
    else if (text !== 'asks' || this.#leading === true) void this.tick()
  }

  /** Redis is there again. Its address may now lead to another Redis, which may lack some of the additions. */
  reachedAgain(): void {
    this.#lost = true
    void this.tick()
  }

  /** If a step is under way another one follows, so that everything announced meanwhile is known when it resolves. */
  tick(): Promise<void> {
    this.#tickAgain = true
    this.#ticking ??= (async () => {
      clearTimeout(this.#timer)
      while (this.#tickAgain && !this.#left) {
        this.#tickAgain = false
        await this.#step()
      }
      this.#ticking = undefined
      if (!this.#left) this.#timer = setTimeout(() => void this.tick(), this.#leaseMs / triesWithin).unref()
    })()
    return this.#ticking
  }

  async #step(): Promise<void> {
    // Otherwise the backend is away, or something in it cannot be read.
    if (await this.#stepTogether().catch(() => false)) return
    this.#lost = true
    this.#tellWants([])
    this.#lead(true)
  }

  async #stepTogether(): Promise<boolean> {
    const { store, keys, self } = this.#options
    // Not before it has ceased to lead: what it learns by itself would be newer than the requested state.
    const asks = this.#lost && this.#leading === false
    const leaseMs = this.#leaseMs
    const want = this.#want
    this.#last ??= await store.share(endStep, keys)
    if (this.#last === undefined) return false
    if (asks) this.#lost = false
    const ticked = await store.share(tickStep, { keys, self, leaseMs, want, asks })
    if (ticked === undefined) return false
    const { leads, all, asked, served, end } = ticked
    if (this.#left) return true
    this.#asked = asked
    // The log was lost, or another server has it now, which may have less: what is added comes after its end.
    if (isBefore(end, this.#last)) {
      this.#last = end
      this.#lost ||= end !== noEntry
    }
    if (leads) return this.#stepAsLeader(all, served)
    if (asks && this.#needs > 0) {
      this.#needs = asked
      this.#last = end
    } else if (this.#needs !== Number.POSITIVE_INFINITY && asked < this.#needs) this.#lost = true
    this.#tellWants(all)
    this.#lead(false)
    // What was added while the log could not be read, or what a failed read has left.
    if (end !== noEntry && end !== this.#last) this.read()
    if (this.#lost) this.#tickAgain = true
    return true
  }

  async #stepAsLeader(all: readonly string[], served: number): Promise<boolean> {
    const wasLost = this.#lost
    this.#lost = false
    // A new leader continues from everything that was learned before.
    if ((wasLost || this.#leading !== true) && !(await this.#readOn())) return false
    if (this.#left) return true
    if (!this.#lost) this.#needs = 0
    this.#tellWants(all)
    this.#lead(true)
    const asked = this.#asked
    if (!wasLost && (asked <= served || asked <= this.#renewed)) return true
    this.#renewed = asked
    this.#options.member.renew()
    return true
  }

  #lead(leading: boolean): void {
    if (this.#left || this.#leading === leading) return
    this.#leading = leading
    this.#renewed = 0
    this.#options.member.lead(leading)
  }

  /** Something was learned here that the others have not heard of. */
  #learnedAlone(): void {
    this.#lost = true
    this.#needs = Number.POSITIVE_INFINITY
  }

  /** `all`: members and wants, alternating. */
  #tellWants(all: readonly string[]): void {
    const others: string[] = []
    for (let at = 0; at + 1 < all.length; at += 2) {
      const want = all[at + 1]
      if (all[at] !== this.#options.self && want !== undefined && want !== '') others.push(want)
    }
    const text = others.sort().join('\n')
    if (text === this.#others) return
    this.#others = text
    this.#options.member.wants(others.map(parseExactly))
  }

  /** What cannot be read is read with the next message or the next step, or when the connection is there again. */
  read(): void {
    this.#readOn().catch(() => {})
  }

  /** Delivers everything that was added and is new here; one at a time, in order. False if it could not be read. */
  #readOn(): Promise<boolean> {
    if (this.#reading !== undefined) {
      this.#readAgain = true
      return this.#reading
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readAll(): Promise<boolean> {
    const { store, keys, self, member } = this.#options
    do {
      this.#readAgain = false
      for (;;) {
        const last = this.#last
        if (last === undefined || this.#left) return true
        const entries = await store.share(readStep, { keys, last })
        if (entries === undefined) return false
        // The log was left out up to its end meanwhile.
        if (this.#last !== last) continue
        for (const { id, from, text, mark } of entries) {
          this.#last = id
          if (from === self || text === undefined || this.#left) continue
          const older = this.#needs === Number.POSITIVE_INFINITY || Number(mark) < this.#needs
          member.hear(parseExactly(text), older)
        }
        if (entries.length < readAtOnce) break
      }
    } while (this.#readAgain)
    return true
  }
}

/** Whether one entry of a log is older than another one. */
function isBefore(one: string, other: string): boolean {
  const [at = 0, position = 0] = one.split('-').map(Number)
  const [otherAt = 0, otherPosition = 0] = other.split('-').map(Number)
  return at < otherAt || (at === otherAt && position < otherPosition)
}
