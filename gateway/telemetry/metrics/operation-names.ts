/**
 * The operation names that have a series of their own. Clients choose names, so their number is bounded. The first
 * names of a process must not keep all series for ever, so a name that is used more often replaces the least used one.
 * Names that are used once never do.
 */
import { LRUCache } from 'lru-cache'
import { getOrInsert } from '../../../shared/runtime/maps.ts'

/** Longer names have no series, because clients choose them and they are stored. */
const longestName = 200
/** How many names without a series are counted as candidates. */
const mostCandidates = 1000
/** Counts are halved after this many requests, so that old uses count less. */
const halvedAfter = 10_000
/** A candidate is compared with the least used name after this many uses. */
const comparedEvery = 8

interface Use {
  count: number
}

/** `evicted` is called with a name whose series counts as `other` from now on. */
export function createOperationNames(most: number, evicted: (name: string) => void) {
  const named = new Map<string, Use>()
  const candidates = new LRUCache<string, Use>({ max: mostCandidates })
  let requests = 0

  function halve(): void {
    requests = 0
    for (const use of named.values()) use.count /= 2
    for (const use of candidates.values()) use.count /= 2
  }

  function leastUsed(): { readonly name: string; readonly count: number } | undefined {
    let least: { name: string; count: number } | undefined
    for (const [name, { count }] of named)
      if (least === undefined || count < least.count) least = { name, count }
    return least
  }

  function compete(name: string): boolean {
    const use = candidates.get(name)
    if (use === undefined) {
      candidates.set(name, { count: 1 })
      return false
    }
    use.count += 1
    if (Math.floor(use.count) % comparedEvery !== 0) return false
    const least = leastUsed()
    if (least === undefined || least.count >= use.count) return false
    candidates.delete(name)
    named.delete(least.name)
    evicted(least.name)
    named.set(name, use)
    return true
  }

  return {
    /** The label for this name: itself, or `other`. */
    labelOf(name: string): string {
      requests += 1
      if (requests >= halvedAfter) halve()
      if (name.length > longestName) return other
      const use = named.get(name)
      if (use !== undefined) {
        use.count += 1
        return name
      }
      if (named.size < most) {
        named.set(name, { count: 1 })
        return name
      }
      return compete(name) ? name : other
    },
  }
}

export const other = 'other'

/** The values of each name that have a series of their own: the first ones, up to a limit. The others are `other`. */
export function createFirstValues() {
  const known = new Map<string, Set<string>>()
  return {
    labelOf(name: string, value: string, most: number): string {
      const values = getOrInsert(known, name, () => new Set())
      if (values.has(value)) return value
      if (values.size >= most) return other
      values.add(value)
      return value
    },
    forget: (name: string): boolean => known.delete(name),
  }
}
