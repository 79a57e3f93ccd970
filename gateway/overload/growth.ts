/**
 * Whether requests come faster than they leave: for 100 ms, and until now, there were more and more of them than at any
 * time since the queue was last empty. Clients that all begin at once, and then each wait for an answer before they ask
 * again, are no growth, however slowly they are answered: there are never more requests than clients.
 */

/** Growth is seen in so many looks at least, and is over when none has found more than ever for as long as that takes. */
const leastLooks = 3
const leastMs = 100
/** The most that there were is forgotten after one to two times as long, although the queue was never empty. */
const rememberedMs = 10_000

export class Growth {
  /** The most since the last look, in this time, and in the time before. */
  #peak = 0
  #most = 0
  #mostBefore = 0
  #rememberedSince = 0
  #looks = 0
  #since = 0
  #lastAt = 0

  /** So many requests are here, waiting or under way. */
  note(count: number): void {
    if (count > this.#peak) this.#peak = count
  }

  /** To be called again and again; `sinceMs` is the time since the call before. */
  look(now: number, sinceMs: number, count: number, isEmpty: boolean): boolean {
    const peak = this.#peak
    this.#peak = count
    if (now - this.#rememberedSince > rememberedMs) {
      this.#mostBefore = this.#most
      this.#most = 0
      this.#rememberedSince = now
    }
    // What comes while the loop is held up is not seen to come.
    if (now - this.#lastAt > leastMs + sinceMs) this.#looks = 0
    if (peak > Math.max(this.#most, this.#mostBefore)) {
      if (this.#looks === 0) this.#since = now
      this.#looks += 1
      this.#lastAt = now
      this.#most = peak
    }
    if (isEmpty) {
      this.#most = 0
      this.#mostBefore = 0
      this.#looks = 0
    }
    return this.#looks >= leastLooks && now - this.#since >= leastMs
  }
}
