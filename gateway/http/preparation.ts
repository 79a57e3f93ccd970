/**
 * Lets new operations be prepared one at a turn of the event loop, so that requests for known ones go on in between.
 * A preparation waits in line until its request's deadline; beyond a bounded number none is taken on, and the caller
 * is asked to come back. Whatever is heavy and made for a new operation goes through here: parsing, validation,
 * authorization, planning.
 */
import { tesseraError } from '../../contract/errors.ts'

export interface Preparations {
  /**
   * Does the work at once where nothing else was prepared in this turn of the event loop, else when it is its turn.
   * Throws or rejects with `SERVICE_BUSY` where that would be too late. The deadline is in the time of
   * `performance.now()`.
   */
  run<Made>(deadline: number | undefined, work: () => Made): Made | Promise<Made>
}

interface Waiting {
  readonly deadline: number
  start(): void
  refuse(): void
}

export function createPreparations(mostWaiting: number): Preparations {
  const queue: Waiting[] = []
  /** Whether something was prepared in this turn of the event loop. */
  let isTaken = false
  /** Whether the code that runs now is a preparation: what it begins is part of it. */
  let isWithin = false
  /** Of one preparation, in the mean of the last ones. */
  let milliseconds = 1

  const busy = () =>
    tesseraError('SERVICE_BUSY', 'More new operations arrive than can be prepared now.', {
      retryAfter: Math.max(1, Math.ceil((queue.length * milliseconds) / 1000)),
    })

  const perform = <Made>(work: () => Made): Made => {
    if (!isTaken) setImmediate(nextTurn)
    isTaken = true
    isWithin = true
    const started = performance.now()
    try {
      return work()
    } finally {
      isWithin = false
      milliseconds += (performance.now() - started - milliseconds) / 8
    }
  }
  const nextTurn = (): void => {
    isTaken = false
    for (let waiting = queue.shift(); waiting !== undefined; waiting = queue.shift()) {
      if (performance.now() < waiting.deadline) {
        waiting.start()
        return
      }
      waiting.refuse()
    }
  }

  return {
    run(deadline = Number.POSITIVE_INFINITY, work) {
      if (isWithin) return work()
      if (!isTaken && queue.length === 0) return perform(work)
      if (queue.length >= mostWaiting) throw busy()
      return new Promise((resolve, reject) => {
        queue.push({
          deadline,
          refuse: () => reject(busy()),
          start() {
            try {
              resolve(perform(work))
            } catch (error) {
              reject(error)
            }
          },
        })
      })
    },
  }
}
