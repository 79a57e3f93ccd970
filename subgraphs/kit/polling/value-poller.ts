/** Polls one value as a whole, and sends it when it has changed. */
import type { LiveClock, LiveEvent, LivePrice } from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { Pace } from './interval.ts'
import type { PollStrategy } from './poll-strategy.ts'
import { LiveQueue } from './queue.ts'
import { Topic, type TopicOptions } from './topic.ts'

/** How a value is polled. `Raw` is a JSON value. */
interface ValuePollerOptions<Raw, Value> {
  readonly field: string
  readonly pace: Pace
  /** The price of one poll. */
  readonly units: number
  fetch(request: SubgraphRequest): Promise<{
    readonly raw: Raw
    readonly hintMs?: number | undefined
    readonly final?: boolean | undefined
  }>
  /** Equal digests mean equal values. */
  digest(raw: Raw): string
  valueOf(raw: Raw): Value
}

interface Listener {
  readonly requestedMs: number
  nextAt: number
  waiting: boolean
  /** Cancels the timer for a change that came before the subscriber's interval was over. */
  cancelTimer?: (() => void) | undefined
}

const key = 'value'
/** Polls come a little early or late, so a subscriber is served if only this share of its interval is left. */
const early = 0.2

interface Known<Raw, Value> {
  readonly raw: Raw
  readonly digest: string
  readonly event: LiveEvent<Value>
}

export class ValuePoller<Raw, Value> {
  readonly #clock: LiveClock
  readonly topic
  readonly #listeners = new Map<LiveQueue<Value>, Listener>()
  #known: Known<Raw, Value> | undefined

  constructor(topicOptions: TopicOptions, options: ValuePollerOptions<Raw, Value>) {
    this.#clock = topicOptions.host.clock
    const strategy: PollStrategy<{ readonly lacks: boolean }, { readonly raw: Raw }> = {
      field: options.field,
      pace: options.pace,
      want: () => ({ lacks: this.#known === undefined }),
      units: () => options.units,
      poll: async (_, { whole }, request) => {
        const { raw, hintMs, final } = await options.fetch(request)
        for (const [queue, listener] of this.#listeners) this.#serve(queue, listener)
        const same = this.#known !== undefined && this.#known.digest === options.digest(raw)
        return { news: same && !whole ? undefined : { raw }, unchanged: same, hintMs, final }
      },
      take: ({ raw }, older) => {
        if (older && this.#known !== undefined) return
        const digest = options.digest(raw)
        if (this.#known?.digest === digest) return
        this.#known = { raw, digest, event: { value: options.valueOf(raw), key } }
        for (const [queue, listener] of this.#listeners) {
          listener.waiting = true
          this.#serve(queue, listener)
        }
      },
      lacking: ({ lacks }) => (lacks && this.#known !== undefined ? { raw: this.#known.raw } : undefined),
      isMissing: () => this.#known === undefined,
    }
    this.topic = new Topic<Value, { readonly lacks: boolean }, { readonly raw: Raw }>(topicOptions, strategy)
  }

  /** Rejects if the budget does not allow the subscription. */
  price(requestedMs: number | undefined): Promise<LivePrice> {
    return this.topic.price(requestedMs)
  }

  /** Adds a subscriber. One that requests an interval gets no events more often. */
  subscribe(
    requestedMs: number | undefined,
    request: SubgraphRequest,
    first: Readonly<Record<string, unknown>>,
  ): LiveQueue<Value> {
    const queue = new LiveQueue<Value>(this, first)
    const listener: Listener = {
      requestedMs: requestedMs ?? 0,
      nextAt: 0,
      waiting: this.#known !== undefined,
    }
    this.#listeners.set(queue, listener)
    this.#serve(queue, listener)
    this.topic.add(queue, request, requestedMs)
    return queue
  }

  left(queue: LiveQueue<Value>): void {
    this.#listeners.get(queue)?.cancelTimer?.()
    this.#listeners.delete(queue)
    this.topic.remove(queue)
  }

  #serve(queue: LiveQueue<Value>, listener: Listener): void {
    const now = this.#clock.now()
    if (!listener.waiting || this.#known === undefined) return
    const left = listener.nextAt - now
    // It is never longer than the interval, unless the clock was set back.
    if (left > 0 && left <= listener.requestedMs) {
      // If another process polls, nothing arrives here until the value changes again, so a timer delivers this
      // change.
      listener.cancelTimer ??= this.#clock.after(left, () => {
        listener.cancelTimer = undefined
        this.#serve(queue, listener)
      })
      return
    }
    listener.cancelTimer?.()
    listener.cancelTimer = undefined
    listener.waiting = false
    listener.nextAt = now + listener.requestedMs * (1 - early)
    queue.push(this.#known.event)
  }
}
