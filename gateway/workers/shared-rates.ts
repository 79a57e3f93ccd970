/** Rate limits over the workers of one machine: the primary keeps the levels, so that taking is one step there. */
import { tesseraError } from '../../contract/errors.ts'
import type { RateStore, Take, Taken } from '../budget/rate/index.ts'
import type { Channel } from './channel.ts'

/** How long a worker waits for the primary. */
const waitMs = 1000

/** The levels as a worker sees them. Where the primary does not answer in time, the operation is refused. */
export function createWorkerRates(channel: Channel): RateStore {
  return {
    async take(takes) {
      try {
        return (await channel.ask('rates.take', takes, waitMs)) as Taken
      } catch {
        throw tesseraError('SERVICE_BUSY', 'The rate limits cannot be reached now.', { retryAfter: 1 })
      }
    },
    async close() {},
  }
}

export function serveRates(channel: Channel, store: RateStore): void {
  channel.onAsk('rates.take', (takes) => store.take(takes as readonly Take[]))
}
