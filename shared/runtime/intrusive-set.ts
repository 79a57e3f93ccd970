/**
 * A set of items that are added and removed constantly. It is intrusive: each item has its own index in the array of the
 * set, and the last item takes the index of a removed one.
 *
 * A Set with as many additions and removals as a server has requests leaves outgrown hash tables behind. Tables in
 * the old space keep everything that came later from being collected young.
 */

export interface SetItem {
  /** The index in the set, or `notInSet`. The set maintains it, so an item can be in only one. */
  setIndex: number
}

export const notInSet = -1

export class IntrusiveSet<Item extends SetItem> {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: Item): void {
    if (item.setIndex === notInSet) item.setIndex = this.#items.push(item) - 1
  }

  /** Does nothing if the item is not in the set. */
  delete(item: Item): void {
    const { setIndex } = item
    if (setIndex === notInSet) return
    item.setIndex = notInSet
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#items[setIndex] = last
    last.setIndex = setIndex
  }

  /** The current items, in no particular order. */
  items(): Item[] {
    return [...this.#items]
  }
}
