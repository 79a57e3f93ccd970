/**
 * One subscription of one client, with the events that wait for it. Their number and bytes are bounded. An event replaces
 * a waiting event with the same key; if another event does not fit, the subscription ends.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import type { Closing } from '../graphql-http/streaming/index.ts'
import type { Hooked } from '../hooks/index.ts'
import type { SubscriptionEnd } from '../telemetry/metrics/index.ts'
import type { Caller } from './caller.ts'
import type { SubscriptionSettings } from './config.ts'

/** A result as JSON, shared by all its receivers. */
export interface Delivery {
  readonly body: Buffer
  /** Replaces what waits under the same key. */
  readonly key: string | undefined
  /** The position from which to resume after it. */
  readonly id: string | undefined
}

/**
 * How a subscription ended. `complete`: there are no more events. `left`: the client ended it. `restart`: it is to be
 * begun again, here or elsewhere, because the server stops, serves another graph, or cannot check the token now.
 */
export type End =
  | { readonly kind: 'complete' | 'left' }
  | { readonly kind: 'restart'; readonly error: GraphQLError }
  | { readonly kind: 'failed'; readonly error: GraphQLError }

type Bounds = Pick<SubscriptionSettings, 'waitingEvents' | 'waitingBytes'>

/** Is notified of waiting events. It is an object, because a closure for each of ten thousand takes more memory. */
export interface Listening {
  wake(): void
}

/** The subscriptions of one connection. */
export interface Connection {
  subscriptions: number
}

/** All that a subscription keeps of its first request except its caller: for limits and the log. */
export interface Counted {
  readonly id: string
  readonly callerKey: string
  readonly connection: Connection | undefined
}

interface SubscriberOptions extends Pick<Subscriber, 'caller' | 'counted' | 'hooked'> {
  readonly bounds: Bounds
  readonly owner: SubscriberOwner
}

/** Is told once how a subscription ended, whichever side ended it. */
interface SubscriberOwner {
  subscriberLeft(subscriber: Subscriber, end: End): void
}

const none: Delivery[] = []

export class Subscriber implements Closing {
  readonly caller: Caller
  readonly counted: Counted
  readonly started = Math.round(performance.now())
  /** The context that its hooks share. */
  readonly hooked: Hooked | undefined
  readonly #bounds: Bounds
  readonly #owner: SubscriberOwner
  // Most subscribers have no waiting events. They share one empty list.
  #waiting: Delivery[] = none
  #bytes = 0
  #listening: Listening | undefined
  #end: End | undefined
  /** Events that a later one replaced before the client took them. */
  conflated = 0
  delivered = 0
  /** The position from which the client would resume. */
  lastId: string | undefined

  constructor({ caller, counted, hooked, bounds, owner }: SubscriberOptions) {
    this.caller = caller
    this.counted = counted
    this.hooked = hooked
    this.#bounds = bounds
    this.#owner = owner
  }

  /** How it ended. The remaining events are sent first. */
  get end(): End | undefined {
    return this.#waiting.length === 0 ? this.#end : undefined
  }

  get isOver(): boolean {
    return this.#end !== undefined
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  listen(listening: Listening): void {
    this.#listening = listening
    if (this.#waiting.length > 0 || this.#end !== undefined) listening.wake()
  }

  take(): Delivery | undefined {
    const next = this.#waiting.shift()
    if (next === undefined) return undefined
    if (this.#waiting.length === 0) this.#waiting = none
    this.#bytes -= next.body.length
    this.delivered += 1
    if (next.id !== undefined) this.lastId = next.id
    return next
  }

  push(delivery: Delivery): void {
    if (this.#end !== undefined) return
    if (this.#waiting === none) this.#waiting = []
    const { key, body } = delivery
    const waiting = this.#waiting
    const replaced = key === undefined ? -1 : waiting.findIndex((each) => each.key === key)
    if (replaced >= 0) {
      this.#bytes -= waiting[replaced]?.body.length ?? 0
      waiting.splice(replaced, 1)
      this.conflated += 1
    }
    const { waitingEvents, waitingBytes } = this.#bounds
    // A single event always fits, because its size has a bound of its own.
    const isFull = waiting.length >= waitingEvents || this.#bytes + body.length > waitingBytes
    if (waiting.length > 0 && isFull) {
      this.#waiting = none
      this.#bytes = 0
      this.finish({ kind: 'failed', error: tooSlow() })
      return
    }
    waiting.push(delivery)
    this.#bytes += body.length
    this.#listening?.wake()
  }

  closed(): void {
    this.finish({ kind: 'left' })
  }

  /** Ends it. Only the first end counts, but a client that leaves gets nothing more of what waits. */
  finish(end: End): void {
    const isFirst = this.#end === undefined
    if (!isFirst && end.kind !== 'left') return
    this.#end = end
    if (end.kind === 'left') {
      this.#waiting = none
      this.#bytes = 0
    }
    if (isFirst) this.#owner.subscriberLeft(this, end)
    this.#listening?.wake()
  }
}

export function reasonOf(end: End): SubscriptionEnd {
  if (end.kind !== 'failed') return end.kind
  const { code } = end.error.extensions
  if (code === 'SUBSCRIPTION_TOO_SLOW') return 'slow'
  return code === 'UNAUTHENTICATED' ? 'token' : 'failed'
}

const tooSlow = (): GraphQLError =>
  tesseraError(
    'SUBSCRIPTION_TOO_SLOW',
    'Events came faster than the client read them: subscribe again after the last one that was read.',
  )
