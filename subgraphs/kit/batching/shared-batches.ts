/**
 * Lookups of different requests with the same upstream credential, sent together. Nothing crosses from one credential
 * to another, and nothing is kept of a batch that has been answered. docs/scaling.md says how long a batch waits for
 * more lookups.
 */
import type { SubgraphRequest } from '../../../shared/request.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'

/** How lookups of different requests share calls. */
export interface Sharing {
  /** The longest time that a lookup waits for others, in milliseconds. The default is 50. */
  readonly mostWaitMs?: number | undefined
  /** How much of the service's budget is spent, from 0 to 1. The default is 0. */
  readonly spent?: ((credentialKey: string) => number) | undefined
}

/** Fetches all keys; it says what it found in its own way. */
type FetchKeys<Key> = (keys: readonly Key[]) => Promise<void>

/** How many credentials are kept while idle; forwarded credentials are as many as there are callers. */
const keptCredentials = 1000

export class SharedBatches<Key> {
  readonly #fetch: FetchKeys<Key>
  readonly #window: BatchWindow
  readonly #spent: (credentialKey: string) => number
  readonly #ofCredential = createGrowingCache<CredentialBatches<Key>>(keptCredentials)

  constructor(fetch: FetchKeys<Key>, { mostWaitMs = 50, spent = () => 0 }: Sharing = {}) {
    this.#fetch = fetch
    this.#window = new BatchWindow(mostWaitMs)
    this.#spent = spent
  }

  /** Resolves when the batch that the keys are put into has been fetched; rejects if `fetch` does. */
  load(keys: readonly Key[], request: SubgraphRequest, credentialKey: string): Promise<void> {
    // It may be answered from the cache alone: in a shared batch other requests would pay for it.
    if (request.cacheOnly === true) return this.#fetch(keys)
    let batches = this.#ofCredential.get(credentialKey)
    if (batches === undefined) {
      batches = new CredentialBatches(this.#fetch, this.#window, () => this.#spent(credentialKey))
      this.#ofCredential.set(credentialKey, batches)
    }
    return batches.add(keys)
  }
}

interface OpenBatch<Key> {
  readonly keys: Key[]
  readonly answer: PromiseWithResolvers<void>
  readonly timer: NodeJS.Timeout | undefined
}

/** The batches of one credential: at most one is open, any number are under way. */
class CredentialBatches<Key> {
  readonly #fetch: FetchKeys<Key>
  readonly #window: BatchWindow
  readonly #spent: () => number
  /** The earliest first. */
  readonly #underWay = new Set<{ readonly sentAt: number }>()
  #open: OpenBatch<Key> | undefined

  constructor(fetch: FetchKeys<Key>, window: BatchWindow, spent: () => number) {
    this.#fetch = fetch
    this.#window = window
    this.#spent = spent
  }

  add(keys: readonly Key[]): Promise<void> {
    this.#open ??= {
      keys: [],
      answer: Promise.withResolvers(),
      timer: this.#schedule(),
    }
    const { keys: all, answer } = this.#open
    for (const key of keys) all.push(key)
    return answer.promise
  }

  /** `setImmediate` lets requests meet that were read from their sockets in the same turn. */
  #schedule(): NodeJS.Timeout | undefined {
    if (this.#underWay.size > 0)
      return setTimeout(this.#send, this.#window.wait(this.#spent(), this.#underWay))
    setImmediate(this.#send)
    return undefined
  }

  readonly #send = (): void => {
    if (this.#open === undefined) return
    const { keys, answer, timer } = this.#open
    this.#open = undefined
    clearTimeout(timer)
    const batch = { sentAt: performance.now() }
    this.#underWay.add(batch)
    const answered = (): void => {
      this.#underWay.delete(batch)
      this.#window.answered(batch.sentAt)
      if (this.#underWay.size === 0 && this.#open !== undefined) setImmediate(this.#send)
    }
    this.#fetch(keys).finally(answered).then(answer.resolve, answer.reject)
  }
}

/** The share of the median time of a batch. A larger one saves no more calls (`npm run bench -- --distance`). */
const shareOfMedian = 0.2
/** The least wait, in milliseconds, for services so near that they answer before it is over. */
const leastMs = 4
/** How many batches the median is taken of. */
const remembered = 15
/** From this part of the budget on the window grows … */
const lowFrom = 0.5
/** … up to this factor when nothing is left. */
const lowFactor = 5

/** Times are those of `performance.now()`, in milliseconds. */
export class BatchWindow {
  readonly #mostMs: number
  readonly #last: number[] = []
  #next = 0
  #median = 0

  constructor(mostMs: number) {
    this.#mostMs = mostMs
  }

  /** A batch that was sent at `sentAt` has been answered. */
  answered(sentAt: number): void {
    this.#last[this.#next] = performance.now() - sentAt
    this.#next = (this.#next + 1) % remembered
    this.#median = [...this.#last].sort((a, b) => a - b)[this.#last.length >>> 1] ?? 0
  }

  /** How long to wait. `spent` is the part of the budget that is gone; `underWay` are the batches, the earliest first. */
  wait(spent: number, underWay: Iterable<{ readonly sentAt: number }>): number {
    const low = Math.max(0, (Math.min(1, spent) - lowFrom) / (1 - lowFrom))
    const usual = Math.max(leastMs, this.#median * shareOfMedian)
    const most = Math.min(this.#mostMs, usual * (1 + low * (lowFactor - 1)))
    // If little is left, a unit is worth more than a millisecond.
    if (low > 0) return most
    const now = performance.now()
    let until = 0
    for (const { sentAt } of underWay) {
      const due = sentAt + this.#median - now
      if (due > most) break
      until = Math.max(until, due)
    }
    return Math.min(most, until + leastMs)
  }
}
