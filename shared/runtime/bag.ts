/**
 * A collection whose items come and go all the time: each keeps its own place in an array, and the last one takes the
 * place of one that is removed.
 *
 * The plain way is a Set. With as many additions and removals as a server has requests, a Set leaves outgrown hash
 * tables behind; those that were promoted to the old space keep everything that came later from being collected young.
 */

export interface Bagged {
  /** Its index in the bag; `notInBag` before and after. Maintained by the bag, so that it can be in one bag at most. */
  place: number
}

export const notInBag = -1

export class Bag<Item extends Bagged> {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: Item): void {
    if (item.place === notInBag) item.place = this.#items.push(item) - 1
  }

  /** Does nothing if the item is not in the bag. */
  delete(item: Item): void {
    const { place } = item
    if (place === notInBag) return
    item.place = notInBag
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#items[place] = last
    last.place = place
  }

  /** Those that are in it now, in no order. */
  items(): Item[] {
    return [...this.#items]
  }
}
