/**
 * The subscribers of a topic in this process, the intervals that they request, and the request whose credential a poll
 * uses.
 */
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { LiveQueue } from './queue.ts'

interface Subscriber {
  readonly request: SubgraphRequest
  readonly requestedMs: number | undefined
}

export class TopicSubscribers<T> {
  readonly #all = new Map<LiveQueue<T>, Subscriber>()
  /** How many subscribers request each interval. */
  readonly #requested = new Map<number, number>()
  #caller: SubgraphRequest | undefined

  get size(): number {
    return this.#all.size
  }

  /** The request whose credential the next poll uses. Its caller is still subscribed. */
  get caller(): SubgraphRequest | undefined {
    return this.#caller
  }

  add(queue: LiveQueue<T>, request: SubgraphRequest, requestedMs: number | undefined): void {
    this.#all.set(queue, { request, requestedMs })
    this.#caller = request
    if (requestedMs !== undefined)
      this.#requested.set(requestedMs, (this.#requested.get(requestedMs) ?? 0) + 1)
  }

  /** Returns false if it was not subscribed. */
  remove(queue: LiveQueue<T>): boolean {
    const subscriber = this.#all.get(queue)
    if (subscriber === undefined) return false
    this.#all.delete(queue)
    const { request, requestedMs } = subscriber
    if (requestedMs !== undefined) {
      const left = (this.#requested.get(requestedMs) ?? 0) - 1
      if (left > 0) this.#requested.set(requestedMs, left)
      else this.#requested.delete(requestedMs)
    }
    if (this.#caller === request) this.#caller = this.#all.values().next().value?.request
    return true
  }

  /**
   * The shortest interval that a subscriber requests, in milliseconds. A subscriber that requests none gets the
   * usual one.
   */
  requestedMs(defaultMs: number): number | undefined {
    let least: number | undefined
    let requesting = 0
    for (const [interval, count] of this.#requested) {
      requesting += count
      least = Math.min(least ?? interval, interval)
    }
    if (least === undefined) return undefined
    return requesting < this.#all.size && defaultMs < least ? undefined : least
  }

  end(reason: 'done' | Error): void {
    for (const queue of [...this.#all.keys()]) queue.end(reason)
  }
}
