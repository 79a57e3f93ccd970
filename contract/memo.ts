/**
 * Memory of the last few results, for places where comparing is cheaper than hashing:
 *
 * - `RecentTexts` finds a value by its text. A text that has just arrived has no hash yet, and V8 takes longer to
 *   compute one (half a microsecond for 400 characters) than to compare it with a few others. It stands in front of
 *   a larger cache.
 * - `memoByObject` computes a function of an object once for each object, for as long as that object lives.
 */

/** Small, because each lookup compares with every kept text. */
const capacity = 4

export class RecentTexts<Value> {
  readonly #texts: string[] = []
  readonly #values: Value[] = []
  #next = 0

  find(text: string): Value | undefined {
    for (let at = 0; at < this.#texts.length; at++) if (this.#texts[at] === text) return this.#values[at]
    return undefined
  }

  /** Replaces the value of the same text, or else the one that was kept first. */
  keep(text: string, value: Value): void {
    let at = this.#texts.indexOf(text)
    if (at < 0) {
      at = this.#next
      this.#next = (at + 1) % capacity
    }
    this.#texts[at] = text
    this.#values[at] = value
  }

  clear(): void {
    this.#texts.length = 0
    this.#values.length = 0
    this.#next = 0
  }
}

/**
 * The result is kept in a WeakMap. The last one is also found by comparing, because the items of a list ask for the
 * same object one after the other.
 */
export function memoByObject<Key extends object, Value extends object | string>(
  read: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  let last: { readonly key: Key; readonly value: Value } | undefined
  return (key) => {
    if (last !== undefined && last.key === key) return last.value
    let value = known.get(key)
    if (value === undefined) {
      value = read(key)
      known.set(key, value)
    }
    last = { key, value }
    return value
  }
}
