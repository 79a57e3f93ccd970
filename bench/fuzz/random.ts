/** Random numbers from a seed. The same seed gives the same numbers. */

export interface Random {
  /** A whole number from 0 up to `below`, which is excluded. */
  below(below: number): number
  /** One of the items, of which there is at least one. */
  one<Item>(items: ArrayLike<Item>): Item
}

/** The algorithm is Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return { below, one: (items) => items[below(items.length)] as never }
}
