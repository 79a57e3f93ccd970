/** Waits that end at a deadline or when the request is cancelled. All waits of the HTTP clients use it. */

import { clearDeadline, type WithDeadline, watchDeadline } from '../runtime/deadlines.ts'
import { notInSet } from '../runtime/intrusive-set.ts'
import { asError } from '../runtime/thrown.ts'

export interface Cancellation {
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number
  readonly cancelled: boolean
  /** Calls `listener` once on cancellation. Returns a function that removes it. */
  onCancel(listener: () => void): () => void
}

/** Never cancelled, and without a deadline. */
export const notCancelled: Cancellation = {
  deadline: Number.POSITIVE_INFINITY,
  cancelled: false,
  onCancel: () => () => {},
}

export function cancelledBy(signal: AbortSignal): Cancellation {
  return {
    deadline: Number.POSITIVE_INFINITY,
    get cancelled() {
      return signal.aborted
    },
    onCancel(listener) {
      signal.addEventListener('abort', listener, { once: true })
      return () => signal.removeEventListener('abort', listener)
    },
  }
}

export type CancelReason = 'timeout' | 'cancelled'

export class CancelledError extends Error {
  readonly why: CancelReason
  constructor(why: CancelReason) {
    super(why)
    this.why = why
  }
}

/** A request is also cancelled at its own deadline: that is a timeout. */
export function cancelReason(cancellation: Cancellation): CancelReason {
  return performance.now() >= cancellation.deadline ? 'timeout' : 'cancelled'
}

/**
 * Waits for `promise`, and rejects with a CancelledError if the wait ends first. The work behind the promise
 * continues.
 */
export function until<T>(promise: Promise<T>, deadline: number, cancellation: Cancellation): Promise<T> {
  return new Promise((resolve, reject) => {
    const waiting = waitFor(deadline, cancellation, (why) => reject(new CancelledError(why)))
    promise.then(
      (value) => {
        waiting.over()
        resolve(value)
      },
      (error: unknown) => {
        waiting.over()
        reject(asError(error))
      },
    )
  })
}

/**
 * Calls `cancel` once at the deadline or on cancellation, unless `over` is called before; immediately if it is too
 * late.
 */
export function waitFor(
  deadline: number,
  cancellation: Cancellation,
  cancel: (why: CancelReason) => void,
): { over(): void } {
  const over = (): void => {
    clearDeadline(waiter)
    stop()
  }
  const end = (why: CancelReason): void => {
    over()
    cancel(why)
  }
  const waiter: WithDeadline = { deadline, setIndex: notInSet, expire: () => end('timeout') }
  let stop = (): void => {}
  if (cancellation.cancelled) cancel(cancelReason(cancellation))
  else {
    watchDeadline(waiter)
    stop = cancellation.onCancel(() => end(cancelReason(cancellation)))
  }
  return { over }
}

/** Resolves after `ms`, or rejects with a CancelledError on cancellation. */
export function pause(ms: number, cancellation: Cancellation): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.over()
      resolve()
    }, Math.ceil(ms))
    const waiting = waitFor(Number.POSITIVE_INFINITY, cancellation, (why) => {
      clearTimeout(timer)
      reject(new CancelledError(why))
    })
  })
}
