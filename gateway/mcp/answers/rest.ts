/**
 * What was cut off of answers, until it is asked for or ten minutes have passed: in this process, or in Redis for several
 * gateways. Each handle belongs to one caller, who has the newest sixteen; what is longer than a bound is not kept.
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
const mostOfAll = 64_000_000

const newHandle = (slot: number): string => `${slot.toString(36)}-${randomBytes(12).toString('base64url')}`

/** Undefined if it has not the form of ours. */
function slotIn(handle: string): number | undefined {
  const [, slot] = /^([0-9a-f])-[\w-]{16}$/.exec(handle) ?? []
  return slot === undefined ? undefined : Number.parseInt(slot, 36)
}

export function createMemoryRest(): RestStore {
  const kept = new LRUCache<string, { readonly handle: string; readonly text: string }>({
    maxSize: mostOfAll,
    sizeCalculation: ({ text }, key) => text.length + key.length + 200,
    ttl: keptMs,
  })
  const next = new LRUCache<string, number>({ max: 10_000 })
  return {
    async put(caller, text) {
      if (text.length > mostCharacters) return undefined
      const slot = (next.get(caller) ?? 0) % mostOfCaller
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

export function createRedisRest(url: string, log: Logger): RestStore {
  const redis = createRedis(url)
  const steps = createSteps(redis, log, {
    away: 'what was cut off of answers to agents cannot be kept for all gateways',
    back: 'what was cut off of answers to agents can be kept again',
  })
  return {
    async put(caller, text) {
      if (text.length > mostCharacters) return undefined
      return steps.run(async () => {
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
  commands: ['INCR', 'PEXPIRE', 'SET', 'GET'],
  async ask(redis, id) {
    await redis.incr(keyOf(`check:${id}`, 'next'))
    await redis.pexpire(keyOf(`check:${id}`, 'next'), 1000)
    await redis.set(keyOf(`check:${id}`, 0), id, 'PX', 1000)
    await redis.get(keyOf(`check:${id}`, 0))
  },
}
