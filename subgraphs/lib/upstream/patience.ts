/** How long somebody waits: until a deadline, or until they go away. Every wait of the upstream client ends by it. */
import { asError } from '../errors.ts'

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
    let done = false
    const settle = (finish: () => void): void => {
      if (done) return
      done = true
      clearTimeout(timer)
      stop()
      finish()
    }
    const timer = setTimeout(
      () => settle(() => reject(new GaveUp('timeout'))),
      Math.max(0, Math.ceil(deadline - performance.now())),
    )
    let stop = (): void => {}
    if (patience.cancelled) {
      settle(() => reject(new GaveUp(whyCancelled(patience))))
    } else {
      stop = patience.onCancel(() => settle(() => reject(new GaveUp(whyCancelled(patience)))))
    }
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(asError(error))),
    )
  })
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
