/** What the members of a topic do in Redis, each as one step. */

/**
 * Renews or takes the lease, announces what the member wants, forgets members that have been silent, and with `asks` asks
 * for the whole state. Requests have numbers that grow, also if Redis has lost the last one: they go by its clock.
 * KEYS: lease, wants, alive, requests, log. ARGV: member, lease in ms, want, asks, channel. Returns whether it leads,
 * members and wants, the newest request, the newest one that was served, and the last entry of the log.
 */
export const tickScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holder = redis.call('GET', KEYS[1])
local leads = 0
if holder == ARGV[1] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  leads = 1
elseif not holder then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  leads = 1
end
local silence = math.max(tonumber(ARGV[2]) * 2, 30000)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('ZADD', KEYS[3], now + silence, ARGV[1])
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now)) do
  redis.call('HDEL', KEYS[2], gone)
  redis.call('ZREM', KEYS[3], gone)
end
local asked = tonumber(redis.call('HGET', KEYS[4], 'asked') or '0')
local served = tonumber(redis.call('HGET', KEYS[4], 'served') or '0')
if ARGV[4] == '1' then
  asked = math.max(asked + 1, time[1] * 1000000 + time[2])
  redis.call('HSET', KEYS[4], 'asked', string.format('%.0f', asked))
  redis.call('PUBLISH', ARGV[5], 'asks')
end
for at = 2, 4 do redis.call('PEXPIRE', KEYS[at], silence * 2) end
local newest = redis.call('XREVRANGE', KEYS[5], '+', '-', 'COUNT', 1)[1]
return { leads, redis.call('HGETALL', KEYS[2]), asked, served, newest and newest[1] or '0-0' }`

/** KEYS: lease, wants, alive. ARGV: member. Gives the lease back. */
export const leaveScript = `
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`

/**
 * Only who leads adds to the log: returns whether it was added. KEYS: lease, log, requests. ARGV: member, text, entries, ms,
 * channel, the request that was known when the poll began, whether that one and all before it are served.
 */
export const tellScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', 'from', ARGV[1], 'text', ARGV[2], 'mark', ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
if ARGV[7] == '1' and ARGV[6] ~= '0' then redis.call('HSET', KEYS[3], 'served', ARGV[6]) end
redis.call('PUBLISH', ARGV[5], 'log')
return 1`
