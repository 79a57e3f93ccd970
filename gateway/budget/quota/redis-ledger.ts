/**
 * The ledger in Redis, for all replicas: each step is one script, atomic on the server. Where Redis is away
 * the operation goes on by this process's own ledger; what it books meanwhile is kept and brought there as
 * soon as Redis is back, and the log says each turn once.
 */
import type { Logger } from '../../observe/log.ts'
import { createRedis, createSteps } from '../../redis/index.ts'
import {
  type Account,
  createMemoryLedger,
  type Ledger,
  type LedgerState,
  type Reservation,
  type Spending,
} from './ledger.ts'

/** Promises of a process that died are forgotten after this long. */
const promiseMs = 120_000

// KEYS: book, promises. ARGV: now, id, units, limit (-1: none), expiry of the promise, expiry of the book.
const reserveScript = `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])
local reserved = 0
for _, entry in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  reserved = reserved + tonumber(string.match(entry, '^(%d+)'))
end
local used = tonumber(redis.call('HGET', KEYS[1], 'used') or '0')
local closed = redis.call('HGET', KEYS[1], 'closed') == '1'
local limit = tonumber(ARGV[4])
local granted = not closed and (limit < 0 or used + reserved + tonumber(ARGV[3]) <= limit)
if granted then
  redis.call('ZADD', KEYS[2], ARGV[5], ARGV[3] .. ' ' .. ARGV[2])
  redis.call('PEXPIREAT', KEYS[2], ARGV[6])
end
return { granted and 1 or 0, used, reserved, closed and 1 or 0 }`

// KEYS: book, promises. ARGV: promise (or empty), expiry of the book, then operation, units, calls, …
const settleScript = `
if ARGV[1] ~= '' then redis.call('ZREM', KEYS[2], ARGV[1]) end
for i = 3, #ARGV, 3 do
  redis.call('HINCRBY', KEYS[1], 'used', ARGV[i + 1])
  redis.call('HINCRBY', KEYS[1], 'units:' .. ARGV[i], ARGV[i + 1])
  redis.call('HINCRBY', KEYS[1], 'calls:' .. ARGV[i], ARGV[i + 2])
end
redis.call('PEXPIREAT', KEYS[1], ARGV[2])
return 1`

export interface RedisLedgerOptions {
  readonly url: string
  readonly log: Logger
  readonly now?: (() => number) | undefined
}

interface Owed {
  readonly account: Account
  readonly spent: Readonly<Record<string, Spending>>
}

export function createRedisLedger({ url, log, now = Date.now }: RedisLedgerOptions): Ledger {
  const redis = createRedis(url)
  const local = createMemoryLedger()
  const promises = new Map<string, string>()
  let owed: Owed[] = []
  redis.on('ready', () => void payBack())
  const { run: remote } = createSteps(redis, log, {
    away: 'the shared quota ledger is away: counting in this process until it is back',
    back: 'the shared quota ledger is back',
  })

  const keysOf = ({ credential, day }: Account): [string, string] => {
    const book = `tessera:quota:{${day}:${credential}}`
    return [book, `${book}:promises`]
  }
  const expiryOf = ({ endsAt }: Account): number => endsAt + 24 * 3_600_000

  function book(
    account: Account,
    promise: string,
    spent: Readonly<Record<string, Spending>>,
  ): Promise<unknown> {
    const entries = Object.entries(spent).flatMap(([operation, { units, calls }]) => [
      operation,
      units,
      calls,
    ])
    return redis.eval(settleScript, 2, ...keysOf(account), promise, expiryOf(account), ...entries)
  }

  async function payBack(): Promise<void> {
    const waiting = owed
    owed = []
    for (const debt of waiting) {
      if ((await remote(() => book(debt.account, '', debt.spent))) === undefined) owed.push(debt)
    }
  }

  return {
    async reserve(account, id, units, limit): Promise<Reservation> {
      const answer = await remote(
        () =>
          redis.eval(
            reserveScript,
            2,
            ...keysOf(account),
            now(),
            id,
            units,
            limit ?? -1,
            now() + promiseMs,
            expiryOf(account),
          ) as Promise<[number, number, number, number]>,
      )
      if (answer === undefined) return local.reserve(account, id, units, limit)
      const [granted, used, reserved, closed] = answer.map(Number) as [number, number, number, number]
      if (granted === 1) promises.set(id, `${units} ${id}`)
      return { granted: granted === 1, used, reserved, closed: closed === 1 }
    },

    async settle(account, id, spent) {
      // The local ledger knows what this process spent, for the time when Redis is away.
      await local.settle(account, id, spent)
      const promise = promises.get(id) ?? ''
      promises.delete(id)
      if (promise === '' && Object.keys(spent).length === 0) return
      if ((await remote(() => book(account, promise, spent))) === undefined) owed.push({ account, spent })
    },

    async shut(account) {
      await local.shut(account)
      await remote(() => redis.hset(keysOf(account)[0], 'closed', '1'))
      await remote(() => redis.pexpireat(keysOf(account)[0], String(expiryOf(account))))
    },

    async read(account): Promise<LedgerState> {
      const fields = await remote(() => redis.hgetall(keysOf(account)[0]))
      const entries =
        fields === undefined ? undefined : await remote(() => redis.zrange(keysOf(account)[1], '0', '-1'))
      if (fields === undefined || entries === undefined) return local.read(account)
      const operations: Record<string, Spending> = {}
      for (const [key, value] of Object.entries(fields)) {
        const [, name] = /^calls:(.+)$/.exec(key) ?? []
        if (name !== undefined)
          operations[name] = { calls: Number(value), units: Number(fields[`units:${name}`] ?? 0) }
      }
      return {
        used: Number(fields.used ?? 0),
        reserved: entries.reduce((sum, entry) => sum + Number.parseInt(entry, 10), 0),
        closed: fields.closed === '1',
        operations,
      }
    },

    async close() {
      await payBack()
      redis.disconnect()
      await local.close()
    },
  }
}
