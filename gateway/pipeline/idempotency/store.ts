/**
 * The outcomes of mutations: in this process, or in Redis for several gateways. A key is never forgotten before its time,
 * because a repeat would be executed again. docs/apps.md says what becomes of answers and of new keys if there is no room,
 * or if Redis is away.
 */
import { hash } from 'node:crypto'
import { tesseraError } from '../../../shared/errors.ts'
import { type Kind, processClock, type Step, type Stores } from '../../stores/index.ts'
import { readEntry, withoutAnswers } from './entry.ts'
import {
  createOutcomeMemory,
  type OutcomeBounds,
  type OutcomeKey,
  type OutcomeMemory,
  type Swap,
  type Swapped,
} from './memory.ts'

export interface OutcomeStore {
  /**
   * Puts `next` in the place of `expected` for `forMs` milliseconds, if that is what is there, in one step; undefined
   * is nothing. Resolves to what was there before. Rejects with a `tesseraError` if the store cannot be reached or
   * takes no more.
   */
  swap(
    key: OutcomeKey,
    expected: string | undefined,
    next: string | undefined,
    forMs: number,
  ): Promise<string | undefined>
  /** The clock of all that use the store, in milliseconds since 1970; rejects if the store cannot be reached. */
  now(): Promise<number>
  close(): void
}

export function createOutcomes(stores: Stores, bounds: OutcomeBounds): OutcomeStore {
  // One of several processes without a common store cannot know what another one has executed.
  if (stores.isApart) return { swap: unavailableApart, now: unavailableApart, close() {} }
  const store = stores.open(outcomesKind(bounds))

  async function exchange(swap: Swap): Promise<string | undefined> {
    const swapped = await store.run(swapStep, swap)
    if (swapped === undefined) throw unavailable()
    if (swapped.isFull) throw full()
    return swapped.before
  }

  return {
    async swap({ caller, key }, expected, next, forMs) {
      const swap = { caller, key, expected, next, forMs, ...bounds }
      const before = await exchange(swap)
      if (before === expected && next !== undefined && isBegun(expected, next) && !(await store.confirm())) {
        await exchange({ ...swap, expected: next, next: expected })
        throw unavailable()
      }
      return before
    },
    // Redis is asked each time: since it last told its clock, another server may have taken over, or this machine may have
    // been suspended. With a time that is long past, others would take a key over while its change is being made.
    async now() {
      const time = await store.run(timeStep, undefined)
      if (time === undefined) throw unavailable()
      return time
    },
    close: () => store.close(),
  }
}

/** Both come from clients; hashed, they are short, and neither can reach into the other. */
const prefixOf = (caller: string): string => `tessera:outcome:{${hash('sha256', caller)}}:`

// KEYS: the entry, when each entry of the caller ends, the size of each and their `sum`, those whose answers can go by
// their age. ARGV: expected, next, how long it is kept, what the names of entries begin with, the rest of this one's, the
// most keys and the most bytes of a caller, whether the answers of `next` can go.
const swapStep: Step<OutcomeMemory, Swap, Swapped> = {
  memory: (outcomes, swap) => outcomes.swap(swap),
  redis: {
    lua: `
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
      redis.call('SET', ARGV[4] .. member, shorter, 'KEEPTTL')
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
return { known, full }`,
    keys({ caller, key }) {
      const prefix = prefixOf(caller)
      return [prefix + hash('sha256', key), `${prefix}ends`, `${prefix}sizes`, `${prefix}answers`]
    },
    args: ({ caller, key, expected, next, forMs, mostCharacters, mostKeys = 100_000 }) => [
      ...[expected ?? '', next ?? '', Math.ceil(forMs), prefixOf(caller), hash('sha256', key)],
      ...[mostKeys, mostCharacters, next !== undefined && withoutAnswers(next) !== undefined ? '1' : '0'],
    ],
    read(reply) {
      const [known, isFull] = reply as readonly (string | number | null)[]
      return { before: known === null ? undefined : String(known), isFull: isFull === 1 }
    },
  },
}

const timeStep: Step<OutcomeMemory, undefined, number> = {
  memory: processClock,
  redis: {
    lua: `
local time = redis.call('TIME')
return time[1] * 1000 + math.floor(time[2] / 1000)`,
    keys: () => [],
    args: () => [],
    read: Number,
  },
}

export const outcomesKind = (bounds: OutcomeBounds): Kind<OutcomeMemory> => ({
  feature: 'idempotency keys',
  away: 'the outcomes of mutations are away: those with an idempotency key are refused until they are back',
  back: 'the outcomes of mutations are back',
  memory: () => createOutcomeMemory(bounds),
  keys: ['tessera:outcome:*'],
  steps: [swapStep, timeStep],
  isConfirmed: true,
  async attempt(run, id) {
    await run(timeStep, undefined)
    const swap = { caller: id, key: id, forMs: 1000, ...bounds }
    await run(swapStep, { ...swap, expected: undefined, next: '{}' })
    await run(swapStep, { ...swap, expected: '{}', next: undefined })
  },
})

/** Whether another request has the key from now on. */
function isBegun(expected: string | undefined, next: string): boolean {
  return expected === undefined || readEntry(expected)?.attempt !== readEntry(next)?.attempt
}

const full = () =>
  tesseraError('IDEMPOTENCY_UNAVAILABLE', 'Too many idempotency keys are kept; nothing was done.', {
    retryAfter: 60,
  })

const unavailable = () =>
  tesseraError(
    'IDEMPOTENCY_UNAVAILABLE',
    'The outcomes of mutations cannot be kept at the moment; nothing more was done.',
    { retryAfter: 5 },
  )

const unavailableApart = (): Promise<never> =>
  Promise.reject(
    tesseraError(
      'IDEMPOTENCY_UNAVAILABLE',
      'Idempotency keys require Redis if there are several workers; nothing was done.',
    ),
  )
