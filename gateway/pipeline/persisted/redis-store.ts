/**
 * Automatic persisted operations that all replicas share: what a client taught one gateway, every other knows.
 * Each keeps what it used in memory; Redis is asked only for what this process has not seen, and if it is away
 * the client is asked for the document again, as by a single gateway that was just started.
 */
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { createRedis, fillerSeconds, type RedisUse, tellAbsence } from '../../stores/redis/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import { createMemoryStore, type DocumentStore } from './index.ts'

/** Larger documents stay in the memory of the gateways that saw them. */
const largestShared = 256 * 1024

/**
 * What all of them may take there, as estimated. Eviction alone would not do: Redis compares a few keys at a time, and
 * some large documents among many small keys of others are seldom among these.
 */
const mostBytes = 16 * 1024 * 1024
/** Of one, beside its text: its keys, and its place in the two indexes. */
const entryBytes = 600

/** The documents by when they were used last, and the size of each and their `sum`. */
const indexes = ['tessera:documents:used', 'tessera:documents:sizes'] as const
const prefix = 'tessera:document:'

const clock = `
local time = redis.call('TIME')
local now = tonumber(time[1])`

// KEYS: the document, both indexes. ARGV: its hash, how long it is kept in seconds.
const getScript = `${clock}
local document = redis.call('GET', KEYS[1])
if document then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  redis.call('ZADD', KEYS[2], 'XX', now, ARGV[1])
end
return document`

// KEYS: as above. ARGV: its hash, how long it is kept in seconds, its text, its size, the most of all, what the keys of
// documents begin with. What was used last goes last. The indexes outlive what they list.
const setScript = `${clock}
local function forget(hash)
  redis.call('DEL', ARGV[6] .. hash)
  redis.call('ZREM', KEYS[2], hash)
  local size = redis.call('HGET', KEYS[3], hash)
  if size then redis.call('HINCRBY', KEYS[3], 'sum', -size) end
  redis.call('HDEL', KEYS[3], hash)
end
for _, hash in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2] - 1, 'LIMIT', 0, 100)) do forget(hash) end
forget(ARGV[1])
local room = tonumber(ARGV[5]) - tonumber(ARGV[4])
while tonumber(redis.call('HGET', KEYS[3], 'sum') or '0') > room do
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  if not oldest then
    redis.call('DEL', KEYS[3])
    break
  end
  forget(oldest)
end
redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[4])
redis.call('HINCRBY', KEYS[3], 'sum', ARGV[4])
for n = 2, 3 do redis.call('EXPIRE', KEYS[n], 3 * ARGV[2]) end
return 1`

export interface RedisStoreOptions {
  readonly url: string
  readonly log: Logger
}

const keysOf = (hash: string): [string, string, string] => [prefix + hash, ...indexes]

export function createRedisStore({ url, log }: RedisStoreOptions): DocumentStore {
  const memory = createMemoryStore()
  const redis = createRedis(url)
  const goneAway = tellAbsence(redis, log, {
    away: 'shared persisted operations are away: each gateway keeps its own until they are back',
    back: 'shared persisted operations are back',
  })
  const connected = redis.connect().catch(goneAway)

  async function ask(hash: string): Promise<string | undefined> {
    let document: string | null
    await connected
    try {
      document = (await redis.eval(getScript, 3, ...keysOf(hash), hash, fillerSeconds)) as string | null
    } catch (error) {
      goneAway(error)
      return undefined
    }
    // Others may be able to write to Redis, so the text is checked against its hash.
    if (document === null || hashOf(document) !== hash) return undefined
    void memory.set(hash, document)
    return document
  }

  async function tell(hash: string, document: string): Promise<void> {
    await connected
    try {
      const size = Buffer.byteLength(document) + entryBytes
      await redis.eval(
        setScript,
        3,
        ...keysOf(hash),
        ...[hash, fillerSeconds, document, size, mostBytes, prefix],
      )
    } catch (error) {
      goneAway(error)
    }
  }

  return {
    get: (hash) => memory.get(hash) ?? ask(hash),
    peek: (hash) => memory.peek(hash),
    set(hash, document) {
      const known = memory.get(hash) !== undefined
      void memory.set(hash, document)
      return known || document.length > largestShared ? undefined : tell(hash, document)
    },
    close() {
      redis.disconnect()
    },
  }
}

export const persistedUse: RedisUse = {
  feature: 'automatic persisted operations',
  keys: ['tessera:document:*', 'tessera:documents:*'],
  commands: [
    'EVAL',
    'TIME',
    'GET',
    'SET',
    'DEL',
    'EXPIRE',
    'ZADD',
    'ZREM',
    'ZRANGE',
    'ZRANGEBYSCORE',
    'HGET',
    'HSET',
    'HDEL',
    'HINCRBY',
  ],
  async ask(redis, id) {
    const hash = hashOf(id)
    await redis.eval(
      setScript,
      3,
      ...keysOf(hash),
      ...[hash, fillerSeconds, id, id.length + entryBytes, mostBytes, prefix],
    )
    await redis.eval(getScript, 3, ...keysOf(hash), hash, fillerSeconds)
  },
}
