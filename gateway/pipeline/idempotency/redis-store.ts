/** Outcomes of mutations that all gateways share. While Redis is away, mutations with a key are refused. */
import { hash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import {
  createConfirm,
  createRedis,
  createSharedClock,
  NotReplicated,
  type RedisUse,
  tellAbsence,
  timeFrom,
} from '../../stores/redis/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import { readEntry, withoutAnswers } from './entry.ts'
import { full, type OutcomeKey, type OutcomeStore } from './store.ts'

/**
 * In one step: what is there is exchanged only if it is what was expected. A key that is new needs room among the
 * caller's others: the answers of the oldest that have ended go for it, but no key before its time, for then a repeat
 * would be executed again.
 */
// KEYS: the entry, when each entry of the caller ends, the size of each and their `sum`, those whose answers can go by
// their age. ARGV: expected, next, how long it is kept, what the names of entries begin with, the rest of this one's, the
// most keys and the most bytes of a caller, whether the answers of `next` can go.
const swapScript = `
local known = redis.call('GET', KEYS[1])
local time = redis.call('TIME')
-- In milliseconds with their fraction, so that no two entries of a caller end at the same time.
local now = time[1] * 1000 + time[2] / 1000
local function forget(member)
  redis.call('DEL', ARGV[4] .. member)
  redis.call('ZREM', KEYS[2], member)
  redis.call('ZREM', KEYS[4], member)
  local size = redis.call('HGET', KEYS[3], member)
  if size then redis.call('HINCRBY', KEYS[3], 'sum', -size) end
  redis.call('HDEL', KEYS[3], member)
end
local function resize(member, size)
  redis.call('HINCRBY', KEYS[3], 'sum', size - (redis.call('HGET', KEYS[3], member) or 0))
  redis.call('HSET', KEYS[3], member, size)
end
local function hasBytes(more)
  return tonumber(redis.call('HGET', KEYS[3], 'sum') or '0') + more <= tonumber(ARGV[7])
end
local function dropAnswers(more)
  for _, member in ipairs(redis.call('ZRANGE', KEYS[4], 0, 99)) do
    if hasBytes(more) then return end
    redis.call('ZREM', KEYS[4], member)
    local value = redis.call('GET', ARGV[4] .. member)
    local good, entry = pcall(cjson.decode, value or '')
    if good then
      for field in pairs(entry.outcomes) do entry.outcomes[field] = { kind = 'done' } end
      -- An empty list is one that Lua cannot write.
      local shorter = string.gsub(cjson.encode(entry), '"kind":"done"', '"kind":"done","errors":[]')
      redis.call('SET', ARGV[4] .. member, shorter, 'PX', redis.call('PTTL', ARGV[4] .. member))
      resize(member, #shorter + 200)
    end
  end
end
local size = #ARGV[2] + 200
local full = 0
if (known == false and ARGV[1] == '') or known == ARGV[1] then
  if ARGV[2] == '' then forget(ARGV[5])
  else
    if known == false then
      for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)) do forget(member) end
      dropAnswers(size)
      if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6]) or not hasBytes(size) then full = 1 end
    end
    if full == 0 then
      redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
      resize(ARGV[5], size)
      redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[5])
      redis.call('ZREM', KEYS[4], ARGV[5])
      if ARGV[8] == '1' then redis.call('ZADD', KEYS[4], now, ARGV[5]) end
      for n = 2, 4 do redis.call('PEXPIRE', KEYS[n], ARGV[3]) end
      dropAnswers(0)
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
  /** The most keys of one caller; beyond it new ones are refused. 100,000. */
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
    goneAway(cause)
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
      ...[4, prefix + member, `${prefix}ends`, `${prefix}sizes`, `${prefix}answers`],
      ...[expected ?? '', next ?? '', Math.ceil(forMs), prefix, member, mostOfCaller, mostCharacters],
      next !== undefined && withoutAnswers(next) !== undefined ? '1' : '0',
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
          throw new NotReplicated('too few replicas have the key')
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

/** With replicas that must have a key, also whether they do. */
export const outcomesUse = (replicas: number): RedisUse => ({
  feature: 'idempotency keys',
  keys: ['tessera:outcome:*'],
  commands: [
    ...[
      'EVAL',
      'TIME',
      'GET',
      'SET',
      'DEL',
      'PTTL',
      'PEXPIRE',
      'ZADD',
      'ZREM',
      'ZCARD',
      'ZRANGE',
      'ZRANGEBYSCORE',
    ],
    ...['HGET', 'HSET', 'HDEL', 'HINCRBY', ...(replicas > 0 ? ['WAIT'] : [])],
  ],
  async ask(redis, id) {
    await redis.time()
    const prefix = `tessera:outcome:{${hash('sha256', id)}}:`
    const keys = [`${prefix}key`, `${prefix}ends`, `${prefix}sizes`, `${prefix}answers`]
    for (const [expected, next] of [
      ['', '{}'],
      ['{}', ''],
    ])
      await redis.eval(
        swapScript,
        4,
        ...keys,
        expected ?? '',
        next ?? '',
        1000,
        prefix,
        'key',
        1,
        10_000,
        '0',
      )
    if (!(await createConfirm(redis, replicas)())) throw new NotReplicated('too few replicas have the key')
  },
})
