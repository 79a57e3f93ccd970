/**
 * How many calls are sent to a service at the same time. Further calls wait in a bounded queue, no longer than their
 * deadline; where the queue is full, calls are refused at once.
 *
 * The queue is fair between requests: requests take turns, so that one which makes thousands of calls delays another
 * by one call and not by all of its own; and where the queue is full, the newest call of the request that has most
 * in it gives way to a request that has fewer.
 */
import { type Cancellation, type CancelReason, waitFor } from './cancellation.ts'

/** How waiting for a slot ended. `full`: refused by the bound of the queue; `shut`: by the circuit breaker. */
export type SlotResult = 'acquired' | 'full' | 'shut' | CancelReason

export interface ConcurrencyLimit {
  readonly active: number
  readonly waiting: number
  /** Takes a slot that is free; `release` it afterwards. */
  acquire(): boolean
  /** Waits for a slot on behalf of a request. */
  wait(deadline: number, request: Cancellation): Promise<SlotResult>
  release(): void
  /** Refuses every call that waits. */
  shut(): void
}

type End = (result: SlotResult) => void

export function createConcurrencyLimit(concurrency: number, capacity: number): ConcurrencyLimit {
  let active = 0
  let waiting = 0
  /** The calls that wait, by request. The first request is the one whose turn is next. */
  const queues = new Map<Cancellation, Set<End>>()

  function remove(request: Cancellation, end: End): void {
    const queue = queues.get(request)
    if (queue?.delete(end) !== true) return
    waiting -= 1
    if (queue.size === 0) queues.delete(request)
  }

  /** Makes room in a full queue for one more call of a request that has `own` in it; false where its share is used up. */
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
    acquire() {
      if (active >= concurrency) return false
      active += 1
      return true
    },
    wait(deadline, request) {
      if (waiting >= capacity && !makeRoom(queues.get(request)?.size ?? 0)) return Promise.resolve('full')
      return new Promise((resolve) => {
        let waitingFor: { over(): void } | undefined
        const end: End = (result) => {
          remove(request, end)
          waitingFor?.over()
          resolve(result)
        }
        const queue = queues.get(request)
        if (queue === undefined) queues.set(request, new Set([end]))
        else queue.add(end)
        waiting += 1
        // Ends within this call where the request is cancelled already.
        waitingFor = waitFor(deadline, request, end)
      })
    },
    release() {
      // The slot is handed to the next call directly: no call that arrives meanwhile can take it.
      for (const [request, queue] of queues) {
        queues.delete(request)
        queues.set(request, queue)
        for (const end of queue) {
          end('acquired')
          return
        }
      }
      active -= 1
    },
    shut() {
      for (const queue of [...queues.values()]) for (const end of [...queue]) end('shut')
    },
  }
}
