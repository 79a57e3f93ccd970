/**
 * What was found last, by its text. A text that has just arrived has no hash yet, and V8 takes longer to make one
 * (half a microsecond for 400 letters) than to compare it with a few others. It stands before a larger cache, and
 * whoever is met there is noted here.
 */

/** Few, because each is compared with. */
const most = 4

export class Latest<Value> {
  readonly #texts: string[] = []
  readonly #values: Value[] = []
  #next = 0

  find(text: string): Value | undefined {
    for (let at = 0; at < this.#texts.length; at++) if (this.#texts[at] === text) return this.#values[at]
    return undefined
  }

  /** In place of what was noted longest ago, or under the same text. */
  note(text: string, value: Value): void {
    let at = this.#texts.indexOf(text)
    if (at < 0) {
      at = this.#next
      this.#next = (at + 1) % most
    }
    this.#texts[at] = text
    this.#values[at] = value
  }
}
