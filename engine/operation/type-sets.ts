import { getOrInsert } from '../../shared/runtime/maps.ts'

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
    return getOrInsert(this.#known, sorted.join(' '), () => {
      const members = new Set(sorted)
      return { id: this.#known.size, names: sorted, has: (name: string) => members.has(name) }
    })
  }

  /** The types of `set` that are in `names`. */
  within(set: TypeSet, names: ReadonlySet<string>): TypeSet {
    const left = set.names.filter((name) => names.has(name))
    return left.length === set.names.length ? set : this.of(left)
  }
}
