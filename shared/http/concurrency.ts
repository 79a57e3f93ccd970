/**
 * How many calls are sent to a service at the same time. Further calls wait in a bounded queue, no longer than their
 * deadline; if the queue is full, calls are refused at once.
 *
 * The queue is fair between askers, which are requests unless something else is named: askers take turns, so that one
 * which makes thousands of calls delays another by one call and not by all of its own. If the queue is full, the newest
 * call of the asker that has most in it gives way to an asker that has fewer.
 */
import { type Cancellation, type CancelReason, waitFor } from './cancellation.ts'

/** How waiting for a slot ended. `full`: refused by the bound of the queue; `shut`: by the circuit breaker. */
export type SlotResult = 'acquired' | 'full' | 'shut' | CancelReason

export interface ConcurrencyLimit {
  readonly active: number
  readonly waiting: number
  /** Takes a slot that is free; `release` it afterwards. */
  acquire(): boolean
  /** Waits for a slot on behalf of a request, in the turn of `asker`: the request itself by default. */
  wait(deadline: number, request: Cancellation, asker?: unknown): Promise<SlotResult>
  release(): void
  /** Refuses every call that waits. */
  shut(): void
}

type End = (result: SlotResult) => void

export function createConcurrencyLimit(concurrency: number, capacity: number): ConcurrencyLimit {
  let active = 0
  let waiting = 0
  /** The calls that wait, by asker. The first asker is the one whose turn is next. */
  const queues = new Map<unknown, Set<End>>()

  function remove(asker: unknown, end: End): void {
    const queue = queues.get(asker)
    if (queue?.delete(end) !== true) return
    waiting -= 1
    if (queue.size === 0) queues.delete(asker)
  }

  /** Makes room in a full queue for one more call of an asker that has `own` in it; false if its share is used up. */
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
    wait(deadline, request, asker = request) {
      if (waiting >= capacity && !makeRoom(queues.get(asker)?.size ?? 0)) return Promise.resolve('full')
      return new Promise((resolve) => {
        let waitingFor: { over(): void } | undefined
        const end: End = (result) => {
          remove(asker, end)
          waitingFor?.over()
          resolve(result)
        }
        const queue = queues.get(asker)
        if (queue === undefined) queues.set(asker, new Set([end]))
        else queue.add(end)
        waiting += 1
        // Ends within this call if the request is cancelled already.
        waitingFor = waitFor(deadline, request, end)
      })
    },
    release() {
      // The slot is handed to the next call directly: no call that arrives meanwhile can take it.
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
    shut() {
      for (const queue of [...queues.values()]) for (const end of [...queue]) end('shut')
    },
  }
}
