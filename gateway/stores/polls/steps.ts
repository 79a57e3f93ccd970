/** What the members of a topic do in Redis, each as one step. */
import { hash } from 'node:crypto'
import type { LiveMark } from '../../../shared/polling.ts'
import type { Kind, Reply, SharedStep } from '../store.ts'

/** What a topic has in Redis. */
export interface TopicKeys {
  readonly lease: string
  readonly wants: string
  readonly alive: string
  readonly requests: string
  readonly log: string
  /** A channel. */
  readonly told: string
}

export const keysOf = (topic: string): TopicKeys => keysNamed(hash('sha256', topic, 'base64url').slice(0, 22))

function keysNamed(name: string): TopicKeys {
  const key = (part: string): string => `tessera:live:{${name}}:${part}`
  return {
    ...{ lease: key('lease'), wants: key('wants'), alive: key('alive') },
    ...{ requests: key('requests'), log: key('log'), told: key('told') },
  }
}

interface Member {
  readonly keys: TopicKeys
  readonly self: string
}

interface Tick extends Member {
  readonly leaseMs: number
  readonly want: string
  /** Whether it asks for the whole state. */
  readonly asks: boolean
}

interface Ticked {
  readonly leads: boolean
  /** Members and wants, alternating. */
  readonly all: readonly string[]
  /** The newest request, and the newest one that was served. */
  readonly asked: number
  readonly served: number
  /** The last entry of the log. */
  readonly end: string
}

/** The last entry of an empty log. */
export const noEntry = '0-0'

/**
 * Renews or takes the lease, announces what the member wants, forgets members that have been silent, and with `asks` asks
 * for the whole state. Requests have numbers that grow, also if Redis has lost the last one: they go by its clock.
 */
// KEYS: lease, wants, alive, requests, log. ARGV: member, lease in ms, want, asks, channel.
export const tickStep: SharedStep<Tick, Ticked> = {
  redis: {
    lua: `
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
return { leads, redis.call('HGETALL', KEYS[2]), asked, served, newest and newest[1] or '0-0' }`,
    keys: ({ keys: { lease, wants, alive, requests, log } }) => [lease, wants, alive, requests, log],
    args: ({ keys, self, leaseMs, want, asks }) => [self, leaseMs, want, asks ? '1' : '0', keys.told],
    read(reply) {
      const [leads, all, asked, served, end] = reply as readonly [number, string[], number, number, string]
      return { leads: leads === 1, all, asked, served, end }
    },
  },
}

/** Gives the lease back. */
// KEYS: lease, wants, alive. ARGV: member.
export const leaveStep: SharedStep<Member, true> = {
  redis: {
    lua: `
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`,
    keys: ({ keys: { lease, wants, alive } }) => [lease, wants, alive],
    args: ({ self }) => [self],
    read: () => true,
  },
}

interface Told extends Member {
  readonly text: string
  /** What was known when the poll began. */
  readonly mark: LiveMark
  /** Whether that one and all before it are served. */
  readonly whole: boolean
}

/** How many entries of a log are kept, and for how long after the last one. */
const keptEntries = 500
const keptMs = 600_000

/**
 * Only the leader adds to the log, and only if no other process has added to it since the poll began. Returns whether
 * the message was added.
 */
// KEYS: lease, log, requests. ARGV: member, text, entries, ms, channel, request, whole, last entry that was heard.
export const tellStep: SharedStep<Told, boolean> = {
  redis: {
    lua: `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if newest and ARGV[8] ~= '' and newest[1] ~= ARGV[8] and newest[2][2] ~= ARGV[1] then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', 'from', ARGV[1], 'text', ARGV[2], 'mark', ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
if ARGV[7] == '1' and ARGV[6] ~= '0' then redis.call('HSET', KEYS[3], 'served', ARGV[6]) end
redis.call('PUBLISH', ARGV[5], 'log')
return 1`,
    keys: ({ keys: { lease, log, requests } }) => [lease, log, requests],
    args: ({ keys, self, text, mark, whole }) => [
      ...[self, text, keptEntries, keptMs, keys.told, mark.asked, whole ? '1' : '0', mark.heard ?? ''],
    ],
    read: (reply) => reply === 1,
  },
}

export const publishStep: SharedStep<{ readonly keys: TopicKeys; readonly text: string }, true> = {
  redis: {
    command: 'publish',
    keys: ({ keys }) => [keys.told],
    args: ({ text }) => [text],
    read: () => true,
  },
}

export const endStep: SharedStep<TopicKeys, string> = {
  redis: {
    command: 'xrevrange',
    keys: ({ log }) => [log],
    args: () => ['+', '-', 'COUNT', 1],
    read: (reply) => entriesOf(reply)[0]?.id ?? noEntry,
  },
}

export const readAtOnce = 100

interface LogEntry {
  readonly id: string
  readonly from?: string | undefined
  readonly text?: string | undefined
  /** Gateways of earlier versions have none. */
  readonly mark?: string | undefined
}

/** The entries of the log behind one. */
export const readStep: SharedStep<{ readonly keys: TopicKeys; readonly last: string }, readonly LogEntry[]> =
  {
    redis: {
      command: 'xrange',
      keys: ({ keys }) => [keys.log],
      args: ({ last }) => [`(${last}`, '+', 'COUNT', readAtOnce],
      read: (reply) => entriesOf(reply),
    },
  }

function entriesOf(reply: Reply): readonly LogEntry[] {
  return (reply as readonly (readonly [string, readonly string[]])[]).map(([id, fields]) => {
    const [, from, , text, , mark] = fields
    return { id, from, text, mark }
  })
}

export const liveKind: Kind<undefined> = {
  feature: 'subscriptions that share pollers',
  away: 'Redis is away: this gateway polls for its subscriptions by itself until it is back',
  back: 'Redis is back: gateways poll for subscriptions as one',
  memory: () => undefined,
  keys: ['tessera:live:*'],
  channels: ['tessera:live:*'],
  steps: [tickStep, leaveStep, tellStep, publishStep, endStep, readStep],
  async attempt(run, id) {
    const member = { keys: keysNamed(`check:${id}`), self: id }
    await run(tickStep, { ...member, leaseMs: 1000, want: '', asks: true })
    await run(tellStep, { ...member, text: '0', mark: { asked: 1, heard: undefined }, whole: true })
    await run(endStep, member.keys)
    await run(readStep, { ...member, last: noEntry })
    await run(leaveStep, member)
    await run(publishStep, { ...member, text: 'left' })
  },
}
