/** A set of object types. Equal sets of one pool are the same object, so they can be compared by identity. */
export interface TypeSet {
  readonly id: number
  readonly names: readonly string[]
  has(name: string): boolean
}

export class TypeSets {
  readonly #known = new Map<string, TypeSet>()

  of(names: Iterable<string>): TypeSet {
    const sorted = [...names].sort()
    const key = sorted.join(' ')
    let set = this.#known.get(key)
    if (set === undefined) {
      const members = new Set(sorted)
      set = { id: this.#known.size, names: sorted, has: (name) => members.has(name) }
      this.#known.set(key, set)
    }
    return set
  }

  /** The types of `set` that are in `names`. */
  within(set: TypeSet, names: ReadonlySet<string>): TypeSet {
    const left = set.names.filter((name) => names.has(name))
    return left.length === set.names.length ? set : this.of(left)
  }
}
