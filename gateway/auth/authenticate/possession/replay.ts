/**
 * The used DPoP proofs: in this process, or in Redis for all replicas. If Redis is away a process knows only its own. A
 * full memory accepts no more proofs, because a proof that was forgotten early could be used again.
 */
import { tesseraError } from '../../../../shared/errors.ts'
import { createRedis, longestFillerSeconds, type RedisUse, tellAbsence } from '../../../stores/redis/index.ts'
import type { Logger } from '../../../telemetry/log.ts'

export interface ProofMemory {
  /** Whether the id is new; it is remembered for `ms`. */
  take(id: string, ms: number): boolean | Promise<boolean>
  close(): Promise<void>
}

export interface LocalMemoryOptions {
  readonly now?: (() => number) | undefined
  /** The most ids at a time; some 100 bytes each. */
  readonly most?: number | undefined
}

export function createLocalProofMemory({
  now = Date.now,
  most = 200_000,
}: LocalMemoryOptions = {}): ProofMemory {
  /** In the order of expiry, because all are kept equally long. */
  const ends = new Map<string, number>()
  return {
    take(id, ms) {
      const at = now()
      for (const [old, end] of ends) {
        if (end > at) break
        ends.delete(old)
      }
      if (ends.has(id)) return false
      if (ends.size >= most)
        throw tesseraError('SERVICE_BUSY', 'Too many DPoP proofs arrive to remember them all.', {
          retryAfter: 10,
        })
      ends.set(id, at + ms)
      return true
    },
    close: async () => ends.clear(),
  }
}

export function createRedisProofMemory({
  url,
  log,
}: {
  readonly url: string
  readonly log: Logger
}): ProofMemory {
  const redis = createRedis(url)
  const local = createLocalProofMemory()
  const goneAway = tellAbsence(redis, log, {
    away: 'the shared memory of DPoP proofs is away: each process knows only its own until it is back',
    back: 'the shared memory of DPoP proofs is back',
  })
  const connecting = redis.connect().catch(goneAway)
  return {
    async take(id, ms) {
      const isNew = await local.take(id, ms)
      if (!isNew) return false
      try {
        await connecting
        return (
          (await redis.set(`tessera:dpop:${id}`, '1', 'PX', ms + longestFillerSeconds * 1000, 'NX')) === 'OK'
        )
      } catch (error) {
        goneAway(error)
        return true
      }
    },
    async close() {
      redis.disconnect()
      await local.close()
    },
  }
}

export const proofUse: RedisUse = {
  feature: 'DPoP proofs',
  keys: ['tessera:dpop:*'],
  commands: ['SET'],
  ask: (redis, id) => redis.set(`tessera:dpop:${id}`, '1', 'PX', 1000, 'NX'),
}
