/** Outcomes of mutations with idempotency keys over the workers of one machine: the primary keeps them. */
import { tesseraError } from '../../contract/errors.ts'
import type { OutcomeKey, OutcomeStore } from '../http/idempotency/index.ts'
import type { Channel } from './channel.ts'

interface Swap {
  readonly key: OutcomeKey
  readonly expected: string | undefined
  readonly next: string | undefined
  readonly forMs: number
}

/** How long a worker waits for the primary. */
const waitMs = 1000

export function createWorkerOutcomes(channel: Channel): OutcomeStore {
  async function ask(what: string, body: unknown): Promise<unknown> {
    try {
      return await channel.ask(what, body, waitMs)
    } catch (cause) {
      throw tesseraError('IDEMPOTENCY_UNAVAILABLE', 'The outcomes of mutations cannot be reached now.', {
        retryAfter: 1,
        cause,
      })
    }
  }

  return {
    async swap(key, expected, next, forMs) {
      const answer = await ask('outcome.swap', { key, expected, next, forMs } satisfies Swap)
      const { before, full } = answer as { readonly before?: string; readonly full?: boolean }
      if (full === true)
        throw tesseraError(
          'IDEMPOTENCY_UNAVAILABLE',
          'Too many idempotency keys are kept; nothing was done.',
          {
            retryAfter: 60,
          },
        )
      return before
    },
    async now() {
      return (await ask('outcome.now', undefined)) as number
    },
    close() {},
  }
}

export function serveOutcomes(channel: Channel, store: OutcomeStore): void {
  channel.onAsk('outcome.now', () => store.now())
  channel.onAsk('outcome.swap', async (body) => {
    const { key, expected, next, forMs } = body as Swap
    try {
      return { before: await store.swap(key, expected, next, forMs) }
    } catch {
      return { full: true }
    }
  })
}
