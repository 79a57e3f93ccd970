/** The data that features store: in this process, or in Redis for several processes. */

export { fillerSeconds, longestFillerSeconds } from './filler.ts'
export { apartStores, memoryStores, processClock } from './memory.ts'
export { calmMs, createRedisStores } from './redis/index.ts'
export type { Kind, SharedStep, Step, Store, Stores } from './store.ts'
