/**
 * Which steps of a plan read what stands under each root key, or add to it: noted while a plan is compiled, asked
 * when it runs. A step that its conditions leave out does neither.
 */
type Variables = Readonly<Record<string, unknown>>
type Holds = ((variables: Variables) => boolean) | undefined

export class RootKeyUses {
  readonly #steps = new Map<string, Holds[]>()

  /** One more step of the plan uses these keys, where its conditions hold. */
  add(keys: Iterable<string>, holds: Holds): void {
    for (const key of keys) {
      const steps = this.#steps.get(key)
      if (steps === undefined) this.#steps.set(key, [holds])
      else steps.push(holds)
    }
  }

  /** Whether each of the keys is used by one step at most. */
  areUsedOnce(keys: readonly string[], variables: Variables): boolean {
    return keys.every((key) => {
      const steps = this.#steps.get(key)
      if (steps === undefined || steps.length < 2) return true
      let count = 0
      for (const holds of steps) if (holds === undefined || holds(variables)) count += 1
      return count < 2
    })
  }
}
