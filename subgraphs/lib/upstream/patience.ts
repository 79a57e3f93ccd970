/** How long somebody waits: until a deadline, or until they go away. Every wait of the upstream client ends by it. */
import { nowhere, stopWaiting, type Waiter, wait } from '../deadlines.ts'
import { asError } from '../thrown.ts'

export interface Patience {
  /** In the time of `performance.now()`. */
  readonly deadline: number
  readonly cancelled: boolean
  onCancel(listener: () => void): () => void
}

export type Impatience = 'timeout' | 'cancelled'

/** Why somebody stopped waiting. */
export class GaveUp extends Error {
  readonly why: Impatience
  constructor(why: Impatience) {
    super(why)
    this.why = why
  }
}

/** A request is cancelled by its own deadline, too: that is a timeout. */
export function whyCancelled(patience: Patience): Impatience {
  return performance.now() >= patience.deadline ? 'timeout' : 'cancelled'
}

/** `promise`, or a GaveUp where patience ends first. The promise itself goes on. */
export function until<T>(promise: Promise<T>, deadline: number, patience: Patience): Promise<T> {
  return new Promise((resolve, reject) => {
    const turn = waitFor(deadline, patience, (why) => reject(new GaveUp(why)))
    promise.then(
      (value) => {
        turn.over()
        resolve(value)
      },
      (error: unknown) => {
        turn.over()
        reject(asError(error))
      },
    )
  })
}

/** Calls `giveUp` once, where patience ends before this is `over`; at once where it has ended already. */
export function waitFor(
  deadline: number,
  patience: Patience,
  giveUp: (why: Impatience) => void,
): { over(): void } {
  const over = (): void => {
    stopWaiting(waiter)
    stop()
  }
  const end = (why: Impatience): void => {
    over()
    giveUp(why)
  }
  const waiter: Waiter = { deadline, place: nowhere, expire: () => end('timeout') }
  let stop = (): void => {}
  if (patience.cancelled) giveUp(whyCancelled(patience))
  else {
    wait(waiter)
    stop = patience.onCancel(() => end(whyCancelled(patience)))
  }
  return { over }
}

/** Resolves after `ms`, or rejects with a GaveUp as soon as the patient goes away. */
export function pause(ms: number, patience: Patience): Promise<void> {
  return new Promise((resolve, reject) => {
    if (patience.cancelled) {
      reject(new GaveUp(whyCancelled(patience)))
      return
    }
    const timer = setTimeout(() => {
      stop()
      resolve()
    }, Math.ceil(ms))
    const stop = patience.onCancel(() => {
      clearTimeout(timer)
      reject(new GaveUp(whyCancelled(patience)))
    })
  })
}
