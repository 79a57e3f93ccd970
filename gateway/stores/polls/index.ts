/** Pollers for subscriptions over several gateways. */
export { createRedisLiveStore } from './redis-store.ts'

export { liveUse } from './use.ts'
