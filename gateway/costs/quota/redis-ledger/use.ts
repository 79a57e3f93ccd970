/** The commands of the ledger to Redis. */
import type { RedisUse } from '../../../stores/redis/index.ts'
import { bookScript, presenceScript, readScript, reserveScript } from './scripts.ts'

/** Changes nothing, because nothing has that name. */
const withdrawScript = `return redis.call('ZREM', KEYS[1], ARGV[1])`

export const ledgerUse: RedisUse = {
  feature: 'quota',
  keys: ['tessera:quota:*'],
  commands: [
    ...['EVAL', 'TIME', 'HGET', 'HSET', 'HDEL', 'HEXISTS', 'HINCRBY', 'HGETALL', 'PEXPIRE', 'PEXPIREAT'],
    ...['ZADD', 'ZREM', 'ZRANGE', 'ZCARD', 'ZRANGEBYSCORE', 'ZREMRANGEBYSCORE'],
  ],
  async ask(redis, id) {
    const book = `tessera:quota:{check:${id}}`
    const keys = [book, `${book}:promises`]
    const ends = Date.now() + 60_000
    await redis.eval(reserveScript, 2, ...keys, id, 1, -1, 1000, ends)
    await redis.eval(bookScript, 2, ...keys, 'check', ends, 0, 1, `1 ${id}`, 0, 1000, 'check', 0, 1)
    await redis.eval(readScript, 2, ...keys)
    // Another gateway would make the share of each smaller.
    await redis.eval(presenceScript, 1, `tessera:quota:gateways:check:${id}`, id, 1000)
    await redis.eval(withdrawScript, 1, 'tessera:quota:gateways', id)
  },
}
