/**
 * Work that waits for its turn, fairly by its owner: one owner after the other, so that somebody with a thousand
 * requests does not keep others waiting. The waiting work is bounded in number and time (`shared/http/concurrency.ts`).
 */
import { notCancelled } from '../../../shared/http/cancellation.ts'
import { createConcurrencyLimit } from '../../../shared/http/concurrency.ts'

interface TurnsOptions {
  /** The most that run at a time. */
  readonly running: number
  /** The most that wait. */
  readonly waiting: number
  readonly waitMs: number
  /** The error of work that gets no turn. */
  readonly refused: () => Error
}

export function createTurns({ running, waiting, waitMs, refused }: TurnsOptions) {
  const limit = createConcurrencyLimit(running, waiting)
  return {
    async run<T>(asker: string, work: () => Promise<T>): Promise<T> {
      if (!limit.acquire()) {
        const turn = await limit.wait(performance.now() + waitMs, notCancelled, asker)
        if (turn !== 'acquired') throw refused()
      }
      try {
        return await work()
      } finally {
        limit.release()
      }
    },
    /** Refuses all waiting work. */
    close: () => limit.shut(),
  }
}
