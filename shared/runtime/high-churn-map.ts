/**
 * A map for entries that are added and removed constantly, such as requests under way.
 *
 * V8 replaces the table of a Map after about as many additions as it has places, whatever was removed. The old table
 * keeps its entries and refers to the new one. If one of the tables has moved to the old space, all later ones wait
 * for a full garbage collection, together with their keys and values.
 *
 * Therefore a removed entry drops its value, and after a number of additions the entries move to a new Map while the
 * old one is still young.
 */

interface Entry<Value> {
  /** Undefined after it was removed. */
  value: Value | undefined
}

/** The entries move after this many additions, or after as many as there are entries if that is more. */
const movedAfter = 256

export class HighChurnMap<Value extends object> {
  #entries = new Map<string, Entry<Value>>()
  #added = 0

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  set(key: string, value: Value): void {
    const before = this.#entries.get(key)
    if (before !== undefined) {
      before.value = value
      return
    }
    this.#added += 1
    if (this.#added > movedAfter && this.#added > this.#entries.size) {
      this.#entries = new Map(this.#entries)
      this.#added = 0
    }
    this.#entries.set(key, { value })
  }

  /** Removes the entry if it has this value, because another one may have replaced it. */
  delete(key: string, value: Value): void {
    const entry = this.#entries.get(key)
    if (entry?.value !== value) return
    entry.value = undefined
    this.#entries.delete(key)
  }
}
