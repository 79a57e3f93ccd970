/**
 * A collection for items that are added and removed constantly. Each item knows its index in an array, and the last
 * item moves into the place of a removed one.
 *
 * A Set with as many additions and removals as a server has requests leaves outgrown hash tables behind. Tables in
 * the old space keep everything that came later from being collected young.
 */

export interface Bagged {
  /** The index in the bag, or `notInBag`. The bag maintains it, so an item can be in only one bag. */
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

  /** The current items, in no particular order. */
  items(): Item[] {
    return [...this.#items]
  }
}
