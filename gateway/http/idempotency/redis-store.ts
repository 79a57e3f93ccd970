/** Outcomes of mutations that all gateways share. While Redis is away, mutations with a key are refused. */
import { hash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { tesseraError } from '../../../contract/errors.ts'
import type { Logger } from '../../observe/log.ts'
import { createConfirm, createRedis, createSharedClock, tellAbsence, timeFrom } from '../../redis/index.ts'
import { readEntry } from './entry.ts'
import { full, type OutcomeKey, type OutcomeStore } from './store.ts'

/**
 * In one step: what is there is exchanged only if it is what was expected. A key that is new needs room among the
 * caller's others: those that were kept first and are finished are forgotten for it.
 */
// KEYS: the entry, when each entry of the caller ends, the size of each and their `sum`. ARGV: expected, next, how long
// it is kept, what the names of entries begin with, the rest of this one's, the most keys and the most bytes of a caller.
const swapScript = `
local known = redis.call('GET', KEYS[1])
local time = redis.call('TIME')
-- In milliseconds with their fraction, so that no two entries of a caller end at the same time.
local now = time[1] * 1000 + time[2] / 1000
local function forget(member)
  redis.call('DEL', ARGV[4] .. member)
  redis.call('ZREM', KEYS[2], member)
  redis.call('HINCRBY', KEYS[3], 'sum', -(redis.call('HGET', KEYS[3], member) or 0))
  redis.call('HDEL', KEYS[3], member)
end
local size = #ARGV[2] + 200
local function isFull()
  return redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6])
    or tonumber(redis.call('HGET', KEYS[3], 'sum') or '0') + size > tonumber(ARGV[7])
end
local full = 0
if (known == false and ARGV[1] == '') or known == ARGV[1] then
  if ARGV[2] == '' then forget(ARGV[5])
  else
    if known == false then
      for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)) do forget(member) end
      if isFull() then
        for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, 99)) do
          local value = redis.call('GET', ARGV[4] .. member)
          if not value or not string.find(value, '"unknown"', 1, true) then forget(member) end
          if not isFull() then break end
        end
        if isFull() then full = 1 end
      end
    end
    if full == 0 then
      redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
      redis.call('HINCRBY', KEYS[3], 'sum', size - (redis.call('HGET', KEYS[3], ARGV[5]) or 0))
      redis.call('HSET', KEYS[3], ARGV[5], size)
      redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[5])
      redis.call('PEXPIRE', KEYS[2], ARGV[3])
      redis.call('PEXPIRE', KEYS[3], ARGV[3])
    end
  end
end
return { known, full, time[1], time[2] }`

export interface RedisOutcomesOptions {
  readonly url: string
  readonly log: Logger
  /** Replicas that must have a key before its request is executed. */
  readonly replicas: number
  /** The most bytes that are kept of one caller. */
  readonly mostCharacters: number
  /** The most keys of one caller; beyond it those that were kept first and are finished are forgotten. 100,000. */
  readonly mostOfCaller?: number | undefined
}

export function createRedisOutcomes({
  url,
  log,
  replicas,
  mostCharacters,
  mostOfCaller = 100_000,
}: RedisOutcomesOptions): OutcomeStore {
  const redis = createRedis(url)
  const confirm = createConfirm(redis, replicas)
  const clock = createSharedClock()
  const goneAway = tellAbsence(redis, log, {
    away: 'the outcomes of mutations are away: those with an idempotency key are refused until they are back',
    back: 'the outcomes of mutations are back',
  })
  const unavailable = (cause: unknown) => {
    goneAway()
    return tesseraError(
      'IDEMPOTENCY_UNAVAILABLE',
      'The outcomes of mutations cannot be kept at the moment; nothing more was done.',
      { retryAfter: 5, cause },
    )
  }
  const connected = redis.connect().catch(goneAway)
  async function exchange(
    { caller, key }: OutcomeKey,
    expected: string | undefined,
    next: string | undefined,
    forMs: number,
  ): Promise<string | undefined> {
    // Both come from clients; hashed, they are short, and neither can reach into the other.
    const prefix = `tessera:outcome:{${hash('sha256', caller)}}:`
    const member = hash('sha256', key)
    const [known, isFull, ...time] = (await redis.eval(
      swapScript,
      ...[3, prefix + member, `${prefix}ends`, `${prefix}sizes`],
      ...[expected ?? '', next ?? '', Math.ceil(forMs), prefix, member, mostOfCaller, mostCharacters],
    )) as readonly (string | number | null)[]
    clock.hear(timeFrom(time.map(Number)))
    if (isFull === 1) throw full()
    return known === null ? undefined : String(known)
  }

  return {
    async swap(key, expected, next, forMs) {
      await connected
      try {
        const before = await exchange(key, expected, next, forMs)
        if (before === expected && next !== undefined && isBegun(expected, next) && !(await confirm())) {
          await exchange(key, next, expected, forMs)
          throw new Error('no replica has it')
        }
        return before
      } catch (cause) {
        if (cause instanceof GraphQLError) throw cause
        throw unavailable(cause)
      }
    },
    async now() {
      await connected
      const known = clock.now()
      if (known !== undefined) return known
      try {
        clock.hear(timeFrom(await redis.time()))
      } catch (cause) {
        throw unavailable(cause)
      }
      return clock.now() ?? Date.now()
    },
    close() {
      redis.disconnect()
    },
  }
}

/** Whether another request has the key from now on. */
function isBegun(expected: string | undefined, next: string): boolean {
  return expected === undefined || readEntry(expected)?.attempt !== readEntry(next)?.attempt
}
