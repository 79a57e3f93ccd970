/** LRU caches with a high limit that most processes never reach. */
import { LRUCache } from 'lru-cache'

type Options<Value> = Pick<
  LRUCache.Options<string, Value, unknown>,
  'ttl' | 'ttlResolution' | 'perf' | 'maxEntrySize'
> & {
  /** The weight of an entry. 1 by default. */
  readonly weightOf?: (value: Value, key: string) => number
}

/**
 * A cache of at most `most` entries that allocates memory as they are added. `LRUCache` with `max` allocates arrays
 * for all of them in advance.
 */
export function createGrowingCache<Value extends {}>(
  most: number,
  { weightOf = () => 1, ...options }: Options<Value> = {},
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ ...options, maxSize: most, sizeCalculation: weightOf })
}
