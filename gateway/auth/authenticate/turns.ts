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

/** One client may have a whole network of IPv6 addresses, so those of a /64 are one owner. */
export function askerOf(address: string | undefined): string {
  if (address === undefined || !address.includes(':') || address.includes('.')) return address ?? ''
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(':')
}
