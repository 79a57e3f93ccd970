/** What features keep: in this process, or in Redis for several. */

export { fillerSeconds, longestFillerSeconds } from './filler.ts'
export { apartStores, memoryStores } from './memory.ts'
export { calmMs, createRedisStores } from './redis/index.ts'
export type { Kind, Listener, SharedStep, Step, Store, Stores } from './store.ts'
