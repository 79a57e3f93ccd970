/** Redis: connections that fail at once, what the log says of them, and the backend of what features keep. */
export { calmMs, createOutageReport } from './outages.ts'
export { causeOf } from './cause.ts'
export { createRedis, createRedisOrCluster, type Redis, type RedisOrCluster } from './connection.ts'
export { type ClusterUse, createRedisStores, type RedisUse, useOf } from './stores.ts'
