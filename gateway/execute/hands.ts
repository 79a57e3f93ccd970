/** Who reads what stands under each root key, or adds to it: told while a plan is compiled, asked when it runs. */
export class Hands {
  readonly #counts = new Map<string, number>()

  /** One more node of the plan is about to have to do with these. */
  lay(keys: Iterable<string>): void {
    for (const key of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** Whether no other node has. */
  isAlone(keys: readonly string[]): boolean {
    return keys.every((key) => this.#counts.get(key) === 1)
  }
}
