/**
 * One poller: what is polled from a service with one credential, in this process. It begins with the first subscriber and
 * ends after the last one. If several processes have the same topic, one of them polls and tells the others the
 * result. Each process delivers it to its own subscribers from the same state, so that any of them can take over.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import { notCancelled } from '../../../shared/http/cancellation.ts'
import type { ConcurrencyLimit } from '../../../shared/http/concurrency.ts'
import type {
  LiveClock,
  LiveMark,
  LiveMembership,
  LiveObserver,
  LivePrice,
  LiveStore,
  PollEvent,
} from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { asError } from '../../../shared/runtime/thrown.ts'
import { type BackgroundRequest, backgroundRequest } from '../background-request.ts'
import { accountOf } from '../rest-client/headers.ts'
import type { BudgetShare, LiveBudget } from './budget.ts'
import { intervalMs, type Pace } from './interval.ts'
import { PollHistory } from './poll-history.ts'
import type { Polled, PollKind, PollStrategy } from './poll-strategy.ts'
import type { LiveQueue } from './queue.ts'
import { TopicSubscribers } from './subscribers.ts'
import { endMessage, reasonFrom, type TopicMessage } from './topic-message.ts'

/** What all pollers of one service share. */
export interface TopicHost {
  readonly service: string
  readonly clock: LiveClock
  readonly store: LiveStore
  readonly budget: LiveBudget
  /**
   * Bounds how many polls run at the same time. Otherwise thousands would be sent at once when they begin or when the
   * service is back. The service would then answer late or not at all, and queries would wait as well.
   */
  readonly turns: ConcurrencyLimit
  /** Replaces the intervals of the fields. */
  readonly pace?: Partial<Pace> | undefined
  /** Replaces the usual interval of fields whose polls call the service. */
  readonly everySeconds?: number | undefined
  /** The share of what a service has left that polling may take, from 0 to 1. */
  readonly share: number
  readonly observer?: LiveObserver | undefined
}

/** What a topic gets from the pollers of its service. */
export interface TopicOptions {
  readonly host: TopicHost
  /** Identifies the topic in all processes, together with the credential. */
  readonly key: string
  readonly credentialKey: string
  /** Called when the last subscriber has left. */
  ended(): void
}

/** The longest time of a poll, retries included, in milliseconds. Its calls have deadlines of their own. */
const pollMs = 60_000
/** How long wants that arrive together are gathered before the next poll, in milliseconds. */
const gatherMs = 50

/** The operator's settings replace those of the field. A client may still request a shorter interval. */
function paceOf(pace: Pace, host: TopicHost): Pace {
  const { everySeconds } = host
  return { ...pace, ...(everySeconds === undefined ? {} : { defaultMs: everySeconds * 1000 }), ...host.pace }
}

const priceOf = (units: number, intervalMs: number): LivePrice => ({
  intervalSeconds: Math.round(intervalMs / 100) / 10,
  unitsPerPoll: units,
  unitsPerHour: Math.ceil((units * 3_600_000) / intervalMs),
})

/** `T` are the values of events. */
export class Topic<T, Want, News> {
  readonly #host: TopicHost
  readonly #options: TopicOptions
  readonly #strategy: PollStrategy<Want, News>
  readonly #pace: Pace
  readonly #share: BudgetShare
  readonly #membership: LiveMembership
  readonly #subscribers = new TopicSubscribers<T>()
  readonly #record = new PollHistory()
  #holds = 0
  /**
   * Whether this process polls, and not another one, whose spending then counts for all. Undefined until that is known:
   * it does not poll yet, and counts what it would spend.
   */
  #leading: boolean | undefined
  #closed = false
  /** What the subscribers of other processes want. */
  #others: readonly Want[] = []
  #poll: BackgroundRequest | undefined
  #isInLine = false
  #cancelTimer: (() => void) | undefined
  #cancelTelling: (() => void) | undefined
  #lastPollAt = Number.NEGATIVE_INFINITY
  #allowedMs: number
  /** Another process may lack what was learned, so the next poll of everything is sent on whole. */
  #owesWhole = false
  /** The service gave its last answer to this process, and no other answer has been reported since. */
  #isConditional = false
  /** The newest request that was known to the last poll of everything. All that is known is at least as new. */
  #knownAsked = 0

  constructor(topicOptions: TopicOptions, strategy: PollStrategy<Want, News>) {
    const { host, key, credentialKey } = topicOptions
    this.#host = host
    this.#options = topicOptions
    this.#strategy = strategy
    this.#pace = paceOf(strategy.pace, host)
    this.#allowedMs = this.#pace.defaultMs
    this.#share = host.budget(accountOf(credentialKey))
    this.#membership = host.store.join(`${host.service} ${key} ${credentialKey}`, {
      lead: (now) => this.#lead(now),
      hear: (message, older) => {
        if (!this.#closed) this.#hear(message as TopicMessage<News>, older)
      },
      renew: () => {
        this.#owesWhole = true
      },
      wants: (wants) => {
        this.#others = wants as readonly Want[]
        if (this.leading && !this.#closed) this.#serveOthers()
      },
    })
    host.observer?.poller(host.service, strategy.field, 1)
  }

  /** Whether this process polls. */
  get leading(): boolean {
    return this.#leading === true
  }

  /** Keeps the topic alive while somebody is about to subscribe, until `release` is called. */
  hold(): void {
    this.#holds += 1
  }

  release(): void {
    this.#holds -= 1
    if (this.#holds === 0 && this.#subscribers.size === 0) this.#end()
  }

  /** Rejects if the budget does not allow the subscription. `wants` includes what the newcomer wants. */
  async price(requestedMs?: number, wants: readonly Want[] = [this.#strategy.want()]): Promise<LivePrice> {
    const units = this.#strategy.units([...wants, ...this.#others])
    const { defaultMs, leastMs } = this.#pace
    const requested = Math.min(
      requestedMs ?? defaultMs,
      this.#subscribers.requestedMs(defaultMs) ?? defaultMs,
    )
    const wanted = Math.max(requested, leastMs, this.#record.hintMs)
    if (this.#subscribers.size === 0) this.#setShare(units, wanted)
    const allowed = await this.#allowed(units)
    if (typeof allowed !== 'number') throw allowed
    return priceOf(units, Math.max(wanted, allowed))
  }

  /** The price. It is lower if the service asks for a longer interval by now. */
  priceNow(price: LivePrice): LivePrice {
    const { hintMs } = this.#record
    return hintMs > price.intervalSeconds * 1000 ? priceOf(price.unitsPerPoll, hintMs) : price
  }

  /** Adds a subscriber. `PollStrategy.want` already includes what it wants. */
  add(queue: LiveQueue<T>, request: SubgraphRequest, requestedMs: number | undefined): void {
    this.#subscribers.add(queue, request, requestedMs)
    if (this.#subscribers.size === 1) {
      this.#allowedMs = this.#ownIntervalMs()
      this.#membership.want(this.#strategy.want())
      this.#schedule()
    } else if (requestedMs !== undefined) this.#tellWants()
  }

  remove(queue: LiveQueue<T>): void {
    if (!this.#subscribers.remove(queue) || this.#subscribers.size > 0) return
    this.#cancelTimer?.()
    if (this.#holds === 0) this.#end()
  }

  /** Call it when the wants of the subscribers have changed. */
  changed(): void {
    if (!this.#closed) this.#tellWants()
  }

  /** Takes news that no poll brought as if one had, in all processes. */
  learn(news: News): void {
    if (this.leading) this.#tellKnown(news)
    // Otherwise a process that begins to lead would find no news in the next poll.
    else this.#owesWhole = true
    this.#strategy.take(news, false)
  }

  close(): void {
    const { service } = this.#host
    this.#subscribers.end(
      tesseraError('SERVICE_STOPPING', 'This server is shutting down: subscribe again.', { service }),
    )
    this.#end()
  }

  /** What this process spends: nothing while another one polls. */
  #setShare(units: number, intervalMs: number): void {
    this.#share.set(this.#leading === false ? 0 : units, intervalMs)
  }

  /** The interval that the budget allows if a poll costs this much, or the reason to stop. */
  #allowed(units: number): Promise<number | GraphQLError> {
    // The process that polls has told what it spends for all.
    const counted = this.#leading === false ? this.#strategy.units(this.#wantsNow()) : undefined
    return this.#share.allows(units, counted)
  }

  #lead(now: boolean): void {
    const wasFollowing = this.#leading === false
    this.#leading = now
    // Otherwise it spends what it did.
    if (wasFollowing === now) this.#setShare(this.#strategy.units(this.#wantsNow()), this.#ownIntervalMs())
    if (now) {
      this.#serveOthers()
      return
    }
    this.#cancelTimer?.()
    this.#dropPoll()
    this.#isConditional = false
  }

  /** Drops the poll that is under way, because what another process has learned may be newer than its answer. */
  #dropPoll(): void {
    this.#poll?.cancel()
    this.#poll = undefined
  }

  #hear(message: TopicMessage<News>, older: boolean): void {
    this.#isConditional = false
    if ('news' in message) {
      this.#strategy.take(message.news, older)
      if (older) return
      this.#record.answered()
      this.#lastPollAt = this.#host.clock.now()
      this.#dropPoll()
      this.#schedule()
    } else if (!older) this.#subscribers.end(reasonFrom(message.end))
  }

  /** Tells the others what is known here, with all that was heard until now. */
  #tellKnown(news: News): void {
    const { heard } = this.#membership.mark
    this.#membership.tell({ news } satisfies TopicMessage<News>, { asked: this.#knownAsked, heard })
  }

  #wantsNow(): readonly Want[] {
    return [this.#strategy.want(), ...this.#others]
  }

  #ownIntervalMs(): number {
    const { hintMs, unchanged, failures } = this.#record
    const requestedMs = this.#subscribers.requestedMs(this.#pace.defaultMs)
    return intervalMs(this.#pace, { requestedMs, hintMs, unchanged, failures })
  }

  /** Sends the other processes what is known here and they lack, and requests the rest from the service. */
  #serveOthers(): void {
    for (const want of this.#others) {
      const news = this.#strategy.lacking?.(want)
      if (news !== undefined) this.#tellKnown(news)
    }
    this.#schedule()
  }

  /** Wants of subscribers that came at the same moment are announced together. */
  #tellWants(): void {
    this.#cancelTelling ??= this.#host.clock.after(gatherMs, () => {
      this.#cancelTelling = undefined
      this.#membership.want(this.#strategy.want())
      this.#schedule(true)
      void this.#setInterval().then(() => {
        if (this.#cancelTimer !== undefined) this.#schedule(true)
      })
    })
  }

  /** `gathered` says that the wants have been gathered already. */
  #schedule(gathered = false): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const isBusy = this.#isInLine || this.#poll !== undefined
    if (!this.leading || this.#closed || isBusy || this.#subscribers.size === 0) return
    const { clock } = this.#host
    // The clock may have been set back.
    this.#lastPollAt = Math.min(this.#lastPollAt, clock.now())
    const defaultAt = this.#lastPollAt + this.#allowedMs
    const dueAt = this.#strategy.dueAt?.(this.#lastPollAt, this.#allowedMs) ?? defaultAt
    const due = Math.max(0, dueAt - clock.now())
    const missing =
      due > gatherMs && this.#record.failures === 0 && this.#strategy.isMissing(this.#wantsNow())
    const waitMs = missing ? (gathered ? 0 : gatherMs) : due
    this.#cancelTimer = clock.after(waitMs, () => void this.#pollInTurn(missing))
  }

  async #pollInTurn(missing: boolean): Promise<void> {
    this.#cancelTimer = undefined
    const { turns } = this.#host
    if (!turns.acquire()) {
      this.#isInLine = true
      await turns.wait(Number.POSITIVE_INFINITY, notCancelled, this)
      this.#isInLine = false
    }
    try {
      // Another process may lead by now.
      if (this.leading) await this.#pollNow(missing)
    } finally {
      turns.release()
    }
  }

  /** With `missing`, requests only what has never been requested, before the next poll of everything is due. */
  async #pollNow(missing: boolean): Promise<void> {
    const { caller } = this.#subscribers
    if (this.#closed || caller === undefined || this.#poll !== undefined) return
    const { service, clock, observer } = this.#host
    const { field } = this.#strategy
    const request = backgroundRequest(`live ${this.#options.key}`, caller, pollMs)
    this.#poll = request
    const { mark } = this.#membership
    const whole = this.#owesWhole && !missing
    const kind = { missing, whole, conditional: this.#isConditional && !this.#owesWhole }
    if (!missing) {
      this.#lastPollAt = clock.now()
      this.#owesWhole = false
    }
    const started = performance.now()
    let result: PollEvent['result'] = 'refused'
    let isWhole = false
    try {
      const wants = this.#wantsNow()
      this.#share.set(this.#strategy.units(wants), this.#ownIntervalMs())
      const allowed = await this.#share.allows()
      if (typeof allowed !== 'number') throw allowed
      if (this.#poll !== request) return
      result = 'failed'
      const polled = await this.#ask(wants, kind, request)
      if (this.#poll !== request) return
      result = this.#take(polled, kind, mark)
      isWhole = whole && polled.partial !== true
    } catch (error) {
      const failure = asError(error)
      if (this.#poll === request && this.#record.failed(failure)) this.#endEverywhere(failure, mark)
    } finally {
      if (whole && !isWhole) this.#owesWhole = true
      if (this.#poll === request) {
        this.#poll = undefined
        const milliseconds = performance.now() - started
        await this.#setInterval()
        this.#schedule()
        observer?.polled({ service, field, result, milliseconds, intervalMs: this.#allowedMs })
      }
    }
  }

  #ask(wants: readonly Want[], kind: PollKind, request: BackgroundRequest): Promise<Polled<News>> {
    const { service, observer } = this.#host
    const ask = (): Promise<Polled<News>> => this.#strategy.poll(wants, kind, request)
    return observer === undefined ? ask() : observer.around(service, this.#strategy.field, ask)
  }

  /** Tells the result of a poll to the other processes and to the subscribers here. */
  #take(polled: Polled<News>, { missing, whole }: PollKind, mark: LiveMark): 'changed' | 'unchanged' {
    const { news, unchanged: isSame = news === undefined, partial = false } = polled
    this.#record.succeeded(polled.hintMs)
    if (!missing) {
      this.#record.unchanged = isSame ? this.#record.unchanged + 1 : 0
      this.#isConditional = true
      if (!partial) this.#knownAsked = mark.asked
    }
    if (news !== undefined) {
      this.#membership.tell({ news } satisfies TopicMessage<News>, mark, whole && !partial)
      this.#strategy.take(news, false)
    }
    if (polled.final === true) this.#endEverywhere('done', mark)
    return isSame ? 'unchanged' : 'changed'
  }

  async #setInterval(): Promise<void> {
    const units = this.#strategy.units(this.#wantsNow())
    this.#setShare(units, this.#ownIntervalMs())
    const allowed = await this.#allowed(units).catch(() => this.#ownIntervalMs())
    // If the budget is used up, the next poll reports it.
    this.#allowedMs = typeof allowed === 'number' ? allowed : this.#ownIntervalMs()
    this.#membership.pace(this.#allowedMs)
  }

  #endEverywhere(reason: 'done' | Error, mark: LiveMark): void {
    this.#membership.tell(endMessage(reason), mark)
    this.#subscribers.end(reason)
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#leading = undefined
    this.#cancelTimer?.()
    this.#dropPoll()
    this.#cancelTelling?.()
    this.#share.leave()
    this.#membership.leave()
    this.#host.observer?.poller(this.#host.service, this.#strategy.field, -1)
    this.#options.ended()
  }
}
