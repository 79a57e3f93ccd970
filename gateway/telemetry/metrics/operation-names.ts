/**
 * Which operation names have a series of their own. Names are the client's to choose, so their number is bounded; and
 * so that the first names of a process do not keep all series for ever, one that is used more often takes the place
 * of the one that is used least. Names that come once never do.
 */
import { LRUCache } from 'lru-cache'

/** Longer names have no series: they are the client's to choose, and are kept. */
const longestName = 200
/** How many names wait for a series, counted. */
const mostCandidates = 1000
/** Counts are halved after so many requests, so that what was used long ago counts less. */
const halvedAfter = 10_000
/** A candidate is compared with the least used name at each of so many uses. */
const comparedEvery = 8

interface Use {
  count: number
}

export interface OperationNames {
  /** The label for this name: itself, or `other`. */
  labelOf(name: string): string
}

/** `evicted` is called with a name whose series is to be counted as `other` from now on. */
export function createOperationNames(most: number, evicted: (name: string) => void): OperationNames {
  const named = new Map<string, Use>()
  const candidates = new LRUCache<string, Use>({ max: mostCandidates })
  let requests = 0

  function halve(): void {
    requests = 0
    for (const use of named.values()) use.count /= 2
    for (const use of candidates.values()) use.count /= 2
  }

  function leastUsed(): { name: string; count: number } | undefined {
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
    labelOf(name) {
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
