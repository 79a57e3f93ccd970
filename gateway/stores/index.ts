/** The data that features store: in this process, or in Redis for several processes. */

export { evictableSeconds, longestEvictableSeconds } from './evictable.ts'
export { apartStores, memoryStores, processClock } from './memory.ts'
export { calmMs, createRedisStores, ForeignValue } from './redis/index.ts'
export type { Kind, SharedStep, Step, Store, Stores } from './store.ts'
