/**
 * Records which of a sender's increasing numbers were seen: one bit for each of the last million. Numbers may arrive
 * out of order. A number older than the window counts as seen.
 */
export class ReplayWindow {
  readonly #size: number
  /** A ring buffer. The bit of a number is at its remainder by the window's size. */
  readonly #bits: Uint32Array
  #highest = 0

  /** `size` must be a multiple of 32. */
  constructor(size = 2 ** 20) {
    this.#size = size
    this.#bits = new Uint32Array(size / 32)
  }

  /** Whether `number`, an integer from 1, is seen for the first time. It is marked as seen. */
  take(number: number): boolean {
    if (number > this.#highest) {
      if (number - this.#highest >= this.#size) this.#bits.fill(0)
      else for (let next = this.#highest + 1; next < number; next++) this.#set(next, false)
      this.#highest = number
      this.#set(number, true)
      return true
    }
    if (number <= this.#highest - this.#size || this.#has(number)) return false
    this.#set(number, true)
    return true
  }

  #has(number: number): boolean {
    const at = number % this.#size
    return ((this.#bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0
  }

  #set(number: number, seen: boolean): void {
    const at = number % this.#size
    const word = this.#bits[at >>> 5] ?? 0
    this.#bits[at >>> 5] = seen ? word | (1 << (at & 31)) : word & ~(1 << (at & 31))
  }
}
