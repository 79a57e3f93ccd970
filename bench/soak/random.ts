/** Random numbers from a seed. The same seed gives the same requests and faults in the same order. */

export interface Random {
  /** From 0 up to 1, which is excluded. */
  next(): number
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  pick<T>(items: readonly T[]): T
  /** Draws by weight. */
  draw<T>(items: readonly { readonly weight: number; readonly item: T }[]): T
}

/** mulberry32: small, and good enough for this. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(items: readonly T[]): T => {
    const item = items[between(0, items.length - 1)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }
  return {
    next,
    between,
    pick,
    draw(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0)
      for (const { weight, item } of items) {
        left -= weight
        if (left < 0) return item
      }
      return pick(items).item
    },
  }
}
