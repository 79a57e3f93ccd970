/**
 * Token buckets in Redis, for all replicas: one script on the server takes tokens, by the server's clock. While Redis
 * is away each process counts in its own buckets; the log says each change once. All keys have one hash tag, so that a
 * request takes from several buckets in one step on a cluster, too.
 */

import { createRedis, createSteps, longestFillerSeconds, type RedisUse } from '../../stores/redis/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import { createMemoryRates, type RateStore, tolerance } from './store.ts'

// KEYS: buckets. ARGV: the tolerance, then cost and capacity of each in milliseconds; a negative cost puts back what was not
// used. A bucket that is full again has no level, and stays for a while all the same, so that it ends after what anybody
// can store. Times are kept as texts: a number that Lua returns loses what stands behind the point.
const takeScript = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local levels, granted = {}, 1
for i, key in ipairs(KEYS) do
  local level = tonumber(redis.call('GET', key) or '0') - now
  if level < 0 then level = 0 end
  levels[i] = level
  if level + tonumber(ARGV[2 * i]) > tonumber(ARGV[2 * i + 1]) * (1 + tonumber(ARGV[1])) then granted = 0 end
end
for i, key in ipairs(KEYS) do
  if granted == 1 then
    levels[i] = levels[i] + tonumber(ARGV[2 * i])
    if levels[i] > 0 then
      redis.call('SET', key, string.format('%.3f', now + levels[i]), 'PX', math.ceil(levels[i]) + ${longestFillerSeconds * 1000})
    elseif tonumber(ARGV[2 * i]) < 0 then
      redis.call('DEL', key)
    end
  end
  levels[i] = string.format('%.3f', levels[i])
end
return { granted, unpack(levels) }`

export interface RedisRatesOptions {
  readonly url: string
  readonly log: Logger
}

export function createRedisRates({ url, log }: RedisRatesOptions): RateStore {
  const redis = createRedis(url)
  const local = createMemoryRates()
  const steps = createSteps(redis, log, {
    away: 'the shared rate limits are away: counting in this process until they are back',
    back: 'the shared rate limits are back',
  })
  return {
    async take(takes) {
      const answer = await steps.run(
        () =>
          redis.eval(
            takeScript,
            takes.length,
            ...takes.map(({ key }) => `{tessera:rate}:${key}`),
            tolerance,
            ...takes.flatMap(({ costMs, capacityMs }) => [costMs, capacityMs]),
          ) as Promise<readonly (number | string)[]>,
      )
      if (answer === undefined) return local.take(takes)
      const [granted, ...levels] = answer.map(Number)
      return { granted: granted === 1, levels }
    },
    async close() {
      redis.disconnect()
      await local.close()
    },
  }
}

export const ratesUse: RedisUse = {
  feature: 'rate limits',
  keys: ['{tessera:rate}:*'],
  commands: ['EVAL', 'TIME', 'GET', 'SET', 'DEL'],
  ask: (redis, id) => redis.eval(takeScript, 1, `{tessera:rate}:check:${id}`, tolerance, 1, 1000),
}
