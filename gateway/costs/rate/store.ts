/**
 * The levels of token buckets. Taking from several buckets is one step: if one of them does not hold enough, nothing is
 * taken from any. While Redis is away each process counts in its own buckets.
 */
import type { LRUCache } from 'lru-cache'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import { type Kind, longestEvictableSeconds, type Step, type Stores } from '../../stores/index.ts'

/** A bucket, and what is taken from it. Both amounts are times: a token is the time in which it returns. */
export interface Take {
  readonly key: string
  /** Milliseconds until the taken amount has returned; a negative amount returns what was taken before. */
  readonly costMs: number
  /** Milliseconds until an empty bucket is full. */
  readonly capacityMs: number
}

interface Taken {
  readonly granted: boolean
  /** For each bucket the milliseconds until it is full again. */
  readonly levels: readonly number[]
}

export interface RateStore {
  take(takes: readonly Take[]): Promise<Taken> | Taken
  close(): void
}

interface RateStoreOptions {
  /**
   * How many buckets one process remembers; beyond that, the least recently used ones are full again. 100,000 by default.
   */
  readonly most?: number
  /** Milliseconds, by default of the monotonic clock: if a clock were set back, buckets would stay empty that long. */
  readonly now?: () => number
}

/** Rounding of times never refuses a request that fits. */
export const tolerance = 1e-6

export function createRates(stores: Stores, options: RateStoreOptions = {}): RateStore {
  const store = stores.open(ratesKind(options))
  return {
    take(takes) {
      return whenReady(store.run(takeStep, takes), (taken) => taken ?? takeStep.memory(store.here, takes))
    },
    close: () => store.close(),
  }
}

interface Buckets {
  /** When each bucket is full. */
  readonly fullAt: LRUCache<string, number>
  readonly now: () => number
}

// Redis: all keys have one hash tag, so that a request takes from several buckets in one step on a cluster, too.
// ARGV: the tolerance, then cost and capacity of each in milliseconds; a negative cost puts back what was not used. A
// bucket that is full again has no level. Its key stays for a while, so that it expires after all that anybody can
// store. Times are kept as texts: a number that Lua returns loses its decimal places.
const takeStep: Step<Buckets, readonly Take[], Taken> = {
  memory({ fullAt, now }, takes) {
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
  redis: {
    lua: `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local levels, granted = {}, 1
local function keep(key, level)
  redis.call('SET', key, string.format('%.3f', now + level), 'PX', math.ceil(level) + ${longestEvictableSeconds * 1000})
end
for i, key in ipairs(KEYS) do
  local level = tonumber(redis.call('GET', key) or '0') - now
  local capacity = tonumber(ARGV[2 * i + 1]) * (1 + tonumber(ARGV[1]))
  if level < 0 then level = 0 end
  -- The clock was set back, or the bucket is smaller now.
  if level > capacity then
    level = capacity
    keep(key, level)
  end
  levels[i] = level
  if level + tonumber(ARGV[2 * i]) > capacity then granted = 0 end
end
for i, key in ipairs(KEYS) do
  if granted == 1 then
    levels[i] = levels[i] + tonumber(ARGV[2 * i])
    if levels[i] > 0 then
      keep(key, levels[i])
    elseif tonumber(ARGV[2 * i]) < 0 then
      redis.call('DEL', key)
    end
  end
  levels[i] = string.format('%.3f', levels[i])
end
return { granted, unpack(levels) }`,
    keys: (takes) => takes.map(({ key }) => `{tessera:rate}:${key}`),
    args: (takes) => [tolerance, ...takes.flatMap(({ costMs, capacityMs }) => [costMs, capacityMs])],
    read(reply) {
      const [granted, ...levels] = (reply as readonly (number | string)[]).map(Number)
      return { granted: granted === 1, levels }
    },
  },
}

export const ratesKind = ({
  most = 100_000,
  now = () => performance.now(),
}: RateStoreOptions = {}): Kind<Buckets> => ({
  feature: 'rate limits',
  away: 'the shared rate limits are unreachable: counting in this process until they are back',
  back: 'the shared rate limits are back',
  memory: () => ({ fullAt: createGrowingCache<number>(most), now }),
  keys: ['{tessera:rate}:*'],
  steps: [takeStep],
  attempt: (run, id) => run(takeStep, [{ key: `check:${id}`, costMs: 1, capacityMs: 1000 }]),
})
