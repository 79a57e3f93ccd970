/** What pollers that work as one ask of Redis. */
import type { RedisUse } from '../redis/index.ts'
import { leaveScript, tellScript, tickScript } from './scripts.ts'

export const liveUse: RedisUse = {
  feature: 'subscriptions that share pollers',
  keys: ['tessera:live:*'],
  channels: ['tessera:live:*'],
  commands: [
    ...['EVAL', 'TIME', 'GET', 'SET', 'DEL', 'PEXPIRE', 'HGET', 'HSET', 'HDEL', 'HGETALL', 'ZADD', 'ZREM'],
    ...['ZRANGEBYSCORE', 'XADD', 'XRANGE', 'XREVRANGE', 'PUBLISH', 'SUBSCRIBE', 'UNSUBSCRIBE'],
  ],
  async ask(redis, id) {
    const name = `tessera:live:{check:${id}}`
    const [lease, wants, alive, requests, log] = ['lease', 'wants', 'alive', 'requests', 'log'].map(
      (part) => `${name}:${part}`,
    ) as [string, string, string, string, string]
    const channel = `${name}:told`
    await redis.eval(tickScript, 5, lease, wants, alive, requests, log, id, 1000, '', '1', channel)
    await redis.eval(tellScript, 3, lease, log, requests, id, '0', 1, 1000, channel, '1', '1')
    await redis.xrevrange(log, '+', '-', 'COUNT', 1)
    await redis.xrange(log, '-', '+', 'COUNT', 1)
    await redis.eval(leaveScript, 3, lease, wants, alive, id)
    await redis.publish(channel, 'left')
    // Last: a connection that listens does nothing else.
    await redis.subscribe(channel)
    await redis.unsubscribe(channel)
  },
}
