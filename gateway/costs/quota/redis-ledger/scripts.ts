/**
 * The steps of the ledger as Redis runs them, each atomic, by the clock of Redis alone.
 *
 * A book is a hash: `used`, `closed`, `units:OPERATION` and `calls:OPERATION`, and `by:SOURCE:OPERATION`, what one
 * gateway has counted so far. Gateways write such totals and never differences: a step may be repeated, arrive late, or
 * be lost with a primary, and the next one of the same gateway makes the book right.
 *
 * Promises are a sorted set of `UNITS ID` by when they run out. One that was not settled by then counts as spent, since
 * its calls may have been made; `late:ID` remembers that, for a settlement that comes after all.
 */

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

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

// KEYS: book, promises. ARGV: id, units, limit (-1: none), how long the promise holds, expiry of the book.
export const reserveScript = `${clock}
for _, entry in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
  local units, id = string.match(entry, '^(%d+) (.+)$')
  redis.call('ZREM', KEYS[2], entry)
  if tonumber(units) > 0 then
    redis.call('HSET', KEYS[1], 'late:' .. id, units)
    redis.call('HINCRBY', KEYS[1], 'used', units)
    redis.call('HINCRBY', KEYS[1], 'units:unknown', units)
    redis.call('HINCRBY', KEYS[1], 'calls:unknown', 0)
    redis.call('PEXPIREAT', KEYS[1], ARGV[5])
  end
end
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
return { granted and 1 or 0, used, reserved, closed and 1 or 0, time[1], time[2] }`

// KEYS: book, promises. ARGV: source, expiry of the book, closed (1 or 0), how many promises are settled, these, how
// many still hold, these, how long they hold, then operation, units, calls, …
export const bookScript = `${clock}${release}
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
return { time[1], time[2] }`

// KEYS: book, promises. Both at one moment.
export const readScript = `return { redis.call('HGETALL', KEYS[1]), redis.call('ZRANGE', KEYS[2], 0, -1) }`

// KEYS: the gateways. ARGV: the name of one, how long it is remembered. Returns how many there are.
export const presenceScript = `${clock}
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { redis.call('ZCARD', KEYS[1]), time[1], time[2] }`
