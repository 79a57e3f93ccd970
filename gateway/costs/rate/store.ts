/**
 * Where the levels of token buckets are kept. Taking from several buckets is one step: if one of them does not hold
 * enough, nothing is taken from any.
 */
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'

/** A bucket, and what is taken of it. Both amounts are times: a token is the time in which it comes back. */
export interface Take {
  readonly key: string
  /** Milliseconds that what is taken needs to come back; less than 0 puts back what was taken before. */
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

/** Rounding of times never refuses what fits. */
export const tolerance = 1e-6

/** So many buckets of one process are remembered; beyond that, those that were used least recently are full again. */
const keptBuckets = 100_000

/** The buckets of this process alone: exact over all that ask this store. `now`: milliseconds since 1970. */
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
