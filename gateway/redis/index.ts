/**
 * A connection to Redis for what can do without: commands fail at once while it is away and are never queued, and
 * it is sought again for as long as the process lives. The client is loaded only where one is configured.
 */
import { createRequire } from 'node:module'
import type { Redis } from 'ioredis'
import type { Logger } from '../observe/log.ts'

export type { Redis }

const require = createRequire(import.meta.url)

/** `ready` and `error` are emitted as events; the first connection is for the caller to begin. */
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

/** Tells the log once that it is away and once that it is back; call what is answered at each failure. */
export function tellAbsence(redis: Redis, log: Logger, words: { away: string; back: string }): () => void {
  let away = false
  redis.on('ready', () => {
    if (away) log.info(words.back)
    away = false
  })
  return () => {
    if (!away) log.warn(words.away)
    away = true
  }
}
