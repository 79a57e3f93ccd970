/**
 * A connection to Redis for what can do without: commands fail at once while it is away and are never queued, and
 * it is sought again for as long as the process lives. The client is loaded only where one is configured.
 */
import { createRequire } from 'node:module'
import type { Redis } from 'ioredis'

export type { Redis }

const require = createRequire(import.meta.url)

/** `ready` and `error` are told as events; the first connection is for the caller to begin. */
export function createRedis(url: string): Redis {
  const { Redis: Client } = require('ioredis') as typeof import('ioredis')
  const redis = new Client(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1000,
    connectTimeout: 1000,
    retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times, 5), 3000),
  })
  redis.on('error', () => {
    // Each command tells for itself; this only keeps the process alive.
  })
  return redis
}
