/**
 * Limits concurrent calls to a service. Further calls wait in a bounded queue until their deadline. If the queue is
 * full, calls are refused immediately.
 *
 * The queue is fair between askers, which are requests by default. Askers take turns, so one with thousands of calls
 * delays another by one call. If the queue is full, the newest call of the asker with the most calls makes room for
 * an asker with fewer.
 */
import { getOrInsert } from '../runtime/maps.ts'
import { type Cancellation, type CancelReason, waitFor } from './cancellation.ts'

/** How waiting for a slot ended. `full`: the queue is full. `shut`: the circuit breaker opened. */
export type SlotResult = 'acquired' | 'full' | 'shut' | CancelReason

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

type End = (result: SlotResult) => void

export function createConcurrencyLimit(concurrency: number, capacity: number) {
  let active = 0
  let waiting = 0
  /** The waiting calls by asker. The first asker is next. */
  const queues = new Map<unknown, Set<End>>()

  function remove(asker: unknown, end: End): void {
    const queue = queues.get(asker)
    if (queue?.delete(end) !== true) return
    waiting -= 1
    if (queue.size === 0) queues.delete(asker)
  }

  /** Makes room in a full queue for a call of an asker that has `own` calls in it. False if its share is used up. */
  function makeRoom(own: number): boolean {
    let longest: Set<End> | undefined
    for (const queue of queues.values()) if (queue.size > (longest?.size ?? 0)) longest = queue
    if (longest === undefined || longest.size <= own + 1) return false
    const newest = [...longest].at(-1)
    newest?.('full')
    return newest !== undefined
  }

  return {
    get active() {
      return active
    },
    get waiting() {
      return waiting
    },
    /** Takes a free slot. It must be released afterwards. */
    acquire(): boolean {
      if (active >= concurrency) return false
      active += 1
      return true
    },
    /** Waits for a slot in the turn of `asker`. */
    wait(deadline: number, request: Cancellation, asker: unknown = request): Promise<SlotResult> {
      if (waiting >= capacity && !makeRoom(queues.get(asker)?.size ?? 0)) return Promise.resolve('full')
      return new Promise((resolve) => {
        let waitingFor: { over(): void } | undefined
        const end: End = (result) => {
          remove(asker, end)
          waitingFor?.over()
          resolve(result)
        }
        getOrInsert(queues, asker, () => new Set()).add(end)
        waiting += 1
        // Ends synchronously if the request is cancelled already.
        waitingFor = waitFor(deadline, request, end)
      })
    },
    release(): void {
      // The slot goes directly to the next call, so that no new call can take it.
      for (const [asker, queue] of queues) {
        queues.delete(asker)
        queues.set(asker, queue)
        for (const end of queue) {
          end('acquired')
          return
        }
      }
      active -= 1
    },
    /** Refuses all waiting calls. */
    shut(): void {
      for (const queue of [...queues.values()]) for (const end of [...queue]) end('shut')
    },
  }
}
