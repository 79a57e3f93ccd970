/**
 * A map whose entries come and go all the time, as what is under way in a server does.
 *
 * The plain way is a Map. V8 replaces its table after about as many additions as it has places, whatever was removed;
 * the table that was replaced keeps what stood in it and leads to the one after it. Once one of them has become old,
 * all later ones wait for a collection of the whole heap, with their keys and values. A gateway over subgraph services
 * lost a fifth of its CPU time and half of its 99th percentile to that: whole requests stood there
 * (November 2026, Q1; test/runtime/passing-map.test.ts).
 *
 * So a removed entry lets go of its value, and after a number of additions the entries move to a new Map, while the
 * one before is still young.
 */

interface Entry<Value> {
  /** Undefined once it was removed. */
  value: Value | undefined
}

/** Additions after which the entries move; if there are more entries than that, they are as many. */
const movedAfter = 256

export class PassingMap<Value extends object> {
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

  /** Removes the entry if it holds this value; another one may have taken its place. */
  delete(key: string, value: Value): void {
    const entry = this.#entries.get(key)
    if (entry?.value !== value) return
    entry.value = undefined
    this.#entries.delete(key)
  }
}
