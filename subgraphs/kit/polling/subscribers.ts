/**
 * The subscribers of a topic in this process, the intervals for which they wish, and the request whose credential a
 * poll uses.
 */
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { LiveQueue } from './queue.ts'

interface Subscriber {
  readonly request: SubgraphRequest
  readonly wishMs: number | undefined
}

export class TopicSubscribers<T> {
  readonly #all = new Map<LiveQueue<T>, Subscriber>()
  /** How many subscribers have each wish. */
  readonly #wishes = new Map<number, number>()
  #caller: SubgraphRequest | undefined

  get size(): number {
    return this.#all.size
  }

  /** The request whose credential the next poll uses. Its caller is still subscribed. */
  get caller(): SubgraphRequest | undefined {
    return this.#caller
  }

  add(queue: LiveQueue<T>, request: SubgraphRequest, wishMs: number | undefined): void {
    this.#all.set(queue, { request, wishMs })
    this.#caller = request
    if (wishMs !== undefined) this.#wishes.set(wishMs, (this.#wishes.get(wishMs) ?? 0) + 1)
  }

  /** Returns false if it was not subscribed. */
  remove(queue: LiveQueue<T>): boolean {
    const subscriber = this.#all.get(queue)
    if (subscriber === undefined) return false
    this.#all.delete(queue)
    const { request, wishMs } = subscriber
    if (wishMs !== undefined) {
      const left = (this.#wishes.get(wishMs) ?? 0) - 1
      if (left > 0) this.#wishes.set(wishMs, left)
      else this.#wishes.delete(wishMs)
    }
    if (this.#caller === request) this.#caller = this.#all.values().next().value?.request
    return true
  }

  /**
   * The shortest interval for which a subscriber wishes, in milliseconds. A subscriber without a wish wants the
   * usual one.
   */
  wishMs(defaultMs: number): number | undefined {
    let least: number | undefined
    let named = 0
    for (const [wish, count] of this.#wishes) {
      named += count
      least = Math.min(least ?? wish, wish)
    }
    if (least === undefined) return undefined
    return named < this.#all.size && defaultMs < least ? undefined : least
  }

  /** Ends every subscription. */
  end(reason: 'done' | Error): void {
    for (const queue of [...this.#all.keys()]) queue.end(reason)
  }
}
