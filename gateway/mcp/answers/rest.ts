/**
 * What was cut off of answers, until it is asked for or ten minutes have passed: in this process, or in Redis for several
 * gateways. Each handle belongs to one caller, who has the newest sixteen. What is longer than a bound is not kept, nor
 * what would take more than one caller, or all together, may have.
 */
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createRedis, createSteps, longestFillerSeconds, type RedisUse } from '../../stores/redis/index.ts'
import type { Logger } from '../../telemetry/log.ts'

export interface RestStore {
  /** The handle under which it is kept; undefined if it is not. */
  put(caller: string, text: string): Promise<string | undefined>
  get(caller: string, handle: string): Promise<string | undefined>
  close(): void
}

export const keptMs = longestFillerSeconds * 1000
const mostOfCaller = 16
const mostCharacters = 4_000_000
/** Of one caller together: a few of them are not all that there is. */
const mostOfCallerCharacters = 16_000_000
const mostOfAll = 64_000_000
/** In Redis, of all that begins to be kept in as long as it is kept. */
const mostOfAllInRedis = 256_000_000

export interface RestLimits {
  /** The most characters of one caller … */
  readonly ofCaller?: number
  /** … and of all. */
  readonly ofAll?: number
}

const newHandle = (slot: number): string => `${slot.toString(36)}-${randomBytes(12).toString('base64url')}`

/** Undefined if it has not the form of ours. */
function slotIn(handle: string): number | undefined {
  const [, slot] = /^([0-9a-f])-[\w-]{16}$/.exec(handle) ?? []
  return slot === undefined ? undefined : Number.parseInt(slot, 36)
}

/** `limits`: for tests. */
export function createMemoryRest(limits: RestLimits = {}): RestStore {
  const { ofCaller = mostOfCallerCharacters, ofAll = mostOfAll } = limits
  const kept = new LRUCache<string, { readonly handle: string; readonly text: string }>({
    maxSize: ofAll,
    sizeCalculation: ({ text }, key) => text.length + key.length + 200,
    ttl: keptMs,
  })
  const next = new LRUCache<string, number>({ max: 10_000 })
  return {
    async put(caller, text) {
      if (text.length > mostCharacters) return undefined
      const slot = (next.get(caller) ?? 0) % mostOfCaller
      const others = Array.from({ length: mostOfCaller }, (_, n) =>
        n === slot ? 0 : (kept.peek(`${caller} ${n}`)?.text.length ?? 0),
      )
      if (others.reduce((sum, length) => sum + length, text.length) > ofCaller) return undefined
      next.set(caller, slot + 1)
      const handle = newHandle(slot)
      kept.set(`${caller} ${slot}`, { handle, text })
      return handle
    },
    async get(caller, handle) {
      const slot = slotIn(handle)
      const found = slot === undefined ? undefined : kept.get(`${caller} ${slot}`)
      return found?.handle === handle ? found.text : undefined
    },
    close: () => kept.clear(),
  }
}

/** Where several processes serve one port and have nothing together: another one would not know the handle. */
export function createNoRest(): RestStore {
  return { put: async () => undefined, get: async () => undefined, close() {} }
}

const keyOf = (caller: string, name: string | number): string => `tessera:mcp:{${caller}}:${name}`

/** Counts what begins to be kept in one stretch of time; at most two of them are kept at once. */
const countKey = (whose: string): string => keyOf(whose, `kept:${Math.floor(Date.now() / keptMs)}`)

/** `limits`: for tests. */
export function createRedisRest(url: string, log: Logger, limits: RestLimits = {}): RestStore {
  const { ofCaller = mostOfCallerCharacters, ofAll = mostOfAllInRedis } = limits
  const redis = createRedis(url)
  const steps = createSteps(redis, log, {
    away: 'what was cut off of answers to agents cannot be kept for all gateways',
    back: 'what was cut off of answers to agents can be kept again',
  })
  return {
    async put(caller, text) {
      if (text.length > mostCharacters) return undefined
      return steps.run(async () => {
        for (const [whose, most] of [
          [caller, ofCaller],
          ['all', ofAll],
        ] as const) {
          const key = countKey(whose)
          const sum = await redis.incrby(key, text.length)
          await redis.pexpire(key, 2 * keptMs)
          if (sum > most) return undefined
        }
        const counter = keyOf(caller, 'next')
        const slot = (await redis.incr(counter)) % mostOfCaller
        await redis.pexpire(counter, keptMs)
        const handle = newHandle(slot)
        await redis.set(keyOf(caller, slot), `${handle} ${text}`, 'PX', keptMs)
        return handle
      })
    },
    async get(caller, handle) {
      const slot = slotIn(handle)
      if (slot === undefined) return undefined
      const found = await steps.run(async () => redis.get(keyOf(caller, slot)))
      return found?.startsWith(`${handle} `) ? found.slice(handle.length + 1) : undefined
    },
    close: () => redis.disconnect(),
  }
}

export const restUse: RedisUse = {
  feature: 'rests of answers to agents',
  keys: ['tessera:mcp:*'],
  commands: ['INCR', 'INCRBY', 'PEXPIRE', 'SET', 'GET'],
  async ask(redis, id) {
    await redis.incr(keyOf(`check:${id}`, 'next'))
    await redis.incrby(keyOf(`check:${id}`, 'next'), 1)
    await redis.pexpire(keyOf(`check:${id}`, 'next'), 1000)
    await redis.set(keyOf(`check:${id}`, 0), id, 'PX', 1000)
    await redis.get(keyOf(`check:${id}`, 0))
  },
}
