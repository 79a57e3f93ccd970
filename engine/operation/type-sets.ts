/** A set of object types. Equal sets of one pool are the same object, so they can be compared by identity. */
export interface TypeSet {
  readonly id: number
  readonly names: readonly string[]
  has(name: string): boolean
}

export interface TypeSets {
  of(names: Iterable<string>): TypeSet
  /** The types of `set` that are in `names`. */
  within(set: TypeSet, names: ReadonlySet<string>): TypeSet
}

export function createTypeSets(): TypeSets {
  const known = new Map<string, TypeSet>()
  const of = (names: Iterable<string>): TypeSet => {
    const sorted = [...names].sort()
    const key = sorted.join(' ')
    let set = known.get(key)
    if (set === undefined) {
      const members = new Set(sorted)
      set = { id: known.size, names: sorted, has: (name) => members.has(name) }
      known.set(key, set)
    }
    return set
  }
  return {
    of,
    within(set, names) {
      const left = set.names.filter((name) => names.has(name))
      return left.length === set.names.length ? set : of(left)
    },
  }
}
