/**
 * Pollers of several gateways as one, over Redis: for each topic a lease that its holder renews, the wants of all, and a
 * log of what the holder learned, with a message that tells of each addition. A log is read from the last entry on, so
 * that nothing is lost while a connection is made anew. Where Redis is away each gateway leads by itself.
 */
import { hash, randomUUID } from 'node:crypto'
import { parseExactly } from '../../contract/json/exact-number.ts'
import type { LiveMember, LiveRoom, LiveStore } from '../../contract/live.ts'
import type { Logger } from '../observe/log.ts'
import { createRedis, tellAbsence } from '../redis/index.ts'

/** The lease is a little longer than the interval between polls, so that another leads before the second is over. */
const leaseShare = 1.5
const shortestLeaseMs = 1500
const longestLeaseMs = 15_000
/** How often a lease is renewed, or tried for, within its time. */
const triesWithin = 3
/** How long the first topic waits for the connection. */
const firstTryMs = 1000
/** How many entries of a log are kept, and for how long after the last one. */
const keptEntries = 500
const keptMs = 600_000
/** How many entries are read at once. */
const readAtOnce = 100

/**
 * Renews or takes the lease, announces what the member wants, and forgets members that have been silent.
 * KEYS: lease, wants, alive. ARGV: member, lease in ms, want. Returns whether it leads, then members and wants.
 */
const tickScript = `
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
redis.call('PEXPIRE', KEYS[2], silence * 2)
redis.call('PEXPIRE', KEYS[3], silence * 2)
return { leads, redis.call('HGETALL', KEYS[2]) }`

/** KEYS: lease, wants, alive. ARGV: member. Gives the lease back. */
const leaveScript = `
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`

/** Only who leads adds to the log. KEYS: lease, log. ARGV: member, text, entries, ms, channel. */
const tellScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', 'from', ARGV[1], 'text', ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('PUBLISH', ARGV[5], 'log')
return 1`

interface Room {
  readonly member: LiveMember
  readonly keys: readonly [lease: string, wants: string, alive: string, log: string]
  readonly channel: string
  want: string
  leaseMs: number
  leading: boolean | undefined
  /** Since when it leads because Redis is away (`performance.now()`), and whether it has learned something since. */
  aloneSince: number | undefined
  learnedAlone: boolean
  others: string
  /** The last entry of the log that was read; undefined until it is known where the log ends. */
  last: string | undefined
  reading: Promise<void> | undefined
  readAgain: boolean
  ticking: boolean
  timer: NodeJS.Timeout | undefined
  left: boolean
}

export interface RedisLiveOptions {
  readonly url: string
  readonly log: Logger
}

export function createRedisLiveStore({ url, log }: RedisLiveOptions): LiveStore {
  const self = randomUUID()
  const redis = createRedis(url)
  const listener = createRedis(url)
  const rooms = new Map<string, Room>()
  const goneAway = tellAbsence(redis, log, {
    away: 'Redis is away: this gateway polls for its subscriptions by itself until it is back',
    back: 'Redis is back: gateways poll for subscriptions as one',
  })

  redis.on('ready', () => {
    for (const room of rooms.values()) void tick(room)
  })
  listener.on('ready', () => {
    for (const room of rooms.values()) void listen(room)
  })
  listener.on('message', (channel: string, text: string) => {
    const room = rooms.get(channel)
    if (room === undefined) return
    if (text === 'log') read(room)
    else void tick(room)
  })
  let connected = false
  /** With the first topic: a gateway without subscriptions needs no connection. */
  function connect(): void {
    if (connected) return
    connected = true
    redis.connect().catch(goneAway)
    listener.connect().catch(() => {
      // The other connection tells of it.
    })
  }

  async function listen(room: Room): Promise<void> {
    try {
      await listener.subscribe(room.channel)
      // What was added while nothing was heard.
      read(room)
    } catch {
      // It is done again as soon as the connection is there.
    }
  }

  function lead(room: Room, leading: boolean): void {
    if (room.left || room.leading === leading) return
    room.leading = leading
    room.member.lead(leading)
  }

  async function tick(room: Room): Promise<void> {
    if (room.left || room.ticking) return
    room.ticking = true
    clearTimeout(room.timer)
    const [lease, wants, alive] = room.keys
    try {
      if (room.last === undefined) await findEnd(room)
      const [leads, all] = (await redis.eval(
        tickScript,
        3,
        lease,
        wants,
        alive,
        self,
        String(room.leaseMs),
        room.want,
      )) as [number, string[]]
      if (!room.left) {
        // Who begins to lead goes on from all that was learned before.
        if ((leads === 1 && room.leading !== true) || room.aloneSince !== undefined) await readOn(room)
        room.aloneSince = undefined
        room.learnedAlone = false
        tellWants(room, all)
        lead(room, leads === 1)
      }
    } catch {
      goneAway()
      room.aloneSince ??= performance.now()
      tellWants(room, [])
      lead(room, true)
    } finally {
      room.ticking = false
      if (!room.left) room.timer = setTimeout(() => void tick(room), room.leaseMs / triesWithin).unref()
    }
  }

  /** `all`: members and wants, by turns. */
  function tellWants(room: Room, all: readonly string[]): void {
    const others: string[] = []
    for (let at = 0; at + 1 < all.length; at += 2) {
      const want = all[at + 1]
      if (all[at] !== self && want !== undefined && want !== '') others.push(want)
    }
    const text = others.sort().join('\n')
    if (text === room.others) return
    room.others = text
    room.member.wants(others.map(parseExactly))
  }

  async function findEnd(room: Room): Promise<void> {
    const [, , , logKey] = room.keys
    const [newest] = await redis.xrevrange(logKey, '+', '-', 'COUNT', 1)
    room.last ??= newest?.[0] ?? '0-0'
  }

  function read(room: Room): void {
    readOn(room).catch(() => {
      // It is read at the next message, or when the connection is there again.
    })
  }

  /**
   * Until when, by the clock of Redis, additions to the log are older than what this gateway has learned by itself while
   * Redis was away: 0 where it has learned nothing.
   */
  async function knownUntil({ aloneSince, learnedAlone }: Room): Promise<number> {
    if (aloneSince === undefined || !learnedAlone) return 0
    const [seconds, microseconds] = await redis.time()
    return Number(seconds) * 1000 + Number(microseconds) / 1000 - (performance.now() - aloneSince)
  }

  /** Hands over everything that was added and is news here; one at a time, in order. */
  function readOn(room: Room): Promise<void> {
    if (room.reading !== undefined) {
      room.readAgain = true
      return room.reading
    }
    room.reading = (async () => {
      do {
        room.readAgain = false
        const known = await knownUntil(room)
        for (;;) {
          const { last } = room
          if (last === undefined || room.left) return
          const [, , , logKey] = room.keys
          const entries = await redis.xrange(logKey, `(${last}`, '+', 'COUNT', readAtOnce)
          for (const [id, fields] of entries) {
            room.last = id
            const [, from, , text] = fields
            if (from === self || text === undefined || room.left || timeOf(id) <= known) continue
            room.member.hear(parseExactly(text))
          }
          if (entries.length < readAtOnce) break
        }
      } while (room.readAgain)
    })().finally(() => {
      room.reading = undefined
    })
    return room.reading
  }

  return {
    join(topic, member): LiveRoom {
      const name = `tessera:live:{${hash('sha256', topic, 'base64url').slice(0, 22)}}`
      const room: Room = {
        member,
        keys: [`${name}:lease`, `${name}:wants`, `${name}:alive`, `${name}:log`],
        channel: `${name}:told`,
        want: '',
        leaseMs: longestLeaseMs,
        leading: undefined,
        aloneSince: undefined,
        learnedAlone: false,
        others: '',
        last: undefined,
        reading: undefined,
        readAgain: false,
        ticking: false,
        timer: undefined,
        left: false,
      }
      rooms.set(room.channel, room)
      connect()
      if (listener.status === 'ready') void listen(room)
      // Where it is being connected, the first step is taken when it is.
      if (redis.status === 'ready') setImmediate(() => void tick(room))
      else room.timer = setTimeout(() => void tick(room), firstTryMs)
      return {
        want(want) {
          room.want = JSON.stringify(want) ?? ''
          void tick(room)
            .then(() => redis.publish(room.channel, 'wants'))
            .catch(() => {})
        },
        tell(message) {
          const [lease, , , logKey] = room.keys
          const text = JSON.stringify(message)
          const learnedAt = performance.now()
          if (room.aloneSince !== undefined) room.learnedAlone = true
          redis
            .eval(tellScript, 2, lease, logKey, self, text, String(keptEntries), String(keptMs), room.channel)
            .catch(() => {
              // It was learned before this gateway knew that Redis is away.
              room.aloneSince ??= learnedAt
              room.learnedAlone = true
              goneAway()
            })
        },
        pace(milliseconds) {
          const wanted = Math.round(milliseconds * leaseShare)
          room.leaseMs = Math.min(Math.max(wanted, shortestLeaseMs), longestLeaseMs)
        },
        leave() {
          room.left = true
          clearTimeout(room.timer)
          if (rooms.get(room.channel) === room) rooms.delete(room.channel)
          const [lease, wants, alive] = room.keys
          redis
            .eval(leaveScript, 3, lease, wants, alive, self)
            // Another one need not wait until the lease is over.
            .then(() => redis.publish(room.channel, 'left'))
            .catch(() => {})
          if (!rooms.has(room.channel)) listener.unsubscribe(room.channel).catch(() => {})
        },
      }
    },
    async close() {
      for (const room of rooms.values()) {
        room.left = true
        clearTimeout(room.timer)
      }
      rooms.clear()
      redis.disconnect()
      listener.disconnect()
    },
  }
}

/** When an entry was added, by the clock of Redis: what its id begins with. */
const timeOf = (id: string): number => Number(id.slice(0, id.indexOf('-')))
