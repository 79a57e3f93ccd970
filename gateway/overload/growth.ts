/**
 * Whether requests come faster than they leave: for 100 ms, and until now, there were more and more of them than at any
 * time since the queue was last empty. Clients that all begin at once, and then each wait for an answer before they ask
 * again, cause no growth, however slowly they are answered: there are never more requests than clients.
 */

/** Growth needs this many observations, and ends when none has found a new maximum for as long. */
const leastLooks = 3
const leastMs = 100
/** The maximum is forgotten after one to two times as long, even if the queue was never empty. */
const rememberedMs = 10_000

export class Growth {
  /** The maximum since the last look, in this period, and in the previous one. */
  #peak = 0
  #most = 0
  #mostBefore = 0
  #rememberedSince = 0
  #looks = 0
  #since = 0
  #lastAt = 0

  /** The number of requests that are here, waiting or under way. */
  note(count: number): void {
    if (count > this.#peak) this.#peak = count
  }

  /** Called repeatedly; `sinceMs` is the time since the previous call. */
  look(now: number, sinceMs: number, count: number, isEmpty: boolean): boolean {
    const peak = this.#peak
    this.#peak = count
    if (now - this.#rememberedSince > rememberedMs) {
      this.#mostBefore = this.#most
      this.#most = 0
      this.#rememberedSince = now
    }
    // Arrivals while the loop is held up are not observed.
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
