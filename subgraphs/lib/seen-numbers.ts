/**
 * Which numbers of one sender, who counts upwards, were seen: a bit for each of the last million. They need not
 * come in order; of one so far behind that it is not known any more, the answer is that it was seen.
 */
export class SeenNumbers {
  readonly #kept: number
  /** A ring; the bit of a number is at its remainder by `kept`. */
  readonly #bits: Uint32Array
  #highest = 0

  /** `kept` is a multiple of 32. */
  constructor(kept = 2 ** 20) {
    this.#kept = kept
    this.#bits = new Uint32Array(kept / 32)
  }

  /** Whether `number`, a whole one from 1 up, is seen for the first time; from now on it is seen. */
  take(number: number): boolean {
    if (number > this.#highest) {
      if (number - this.#highest >= this.#kept) this.#bits.fill(0)
      else for (let next = this.#highest + 1; next < number; next++) this.#set(next, false)
      this.#highest = number
      this.#set(number, true)
      return true
    }
    if (number <= this.#highest - this.#kept || this.#has(number)) return false
    this.#set(number, true)
    return true
  }

  #has(number: number): boolean {
    const at = number % this.#kept
    return ((this.#bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0
  }

  #set(number: number, seen: boolean): void {
    const at = number % this.#kept
    const word = this.#bits[at >>> 5] ?? 0
    this.#bits[at >>> 5] = seen ? word | (1 << (at & 31)) : word & ~(1 << (at & 31))
  }
}
