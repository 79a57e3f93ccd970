/**
 * How long a shared batch stays open for more look-ups while other batches are under way. It waits at most a share of the
 * median time that the service takes, so that waiting adds the same proportion to a request wherever the service is. It
 * waits that long only if a batch is expected back within the window, because its requests ask for more then; otherwise
 * it waits a few milliseconds. The window grows when the budget of the service runs low, and never passes a bound.
 */

/** How look-ups of different requests share calls. */
export interface Sharing {
  /** The longest time that a look-up waits for others, in milliseconds. The default is 50. */
  readonly mostWaitMs?: number | undefined
  /** How much of the service's budget is spent, from 0 to 1. The default is 0. */
  readonly spent?: ((credentialKey: string) => number) | undefined
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

  /**
   * How long to wait, in milliseconds. `spent` is the part of the budget that is gone; `sentAt` says when each batch that
   * is under way was sent, the earliest first.
   */
  wait(spent: number, sentAt: Iterable<number>): number {
    const low = Math.max(0, (Math.min(1, spent) - lowFrom) / (1 - lowFrom))
    const usual = Math.max(leastMs, this.#median * shareOfMedian)
    const most = Math.min(this.#mostMs, usual * (1 + low * (lowFactor - 1)))
    // If little is left, a unit is worth more than a millisecond.
    if (low > 0) return most
    const now = performance.now()
    let until = 0
    for (const each of sentAt) {
      const due = each + this.#median - now
      if (due > most) break
      until = Math.max(until, due)
    }
    return Math.min(most, until + leastMs)
  }
}
