/**
 * The events that wait for one subscriber. Gauges are conflated: only the newest event of each key waits. Lists are
 * bounded: if too many events wait, the subscription ends with a reason. The current state is not copied for each
 * subscriber, but read event by event as the subscriber asks for it.
 */
import { tesseraError } from '../../../shared/errors.ts'
import type { LiveEvent } from '../../../shared/polling.ts'

/** How many events of lists may wait for one subscriber. */
const mostListed = 1000

type Asking<T> = PromiseWithResolvers<IteratorResult<LiveEvent<T>, undefined>>

const done: IteratorReturnResult<undefined> = { value: undefined, done: true }

interface QueueOwner<T> {
  /** Called once, when either side has ended the subscription. */
  left(queue: LiveQueue<T>): void
}

/** One for each subscriber, so it allocates nothing until events wait. */
export class LiveQueue<T> implements AsyncIterableIterator<LiveEvent<T>, undefined> {
  #state: Iterator<LiveEvent<T>> | undefined
  #gauges: Map<string, LiveEvent<T>> | undefined
  #list: LiveEvent<T>[] | undefined
  #asking: Asking<T>[] | undefined
  #end: Error | 'done' | undefined
  #owner: QueueOwner<T> | undefined
  /** Added to the extensions of the first event. */
  #first: Readonly<Record<string, unknown>> | undefined
  /** Whether later subscribers would miss its first events (`LiveEvent.own`). */
  readonly #own: boolean

  constructor(owner: QueueOwner<T>, first: Readonly<Record<string, unknown>>, own: boolean = false) {
    this.#owner = owner
    this.#first = first
    this.#own = own
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** The current state is delivered before everything else, and read on demand. */
  start(state: Iterator<LiveEvent<T>>): void {
    this.#state = state
    while (this.#asking !== undefined && this.#asking.length > 0) {
      const event = this.#take()
      if (event === undefined) return
      this.#asking.shift()?.resolve({ value: event, done: false })
    }
  }

  push(event: LiveEvent<T>): void {
    if (this.#end !== undefined) return
    const asking = this.#asking?.shift()
    if (asking !== undefined) {
      asking.resolve({ value: this.#withFirst(event), done: false })
      return
    }
    if (event.key !== undefined) {
      this.#gauges ??= new Map()
      this.#gauges.set(event.key, event)
      return
    }
    this.#list ??= []
    if (this.#list.length >= mostListed) {
      this.end(
        tesseraError(
          'SUBSCRIPTION_TOO_SLOW',
          `More than ${mostListed} events wait for this subscription: subscribe again after the last one.`,
        ),
      )
      return
    }
    this.#list.push(event)
  }

  /** Events that wait are still delivered. Then the subscription ends, with the error if it is one. */
  end(end: Error | 'done'): void {
    if (this.#end !== undefined) return
    this.#end = end
    const owner = this.#owner
    this.#owner = undefined
    owner?.left(this)
    const asking = this.#asking ?? []
    this.#asking = undefined
    const [first, ...others] = asking
    if (first === undefined) return
    this.#end = 'done'
    if (end === 'done') first.resolve(done)
    else first.reject(end)
    for (const other of others) other.resolve(done)
  }

  async next(): Promise<IteratorResult<LiveEvent<T>, undefined>> {
    const event = this.#take()
    if (event !== undefined) return { value: event, done: false }
    if (this.#end !== undefined) {
      const end = this.#end
      this.#end = 'done'
      if (end === 'done') return done
      throw end
    }
    const asking: Asking<T> = Promise.withResolvers()
    this.#asking ??= []
    this.#asking.push(asking)
    return asking.promise
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#state = undefined
    this.#gauges = undefined
    this.#list = undefined
    this.end('done')
    return done
  }

  #take(): LiveEvent<T> | undefined {
    const next = this.#state?.next()
    if (next?.done === true) this.#state = undefined
    else if (next !== undefined) {
      // The state is newer than events of the same key that wait.
      if (next.value.key !== undefined) this.#gauges?.delete(next.value.key)
      return this.#withFirst(next.value)
    }
    const listed = this.#list?.shift()
    if (listed !== undefined) return this.#withFirst(listed)
    for (const [key, event] of this.#gauges ?? []) {
      this.#gauges?.delete(key)
      return this.#withFirst(event)
    }
    return undefined
  }

  #withFirst(event: LiveEvent<T>): LiveEvent<T> {
    const first = this.#first
    if (first === undefined) return event
    this.#first = undefined
    const extensions = { ...event.extensions, ...first }
    return this.#own ? { ...event, extensions, own: true } : { ...event, extensions }
  }
}
