/**
 * Automatic persisted operations: what a client taught one gateway, every other with the same Redis knows. Each
 * keeps what it used in memory; Redis is asked only for what this process has not seen. If Redis is away, the
 * client is asked for the document again, as if the gateway had just started.
 */
import type { LRUCache } from 'lru-cache'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { textBytes } from '../../../shared/runtime/text-bytes.ts'
import { evictableSeconds, type Kind, type SharedStep, type Stores } from '../../stores/index.ts'

export type DocumentStore = ReturnType<typeof createDocumentStore>

/** The estimated size of all documents. The bound is the same in memory and in Redis. */
const mostBytes = 16 * 1024 * 1024
/** The bytes of a document in memory besides its text: its hash, and its place in the cache. */
const keptEntryBytes = 400
/** The bytes of a document in Redis besides its text: its keys, and its place in the two indexes. */
const sharedEntryBytes = 600
/** Larger documents stay in the memory of the gateways that saw them. */
const largestShared = 256 * 1024

export function createDocumentStore(stores: Stores) {
  const store = stores.open(documentsKind)
  const { here } = store
  async function recall(hash: string): Promise<string | undefined> {
    const document = await store.share(getStep, hash)
    // Others may be able to write to Redis, so the text is checked against its hash.
    if (document === undefined || hashOf(document) !== hash) return undefined
    here.set(hash, document)
    return document
  }
  return {
    get: (hash: string): string | undefined | Promise<string | undefined> =>
      here.get(hash) ?? (store.isShared ? recall(hash) : undefined),
    /** What this process has in memory. */
    peek: (hash: string): string | undefined => here.get(hash),
    set(hash: string, document: string): Promise<void> | undefined {
      const isKnown = here.get(hash) !== undefined
      here.set(hash, document)
      if (isKnown || !store.isShared || document.length > largestShared) return undefined
      return store.share(setStep, { hash, document })
    },
    close: () => store.close(),
  }
}

const keysOf = (hash: string): readonly string[] => [
  prefix + hash,
  // The documents by when they were used last, and the size of each and their `sum`.
  'tessera:documents:used',
  'tessera:documents:sizes',
]
const prefix = 'tessera:document:'

const clock = `
local time = redis.call('TIME')
local now = tonumber(time[1])`

// ARGV: the hash, how long it is kept in seconds.
const getStep: SharedStep<string, string | undefined> = {
  redis: {
    lua: `${clock}
local document = redis.call('GET', KEYS[1])
if document then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  redis.call('ZADD', KEYS[2], 'XX', now, ARGV[1])
end
return document`,
    keys: keysOf,
    args: (hash) => [hash, evictableSeconds],
    read: (reply) => (typeof reply === 'string' ? reply : undefined),
  },
}

// ARGV: the hash, how long it is kept in seconds, its text, its size, the most of all, what the keys of documents begin
// with. What was used last goes last. Eviction alone would not do: Redis compares a few keys at a time, and some large
// documents among many small keys of others are seldom among these. The indexes outlive what they list.
const setStep: SharedStep<{ readonly hash: string; readonly document: string }, undefined> = {
  redis: {
    lua: `${clock}
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
return 1`,
    keys: ({ hash }) => keysOf(hash),
    args: ({ hash, document }) => [
      ...[hash, evictableSeconds, document, Buffer.byteLength(document) + sharedEntryBytes],
      ...[mostBytes, prefix],
    ],
    read: () => undefined,
  },
}

export const documentsKind: Kind<LRUCache<string, string>> = {
  feature: 'automatic persisted operations',
  away: 'shared persisted operations are away: each gateway keeps its own until they are back',
  back: 'shared persisted operations are back',
  memory: () =>
    createGrowingCache<string>(mostBytes, { weightOf: (document) => textBytes(document) + keptEntryBytes }),
  keys: ['tessera:document:*', 'tessera:documents:*'],
  steps: [getStep, setStep],
  async attempt(run, id) {
    const hash = hashOf(id)
    await run(setStep, { hash, document: id })
    await run(getStep, hash)
  },
}
