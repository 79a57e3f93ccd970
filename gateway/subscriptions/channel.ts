/**
 * Subscriptions that share their events: the same operation with the same variables, for callers whose answers may
 * be shared. The events come from one subscription of the subgraph. Each event is authorized again for each
 * subscriber, and one result is made for all subscribers with the same permission. If that permission leads to subgraphs
 * that receive more of a caller than was compared at the beginning, each of them has a result of its own. The same holds
 * for a subscriber that has renewed its token.
 */
import { setImmediate } from 'node:timers/promises'
import type { GraphQLError } from 'graphql'
import type { EventSource, SourceEvent } from '../../engine/index.ts'
import { createGatewayRequest, type GatewayRequest } from '../../engine/request.ts'
import { tesseraError } from '../../shared/errors.ts'
import type { ErrorBehavior } from '../../shared/graphql/error-behavior.ts'
import type { Identity } from '../../shared/identity.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { type GrantedOperation, isRefused, type Operation } from '../auth/granted-operation.ts'
import type { Hooked } from '../hooks/index.ts'
import type { InFlight } from '../pipeline/in-flight.ts'
import { maskError } from '../pipeline/mask.ts'
import type { Caller } from './caller.ts'
import { type EventOptions, eventResult } from './event.ts'
import { headerOfSubscriber, namesOfSubscriber, type Permission, permissionOf } from './permission.ts'
import type { Delivery, End, Subscriber } from './subscriber.ts'

interface ChannelOptions {
  readonly operation: Operation
  readonly variables: Readonly<Record<string, unknown>>
  readonly source: EventSource
  /** The ID of the request that began it, for logs. */
  readonly id: string
  readonly onError: ErrorBehavior
  readonly caller: Caller
  readonly hooked: Hooked | undefined
  readonly identity: Identity
  readonly resumeAfter: string | undefined
  readonly events: EventOptions
  readonly inFlight: Pick<InFlight, 'callerHeaders'>
  /** Keeps the generation's connections open until the returned function is called. */
  readonly hold: () => () => void
  /** The headers of callers that are equal for all subscribers, in lower case. */
  readonly headers: readonly string[]
  /** Called once, when the source has ended and there are no more subscribers. */
  readonly onClosed: () => void
  /** Called when new subscribers must not join it any more. */
  readonly onUnshared: () => void
  readonly onDelivered: (subscribers: number) => void
  readonly onLeft: (subscriber: Subscriber, end: End) => void
}

interface Decided extends Permission {
  readonly granted: GrantedOperation
}

/** One event for all subscribers with the same permission. */
interface Group extends Decided {
  readonly subscribers: Subscriber[]
}

/** What belongs to one generation of the graph. */
type Serving = Pick<ChannelOptions, 'operation' | 'events' | 'inFlight' | 'hold'>

/** The newest event of each key, for later subscribers. The number of keys is bounded. */
const mostKept = 256

export class Channel {
  readonly options: ChannelOptions
  readonly subscribers = new Set<Subscriber>()
  readonly #request: GatewayRequest
  /** Subscribers that joined and have not received the kept events yet, and the delivery of these. */
  readonly #joining = new Map<Subscriber, Promise<void>>()
  readonly #kept = new Map<string, SourceEvent>()
  /** The extensions of the first event, for the first event of each subscriber. */
  #firstExtensions: SourceEvent['extensions']
  #hasBegun = false
  #isUnshared = false
  #opening: Promise<void> | undefined
  #serving: Serving
  /** Each ends one use of a generation: by the source, by `#serving`, or by an event under way. */
  readonly #releases = new Set<() => void>()
  #releaseServing: () => void
  #iterator: AsyncIterator<SourceEvent, unknown, undefined> | undefined
  #isClosed = false
  /** The token of all subscribers when they joined, and the one that the subgraph received last. */
  readonly #firstToken: string | undefined
  #shownToken: string | undefined
  /** Who had that token when the subgraph received it; undefined for the first one, which all had. */
  #admitted: WeakSet<Subscriber> | undefined
  readonly #served = new WeakMap<GrantedOperation, boolean>()
  readonly #shared = new WeakMap<GrantedOperation, boolean>()

  constructor(options: ChannelOptions) {
    this.options = options
    this.#serving = options
    if (!options.source.outlivesEngine) this.#hold(options)
    this.#releaseServing = this.#hold(options)
    const { identity, resumeAfter, id, onError } = options
    this.#firstToken = this.#shownToken = this.#tokenOf(options)
    this.#request = createGatewayRequest({
      id,
      deadline: Number.POSITIVE_INFINITY,
      header: (name) => this.#header(name),
      names: () => namesOfSubscriber(options),
      identity,
      onError,
      resumeAfter,
    })
    if (options.hooked !== undefined) this.#serving.events.hooks?.attach(this.#request, options.hooked)
  }

  get operation(): Operation {
    return this.#serving.operation
  }

  /** Whether the subgraph has accepted the subscription. */
  get isOpen(): boolean {
    return this.#iterator !== undefined
  }

  /** Uses this generation from the next event on; the plan is the same. */
  exchange(serving: Serving): void {
    if (this.#isClosed) return
    const release = this.#releaseServing
    this.#serving = serving
    this.#releaseServing = this.#hold(serving)
    release()
  }

  /** Keeps the connections of a generation until the returned function is called, or the channel is closed. */
  #hold({ hold }: Serving): () => void {
    const end = hold()
    const release = (): void => {
      if (this.#releases.delete(release)) end()
    }
    this.#releases.add(release)
    return release
  }

  /** Subscribes to the subgraph, once for all subscribers. Rejects if that is not possible. */
  open(): Promise<void> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  async #open(): Promise<void> {
    let iterator: AsyncIterator<SourceEvent, unknown, undefined>
    try {
      iterator = await this.options.source.open(this.#request)
    } catch (error) {
      this.end({ kind: 'failed', error: this.#masked(error) })
      throw error
    }
    if (this.#isClosed) {
      // A failure while it ends concerns no subscriber any more.
      iterator.return?.().catch(() => {})
      return
    }
    this.#iterator = iterator
    void this.#run(iterator)
  }

  add(subscriber: Subscriber): void {
    this.subscribers.add(subscriber)
    if (!this.#hasBegun || this.#kept.size === 0) return
    this.#joining.set(subscriber, this.#deliverKept(subscriber))
  }

  subscriberLeft(subscriber: Subscriber, end: End): void {
    this.subscribers.delete(subscriber)
    this.#joining.delete(subscriber)
    if (this.subscribers.size === 0) this.close()
    this.options.onLeft(subscriber, end)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#request.cancel()
    this.#iterator?.return?.().catch(() => {})
    for (const release of this.#releases) release()
    this.options.onClosed()
  }

  async #run(iterator: AsyncIterator<SourceEvent, unknown, undefined>): Promise<void> {
    let end: End = { kind: 'complete' }
    try {
      while (!this.#isClosed) {
        const { done, value } = await iterator.next()
        if (done === true) break
        if (!this.#isClosed) await this.#deliver(value)
        // Events that come at once, such as those of five hundred objects, must not be taken for a slow client: a
        // connection writes nothing while promises settle.
        if (this.#hasWaiting()) await setImmediate()
      }
    } catch (error) {
      end = { kind: 'failed', error: this.#masked(error) }
    }
    // Nobody joins any more, and who did gets the newest events before the end. The others do not wait for that.
    this.#unshare()
    for (const each of [...this.subscribers]) if (!this.#joining.has(each)) each.finish(end)
    await Promise.all(this.#joining.values())
    this.end(end)
  }

  #hasWaiting(): boolean {
    for (const { hasWaiting } of this.subscribers) if (hasWaiting) return true
    return false
  }

  end(end: End): void {
    for (const subscriber of [...this.subscribers]) subscriber.finish(end)
    this.close()
  }

  async #deliver(event: SourceEvent): Promise<void> {
    if (!this.#hasBegun) this.#firstExtensions = event.extensions
    this.#hasBegun = true
    this.#keep(event)
    await this.#deliverTo(
      [...this.subscribers].filter((each) => !this.#joining.has(each)),
      event,
    )
  }

  /** Executes an event on the generation that serves now, which stays open until all have the result. */
  async #deliverTo(subscribers: readonly Subscriber[], event: SourceEvent): Promise<void> {
    const serving = this.#serving
    const release = this.#hold(serving)
    try {
      const groups = await this.#groups(subscribers, serving)
      await Promise.all(groups.map((group) => this.#deliverToGroup(group, event, serving)))
    } finally {
      release()
    }
  }

  /**
   * A header for the subgraph. The headers of all subscribers are equal, except for tokens that were renewed: the one that
   * expires last is sent, and subscribers with another one see no events for it.
   */
  #header(name: string): string | undefined {
    if (name !== 'authorization') return headerOfSubscriber(this.options, name)
    let last: Subscriber | undefined
    for (const each of this.subscribers)
      if (last === undefined || each.caller.until > last.caller.until) last = each
    const from = last ?? this.options
    const token = this.#tokenOf(from)
    if (token !== this.#shownToken) {
      this.#shownToken = token
      this.#unshare()
      this.#admitted = new WeakSet([...this.subscribers].filter((each) => this.#tokenOf(each) === token))
    }
    return headerOfSubscriber(from, name)
  }

  /** The token of a subscriber, if the subgraph can receive it. */
  #tokenOf(subscriber: Pick<Subscriber, 'caller' | 'hooked'>): string | undefined {
    const { headers } = this.options
    return headers.includes('authorization') ? headerOfSubscriber(subscriber, 'authorization') : undefined
  }

  /** Keeps the newest event of each key. If a later subscriber would miss events nevertheless, there is none. */
  #keep(event: SourceEvent): void {
    const { key, own } = event
    if (key !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, event)
    }
    const { resumeAfter } = this.options
    if (own === true || (key === undefined ? resumeAfter !== undefined : this.#kept.size > mostKept))
      this.#unshare()
    this.#forgetKept()
  }

  #unshare(): void {
    this.#isUnshared = true
    this.options.onUnshared()
  }

  #forgetKept(): void {
    if (this.#isUnshared && this.#joining.size === 0) this.#kept.clear()
  }

  async #deliverKept(subscriber: Subscriber): Promise<void> {
    // Events that arrive meanwhile are kept, too, and sent here.
    const sent = new Set<SourceEvent>()
    for (;;) {
      const event = [...this.#kept.values()].find((each) => !sent.has(each))
      if (event === undefined || subscriber.isOver || this.#isClosed) break
      sent.add(event)
      await this.#deliverTo([subscriber], event)
    }
    this.#joining.delete(subscriber)
    this.#forgetKept()
  }

  async #deliverToGroup(
    { granted, identity, subscribers }: Group,
    event: SourceEvent,
    { operation, events }: Serving,
  ): Promise<void> {
    const { variables, id, onError } = this.options
    const { key, id: eventId } = event
    const deliveryFor = async (extensions: SourceEvent['extensions'], to: readonly Subscriber[]) => {
      const [first] = to
      if (first === undefined) return
      const body = await eventResult(events, {
        ...{ granted, operation, variables, event, id, onError, identity, extensions },
        subscriber: first,
      })
      const delivery: Delivery = { body, key, id: eventId }
      for (const subscriber of to) subscriber.push(delivery)
      this.options.onDelivered(to.length)
    }
    const isFirst = ({ delivered, conflated }: Subscriber): boolean => delivered + conflated === 0
    const late = this.#firstExtensions === event.extensions ? [] : subscribers.filter(isFirst)
    await deliveryFor(
      undefined,
      late.length === 0 ? subscribers : subscribers.filter((each) => !isFirst(each)),
    )
    if (late.length > 0) await deliveryFor(this.#firstExtensions, late)
  }

  /** The current permission of each subscriber. A subscriber without any permission is ended. */
  async #groups(subscribers: readonly Subscriber[], serving: Serving): Promise<readonly Group[]> {
    const groups = new Map<object, Group>()
    const put = (subscriber: Subscriber, decided: Decided | undefined): void => {
      if (decided === undefined) return
      const { granted, identity } = decided
      const key =
        this.#isShared(granted, serving) && this.#tokenOf(subscriber) === this.#firstToken
          ? granted
          : subscriber
      getOrInsert(groups, key, () => ({ granted, identity, subscribers: [] })).subscribers.push(subscriber)
    }
    const pending: Promise<void>[] = []
    for (const subscriber of subscribers) {
      // Most results are known immediately, with ten thousand subscribers as with one.
      const decided = this.#decide(subscriber, serving)
      if (decided instanceof Promise) pending.push(decided.then((late) => put(subscriber, late)))
      else put(subscriber, decided)
    }
    await Promise.all(pending)
    return [...groups.values()]
  }

  #decide(
    subscriber: Subscriber,
    { operation, events }: Serving,
  ): Decided | undefined | Promise<Decided | undefined> {
    const fail = (error: unknown): undefined => {
      const masked = this.#masked(error)
      const kind = masked.extensions.code === 'SUBSCRIPTION_RESTART' ? 'restart' : 'failed'
      subscriber.finish({ kind, error: masked })
      return undefined
    }
    const take = ({ identity, granted }: Permission): Decided | undefined => {
      if (isRefused(granted)) return fail(granted[0])
      if (this.serves(granted) && this.#admitted?.has(subscriber) !== false) return { identity, granted }
      subscriber.finish({ kind: 'restart', error: changed() })
      return undefined
    }
    try {
      const found = permissionOf(subscriber, operation, events.hooks, performance.now() + events.timeoutMs)
      return found instanceof Promise ? found.then(take, fail) : take(found)
    } catch (error) {
      return fail(error)
    }
  }

  /** Whether this channel's events are those of the operation as it is granted now, at the subgraph's current address. */
  serves(granted: GrantedOperation): boolean {
    const known = this.#served.get(granted)
    if (known !== undefined) return known
    const source = granted.compiled.events(this.options.variables, this.#request)
    const isServed =
      !('errors' in source) && (source.key === undefined || source.key === this.options.source.key)
    this.#served.set(granted, isServed)
    return isServed
  }

  /** Whether subscribers with this permission get equal results. */
  #isShared(granted: GrantedOperation, { events, inFlight }: Serving): boolean {
    const known = this.#shared.get(granted)
    if (known !== undefined) return known
    const { headers } = this.options
    // Hooks change answers for one caller only. Those of a reload may be the first that do.
    const isShared =
      events.hooks?.answer === undefined &&
      inFlight.callerHeaders(granted)?.every((name) => headers.includes(name)) === true
    this.#shared.set(granted, isShared)
    return isShared
  }

  #masked(error: unknown): GraphQLError {
    return maskError(error, this.options.id, this.#serving.events.log)
  }
}

const changed = (): GraphQLError =>
  tesseraError('SUBSCRIPTION_RESTART', "The caller's rights have changed: subscribe again.")
