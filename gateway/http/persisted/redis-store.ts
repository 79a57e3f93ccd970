/**
 * Automatic persisted operations that all replicas share: what a client taught one gateway, every other knows.
 * Each keeps what it used in memory; Redis is asked only for what this process has not seen, and where it is away
 * the client is asked for the document again, as by a single gateway that was just started.
 */
import type { Logger } from '../../observe/log.ts'
import { createRedis, tellAbsence } from '../../redis/index.ts'
import { createMemoryStore, type DocumentStore, hashOf } from './index.ts'

/**
 * Shorter than the day's quota lives: a Redis that has no room left lets go of what ends first
 * (`volatile-ttl`), and that must never be what was counted.
 */
const keptSeconds = 12 * 3600

/** Larger documents stay in the memory of the gateways that saw them. */
const largestShared = 256 * 1024

export interface RedisStoreOptions {
  readonly url: string
  readonly log: Logger
}

const keyOf = (hash: string): string => `tessera:document:${hash}`

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
      document = await redis.getex(keyOf(hash), 'EX', keptSeconds)
    } catch {
      goneAway()
      return undefined
    }
    // What others can write to is not taken on trust.
    if (document === null || hashOf(document) !== hash) return undefined
    void memory.set(hash, document)
    return document
  }

  async function tell(hash: string, document: string): Promise<void> {
    await connected
    try {
      await redis.set(keyOf(hash), document, 'EX', keptSeconds)
    } catch {
      goneAway()
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
