/** Gauges of one value: the value is polled as a whole, and sent when it changed. */
import type { LiveEvent, LivePrice } from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { Pace } from './interval.ts'
import type { Question } from './question.ts'
import { LiveQueue } from './queue.ts'
import { createTopic, type TopicHost } from './topic.ts'

/** How a value is polled. `Raw` is a JSON value. */
export interface GaugeOptions<Raw, Value> {
  /** Identifies the question in all processes. */
  readonly name: string
  /** The field of `Subscription` that uses it. */
  readonly field: string
  readonly credentialKey: string
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

export interface Gauge<Value> {
  /** Keeps the poller alive while somebody is about to subscribe. Call the result to release it. */
  hold(): () => void
  /** Rejects if the budget does not allow the subscription. */
  price(wishMs: number | undefined): Promise<LivePrice>
  /** Adds a subscriber. One that wishes for an interval gets no events more often. */
  subscribe(
    request: SubgraphRequest,
    wishMs: number | undefined,
    first: Readonly<Record<string, unknown>>,
  ): LiveQueue<Value>
  close(): void
}

interface Listener {
  readonly wishMs: number
  nextAt: number
  waiting: boolean
  /** Cancels the timer for a change that came before the subscriber's interval was over. */
  cancelTimer?: (() => void) | undefined
}

const key = 'value'
/** Polls come a little early or late, so a subscriber is served if only this share of its interval is left. */
const early = 0.2

/** `ended` is called when the last subscriber has left. */
export function createGauge<Raw, Value>(
  host: TopicHost,
  options: GaugeOptions<Raw, Value>,
  ended: () => void,
): Gauge<Value> {
  const listeners = new Map<LiveQueue<Value>, Listener>()
  let known: { readonly raw: Raw; readonly digest: string; readonly event: LiveEvent<Value> } | undefined

  function serve(queue: LiveQueue<Value>, listener: Listener): void {
    const now = host.clock.now()
    if (!listener.waiting || known === undefined) return
    if (now < listener.nextAt) {
      // If another process polls, nothing arrives here until the value changes again, so a timer delivers this
      // change.
      listener.cancelTimer ??= host.clock.after(listener.nextAt - now, () => {
        listener.cancelTimer = undefined
        serve(queue, listener)
      })
      return
    }
    listener.cancelTimer?.()
    listener.cancelTimer = undefined
    listener.waiting = false
    listener.nextAt = now + listener.wishMs * (1 - early)
    queue.push(known.event)
  }

  const question: Question<{ readonly lacks: boolean }, { readonly raw: Raw }> = {
    key: options.name,
    field: options.field,
    credentialKey: options.credentialKey,
    pace: options.pace,
    want: () => ({ lacks: known === undefined }),
    units: () => options.units,
    async poll(_, { whole }, request) {
      const { raw, hintMs, final } = await options.fetch(request)
      for (const [queue, listener] of listeners) serve(queue, listener)
      const same = known !== undefined && known.digest === options.digest(raw)
      return { news: same && !whole ? undefined : { raw }, unchanged: same, hintMs, final }
    },
    take({ raw }, older) {
      if (older && known !== undefined) return
      const digest = options.digest(raw)
      if (known?.digest === digest) return
      known = { raw, digest, event: { value: options.valueOf(raw), key } }
      for (const [queue, listener] of listeners) {
        listener.waiting = true
        serve(queue, listener)
      }
    },
    lacking: ({ lacks }) => (lacks && known !== undefined ? { raw: known.raw } : undefined),
    isMissing: () => known === undefined,
  }
  const topic = createTopic<Value, { readonly lacks: boolean }, { readonly raw: Raw }>(host, question, ended)

  return {
    price: (wishMs) => topic.price(options.units, wishMs),
    subscribe(request, wishMs, first) {
      const queue: LiveQueue<Value> = new LiveQueue((left) => {
        listeners.get(left)?.cancelTimer?.()
        listeners.delete(left)
        topic.remove(left)
      }, first)
      const listener: Listener = { wishMs: wishMs ?? 0, nextAt: 0, waiting: known !== undefined }
      listeners.set(queue, listener)
      serve(queue, listener)
      topic.add(queue, request, wishMs)
      return queue
    },
    hold: () => topic.hold(),
    close: () => topic.close(),
  }
}
