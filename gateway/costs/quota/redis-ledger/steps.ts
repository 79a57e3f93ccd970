/**
 * The steps of the ledger as Redis runs them, each atomic, by the clock of Redis alone.
 *
 * The book of an account is a hash: `used`, `closed`, `units:OPERATION`, `calls:OPERATION`, and `by:SOURCE:OPERATION`,
 * what one gateway has counted so far. Gateways write such totals and never differences: a step may be repeated, arrive
 * late, or be lost with a primary, and the next one of the same gateway makes the book right.
 *
 * Promises are its open reservations: a sorted set of `UNITS ID` by their expiry. A promise that was not settled by
 * then counts as spent, because its calls may have been made; `late:ID` remembers that for a late settlement.
 */
import { ForeignValue, type Kind, type SharedStep } from '../../../stores/index.ts'
import {
  type Account,
  type LedgerState,
  MemoryLedger,
  type Reservation,
  unknownOperation,
} from '../ledger.ts'
import type { PendingWrite } from './pending-writes.ts'

const keptMs = 24 * 3_600_000

const expiryOf = ({ endsAt }: Account): number => endsAt + keptMs

export const nameOf = ({ credential, day }: Account): string => `${day}:${credential}`

/** The book, and the promises. */
function keysOf(account: Account): readonly string[] {
  const book = `tessera:quota:{${nameOf(account)}}`
  return [book, `${book}:promises`]
}

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

/** Counts promises that have run out as spent. */
const lapse = `
local function lapse(expiry)
  for _, entry in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
    local units, id = string.match(entry, '^(%d+) (.+)$')
    redis.call('ZREM', KEYS[2], entry)
    if tonumber(units) > 0 then
      redis.call('HSET', KEYS[1], 'late:' .. id, units)
      redis.call('HINCRBY', KEYS[1], 'used', units)
      redis.call('HINCRBY', KEYS[1], 'units:unknown', units)
      redis.call('HINCRBY', KEYS[1], 'calls:unknown', 0)
      redis.call('PEXPIREAT', KEYS[1], expiry)
    end
  end
end`

/** Drops a promise, and takes back what it was charged if it had run out. */
const release = `
local function release(promise)
  redis.call('ZREM', KEYS[2], promise)
  local units, id = string.match(promise, '^(%d+) (.+)$')
  if redis.call('HDEL', KEYS[1], 'late:' .. id) == 1 then
    redis.call('HINCRBY', KEYS[1], 'used', -units)
    redis.call('HINCRBY', KEYS[1], 'units:unknown', -units)
  end
end`

/** Others may write to Redis. What Lua returns of a number beyond 2^63 is another number, and negative. */
function countFrom(value: unknown): number {
  const count = typeof value === 'string' && !/^\d{1,16}$/.test(value) ? Number.NaN : Number(value)
  if (!Number.isSafeInteger(count) || count < 0) throw new ForeignValue('the quota is no number of units')
  return count
}

interface Promised {
  readonly account: Account
  readonly id: string
  readonly units: number
  readonly limit: number | undefined
  readonly promiseMs: number
}

// ARGV: id, units, limit (-1: none), how long the promise holds, expiry of the book.
export const reserveStep: SharedStep<Promised, Reservation> = {
  redis: {
    lua: `${clock}${lapse}
lapse(ARGV[5])
local reserved = 0
for _, entry in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  reserved = reserved + tonumber(string.match(entry, '^(%d+)'))
end
local used = tonumber(redis.call('HGET', KEYS[1], 'used') or '0')
local closed = redis.call('HGET', KEYS[1], 'closed') == '1'
local limit = tonumber(ARGV[3])
local granted = not closed and (limit < 0 or used + reserved + tonumber(ARGV[2]) <= limit)
if granted then
  redis.call('ZADD', KEYS[2], now + ARGV[4], ARGV[2] .. ' ' .. ARGV[1])
  redis.call('PEXPIREAT', KEYS[2], ARGV[5])
end
return { granted and 1 or 0, used, reserved, closed and 1 or 0, time[1], time[2] }`,
    keys: ({ account }) => keysOf(account),
    args: ({ account, id, units, limit = -1, promiseMs }) => [id, units, limit, promiseMs, expiryOf(account)],
    read(reply) {
      const [granted, used, reserved, closed] = reply as readonly unknown[]
      const counts = { used: countFrom(used), reserved: countFrom(reserved) }
      return { granted: granted === 1, ...counts, closed: closed === 1 }
    },
    isTimed: true,
  },
}

interface Booked extends PendingWrite {
  /** Reservations that still hold, and how long. */
  readonly holding: readonly string[]
  readonly promiseMs: number
}

// ARGV: source, expiry of the book, closed (1 or 0), how many promises are settled, these, how many still hold, these,
// how long they hold, then operation, units, calls, …
export const bookStep: SharedStep<Booked, true> = {
  redis: {
    lua: `${clock}${release}
local at = 4
for i = at + 1, at + ARGV[at] do release(ARGV[i]) end
at = at + ARGV[at] + 1
local count = tonumber(ARGV[at])
local holdsFor = ARGV[at + count + 1]
for i = at + 1, at + count do
  local id = string.match(ARGV[i], '^%d+ (.+)$')
  if redis.call('HEXISTS', KEYS[1], 'late:' .. id) == 0 then redis.call('ZADD', KEYS[2], 'NX', now + holdsFor, ARGV[i]) end
end
if count > 0 then redis.call('PEXPIREAT', KEYS[2], ARGV[2]) end
for i = at + count + 2, #ARGV, 3 do
  local field = 'by:' .. ARGV[1] .. ':' .. ARGV[i]
  local units, calls = string.match(redis.call('HGET', KEYS[1], field) or '0 0', '^(%d+) (%d+)$')
  local moreUnits = math.max(0, ARGV[i + 1] - units)
  local moreCalls = math.max(0, ARGV[i + 2] - calls)
  if moreUnits > 0 or moreCalls > 0 then
    redis.call('HSET', KEYS[1], field, string.format('%d %d', units + moreUnits, calls + moreCalls))
    redis.call('HINCRBY', KEYS[1], 'used', moreUnits)
    redis.call('HINCRBY', KEYS[1], 'units:' .. ARGV[i], moreUnits)
    redis.call('HINCRBY', KEYS[1], 'calls:' .. ARGV[i], moreCalls)
  end
end
if ARGV[3] == '1' then redis.call('HSET', KEYS[1], 'closed', '1') end
redis.call('PEXPIREAT', KEYS[1], ARGV[2])
return { time[1], time[2] }`,
    keys: ({ account }) => keysOf(account),
    args: ({ account, source, closed, settled, holding, promiseMs, operations }) => [
      ...[source, expiryOf(account), closed ? 1 : 0],
      ...[settled.length, ...settled],
      ...[holding.length, ...holding, promiseMs],
      ...[...operations].flatMap(([operation, { units, calls }]) => [operation, units, calls]),
    ],
    read: () => true,
    isTimed: true,
  },
}

// Both keys at one moment. ARGV: expiry of the book.
export const readStep: SharedStep<Account, LedgerState> = {
  redis: {
    lua: `${clock}${lapse}
lapse(ARGV[1])
return { redis.call('HGETALL', KEYS[1]), redis.call('ZRANGE', KEYS[2], 0, -1) }`,
    keys: keysOf,
    args: (account) => [expiryOf(account)],
    read(reply) {
      const [pairs, entries] = reply as readonly [string[], string[]]
      const fields: Record<string, string> = {}
      for (let at = 0; at < pairs.length; at += 2) fields[pairs[at] ?? ''] = pairs[at + 1] ?? ''
      const operations: LedgerState['operations'] = Object.fromEntries(
        Object.entries(fields).flatMap(([key, value]) => {
          const [, name] = /^calls:(.+)$/.exec(key) ?? []
          const units = countFrom(fields[`units:${name}`] ?? 0)
          if (name === undefined || (name === unknownOperation && units === 0)) return []
          return [[name, { calls: countFrom(value), units }]]
        }),
      )
      return {
        used: countFrom(fields.used ?? 0),
        reserved: entries.reduce((sum, entry) => sum + countFrom(entry.split(' ', 1)[0]), 0),
        closed: fields.closed === '1',
        operations,
      }
    },
  },
}

interface Presence {
  readonly gateway: string
  readonly rememberedMs: number
  /** The set that `tessera check` uses, apart from that of all gateways. */
  readonly apart?: string
}

/** Returns the number of gateways. */
export const presenceStep: SharedStep<Presence, number> = {
  redis: {
    lua: `${clock}
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { redis.call('ZCARD', KEYS[1]), time[1], time[2] }`,
    keys: ({ apart = '' }) => [`tessera:quota:gateways${apart}`],
    args: ({ gateway, rememberedMs }) => [gateway, rememberedMs],
    read: (reply) => Math.max(1, Number((reply as readonly unknown[])[0])),
    isTimed: true,
  },
}

/** Changes nothing, because nothing has that name. */
const withdrawStep: SharedStep<string, unknown> = {
  redis: {
    command: 'zrem',
    keys: () => ['tessera:quota:gateways'],
    args: (id) => [id],
    read: (reply) => reply,
  },
}

export const ledgerKind: Kind<MemoryLedger> = {
  feature: 'quota',
  away: 'the shared quota ledger is unreachable: counting in this process until it is back',
  back: 'the shared quota ledger is back',
  memory: () => new MemoryLedger(),
  keys: ['tessera:quota:*'],
  steps: [reserveStep, bookStep, readStep, presenceStep],
  isConfirmed: true,
  async attempt(run, id) {
    const account = { credential: id, day: 'check', endsAt: Date.now() + 60_000 - keptMs }
    await run(reserveStep, { account, id, units: 1, limit: undefined, promiseMs: 1000 })
    const operations = new Map([['check', { units: 0, calls: 1 }]])
    const write = { account, source: 'check', operations, settled: [`1 ${id}`], closed: false }
    await run(bookStep, { ...write, holding: [], promiseMs: 1000 })
    await run(readStep, account)
    // Another gateway would make the share of each smaller.
    await run(presenceStep, { gateway: id, rememberedMs: 1000, apart: `:check:${id}` })
    await run(withdrawStep, id)
  },
}
