/**
 * The levels of token buckets. Taking from several buckets is one step: if one of them does not hold enough, nothing is
 * taken from any.
 */
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'

/** A bucket, and what is taken from it. Both amounts are times: a token is the time in which it returns. */
export interface Take {
  readonly key: string
  /** Milliseconds until the taken amount has returned; a negative amount returns what was taken before. */
  readonly costMs: number
  /** Milliseconds until an empty bucket is full. */
  readonly capacityMs: number
}

export interface Taken {
  readonly granted: boolean
  /** For each bucket the milliseconds until it is full again. */
  readonly levels: readonly number[]
}

export interface RateStore {
  take(takes: readonly Take[]): Promise<Taken> | Taken
  close(): Promise<void>
}

/** Rounding of times never refuses a request that fits. */
export const tolerance = 1e-6

/** How many buckets one process remembers; beyond that, the least recently used ones are full again. */
const keptBuckets = 100_000

/** The buckets of only this process: exact for all users of this store. `now`: milliseconds since 1970. */
export function createMemoryRates(now: () => number = Date.now, most = keptBuckets): RateStore {
  /** When each bucket is full. */
  const fullAt = createGrowingCache<number>(most)
  return {
    take(takes) {
      const at = now()
      const levels = takes.map(({ key }) => Math.max(0, (fullAt.get(key) ?? 0) - at))
      const granted = takes.every(
        ({ costMs, capacityMs }, n) => (levels[n] ?? 0) + costMs <= capacityMs * (1 + tolerance),
      )
      if (!granted) return { granted, levels }
      return {
        granted,
        levels: takes.map(({ key, costMs }, n) => {
          const level = (levels[n] ?? 0) + costMs
          fullAt.set(key, at + level)
          return level
        }),
      }
    },
    async close() {
      fullAt.clear()
    },
  }
}
