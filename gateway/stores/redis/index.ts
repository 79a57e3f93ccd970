/** Redis: connections that fail at once, what the log says of them, and the backend of what features keep. */

export { causeOf, ForeignValue } from './cause.ts'
export { createRedis, createRedisOrCluster, type Redis, type RedisOrCluster } from './connection.ts'
export { calmMs, createOutageReport } from './outages.ts'
export { type ClusterUse, createRedisStores, type RedisUse, useOf } from './stores.ts'
