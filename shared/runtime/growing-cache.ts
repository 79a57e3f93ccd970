/** LRU caches with a high limit that most processes never reach. */
import { LRUCache } from 'lru-cache'

type Options<Value> = Pick<
  LRUCache.Options<string, Value, unknown>,
  'ttl' | 'ttlResolution' | 'perf' | 'maxEntrySize'
> & {
  /** The weight of an entry. 1 by default. */
  readonly weightOf?: (value: Value, key: string) => number
}

/** It allocates memory as entries are added. `LRUCache` with `max` allocates all of it in advance. */
export function createGrowingCache<Value extends {}>(
  most: number,
  { weightOf = () => 1, ...options }: Options<Value> = {},
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ ...options, maxSize: most, sizeCalculation: weightOf })
}
