/**
 * Pollers that several gateways share over Redis. Each topic has a lease that its holder renews, the wants of all
 * members, and a log of what the holder learned, with a message for each addition. A log is read from the last entry
 * on, so that nothing is lost during a reconnection. While Redis is away each gateway leads by itself. Afterwards the
 * others ask for the whole state, and older entries of the log count as older than what they learned alone.
 */
import { hash, randomUUID } from 'node:crypto'
import { parseExactly } from '../../../shared/json/exact-number.ts'
import type { LiveMember, LiveRoom, LiveStore } from '../../../shared/polling.ts'
import type { Logger } from '../../telemetry/log.ts'
import { createRedis, tellAbsence } from '../redis/index.ts'
import { leaveScript, tellScript, tickScript } from './scripts.ts'

/**
 * The lease is slightly longer than the interval between polls, so that another member leads before the second interval
 * is over.
 */
const leaseShare = 1.5
const shortestLeaseMs = 1500
const longestLeaseMs = 15_000
/** How often a lease is renewed, or requested, within its time. */
const triesWithin = 3
/** How long the first topic waits for the connection. */
const firstTryMs = 1000
/** How many entries of a log are kept, and for how long after the last one. */
const keptEntries = 500
const keptMs = 600_000
/** How many entries are read at once. */
const readAtOnce = 100
/** The last entry of an empty log. */
const noEntry = '0-0'

interface Room {
  readonly member: LiveMember
  readonly keys: readonly [lease: string, wants: string, alive: string, requests: string, log: string]
  readonly channel: string
  want: string
  leaseMs: number
  leading: boolean | undefined
  /** Messages of others may have been lost since it last asked for the whole state, or messages to others. */
  lost: boolean
  /**
   * A poll must have known this request for the whole state to be newer than what was learned here: 0 if the others
   * have heard of everything, infinite until the state is requested.
   */
  needs: number
  /** The newest request of all members, and the one for which the member was told to publish the whole state. */
  asked: number
  renewed: number
  others: string
  /** The last entry of the log that was read; undefined until the end of the log is known. */
  last: string | undefined
  reading: Promise<void> | undefined
  readAgain: boolean
  ticking: Promise<void> | undefined
  tickAgain: boolean
  timer: NodeJS.Timeout | undefined
  left: boolean
}

export interface RedisLiveOptions {
  readonly url: string
  readonly log: Logger
  /** The timeout of a command, in milliseconds: after it Redis counts as away. 1000. */
  readonly commandMs?: number
}

export function createRedisLiveStore(options: RedisLiveOptions): LiveStore {
  return new RedisLiveStore(options)
}

class RedisLiveStore implements LiveStore {
  readonly #self = randomUUID()
  readonly #redis
  readonly #listener
  readonly #rooms = new Map<string, Room>()
  readonly #goneAway
  readonly #notHeard
  #connected = false

  constructor({ url, log, commandMs = 1000 }: RedisLiveOptions) {
    this.#redis = createRedis(url, { commandMs })
    this.#listener = createRedis(url, { commandMs })
    this.#goneAway = tellAbsence(this.#redis, log, {
      away: 'Redis is away: this gateway polls for its subscriptions by itself until it is back',
      back: 'Redis is back: gateways poll for subscriptions as one',
    })
    this.#notHeard = tellAbsence(this.#listener, log, {
      away: 'messages of other gateways do not come here: what they learn for subscriptions is late until they do',
      back: 'messages of other gateways come here again',
    })
    let wasReady = false
    this.#redis.on('ready', () => {
      for (const room of this.#rooms.values()) {
        // The address may now lead to another Redis, which may lack some of the additions.
        if (wasReady) room.lost = true
        void this.#tick(room)
      }
      wasReady = true
    })
    this.#listener.on('ready', () => {
      for (const room of this.#rooms.values()) void this.#listen(room)
    })
    this.#listener.on('message', (channel: string, text: string) => {
      const room = this.#rooms.get(channel)
      if (room === undefined) return
      if (text === 'log') this.#read(room)
      else if (text !== 'asks' || room.leading === true) void this.#tick(room)
    })
  }

  join(topic: string, member: LiveMember): LiveRoom {
    const name = `tessera:live:{${hash('sha256', topic, 'base64url').slice(0, 22)}}`
    const room: Room = {
      member,
      keys: [`${name}:lease`, `${name}:wants`, `${name}:alive`, `${name}:requests`, `${name}:log`],
      channel: `${name}:told`,
      want: '',
      leaseMs: longestLeaseMs,
      leading: undefined,
      lost: false,
      needs: 0,
      asked: 0,
      renewed: 0,
      others: '',
      last: undefined,
      reading: undefined,
      readAgain: false,
      ticking: undefined,
      tickAgain: false,
      timer: undefined,
      left: false,
    }
    this.#rooms.set(room.channel, room)
    this.#connect()
    if (this.#listener.status === 'ready') void this.#listen(room)
    // If it is being connected, the first step is taken when it is.
    if (this.#redis.status === 'ready') setImmediate(() => void this.#tick(room))
    else room.timer = setTimeout(() => void this.#tick(room), firstTryMs)
    return {
      want: (want) => {
        room.want = JSON.stringify(want) ?? ''
        // The first step announces it.
        if (room.leading === undefined && this.#redis.status !== 'ready') return
        void this.#tick(room)
          .then(() => this.#redis.publish(room.channel, 'wants'))
          .catch(() => {})
      },
      get mark() {
        return room.asked
      },
      tell: (message, mark, whole = false) => {
        const [lease, , , requests, logKey] = room.keys
        const text = JSON.stringify(message)
        if (room.lost) this.#learnedAlone(room)
        this.#redis
          .eval(
            tellScript,
            3,
            lease,
            logKey,
            requests,
            this.#self,
            text,
            String(keptEntries),
            String(keptMs),
            room.channel,
            String(mark),
            whole ? '1' : '0',
          )
          .then(
            (added) => {
              if (added === 1) return
              // Another member leads, and this gateway has not noticed yet.
              this.#learnedAlone(room)
              void this.#tick(room)
            },
            (error: unknown) => {
              this.#learnedAlone(room)
              this.#goneAway(error)
            },
          )
      },
      pace(milliseconds) {
        const wanted = Math.round(milliseconds * leaseShare)
        room.leaseMs = Math.min(Math.max(wanted, shortestLeaseMs), longestLeaseMs)
      },
      leave: () => {
        room.left = true
        clearTimeout(room.timer)
        if (this.#rooms.get(room.channel) === room) this.#rooms.delete(room.channel)
        const [lease, wants, alive] = room.keys
        this.#redis
          .eval(leaveScript, 3, lease, wants, alive, this.#self)
          // Another member need not wait until the lease expires.
          .then(() => this.#redis.publish(room.channel, 'left'))
          .catch(() => {})
        if (!this.#rooms.has(room.channel)) this.#listener.unsubscribe(room.channel).catch(() => {})
      },
    }
  }

  async close(): Promise<void> {
    for (const room of this.#rooms.values()) {
      room.left = true
      clearTimeout(room.timer)
    }
    this.#rooms.clear()
    this.#redis.disconnect()
    this.#listener.disconnect()
  }

  /** With the first topic: a gateway without subscriptions needs no connection. */
  #connect(): void {
    if (this.#connected) return
    this.#connected = true
    this.#redis.connect().catch(this.#goneAway)
    this.#listener.connect().catch(() => {
      // The other connection reports it.
    })
  }

  async #listen(room: Room): Promise<void> {
    try {
      await this.#listener.subscribe(room.channel)
      // What was added while no message arrived.
      this.#read(room)
    } catch (error) {
      // It is repeated as soon as the connection is there; the other connection's report is not logged twice.
      if (this.#listener.status === 'ready') this.#notHeard(error)
    }
  }

  #lead(room: Room, leading: boolean): void {
    if (room.left || room.leading === leading) return
    room.leading = leading
    room.renewed = 0
    room.member.lead(leading)
  }

  /** If a step is under way another one follows, so that everything announced meanwhile is known when it resolves. */
  #tick(room: Room): Promise<void> {
    room.tickAgain = true
    room.ticking ??= (async () => {
      clearTimeout(room.timer)
      while (room.tickAgain && !room.left) {
        room.tickAgain = false
        await this.#step(room)
      }
      room.ticking = undefined
      if (!room.left) room.timer = setTimeout(() => void this.#tick(room), room.leaseMs / triesWithin).unref()
    })()
    return room.ticking
  }

  async #step(room: Room): Promise<void> {
    // Not before it has ceased to lead: what it learns by itself would be newer than the requested state.
    const asks = room.lost && room.leading === false
    try {
      if (room.last === undefined) await this.#findEnd(room)
      if (asks) room.lost = false
      const [leads, all, asked, served, end] = (await this.#redis.eval(
        tickScript,
        5,
        ...room.keys,
        this.#self,
        String(room.leaseMs),
        room.want,
        asks ? '1' : '0',
        room.channel,
      )) as [number, string[], number, number, string]
      if (room.left) return
      room.asked = asked
      if (leads === 1) {
        await this.#stepAsLeader(room, all, served)
        return
      }
      if (asks && room.needs > 0) {
        room.needs = asked
        room.last = end
      } else if (room.needs !== Number.POSITIVE_INFINITY && asked < room.needs) room.lost = true
      this.#tellWants(room, all)
      this.#lead(room, false)
      // What was added while the log could not be read, or what a failed read has left.
      if (end !== noEntry && end !== room.last) this.#read(room)
      if (room.lost) room.tickAgain = true
    } catch (error) {
      this.#goneAway(error)
      room.lost = true
      this.#tellWants(room, [])
      this.#lead(room, true)
    }
  }

  async #stepAsLeader(room: Room, all: readonly string[], served: number): Promise<void> {
    const wasLost = room.lost
    room.lost = false
    // A new leader continues from everything that was learned before.
    if (wasLost || room.leading !== true) await this.#readOn(room)
    if (room.left) return
    if (!room.lost) room.needs = 0
    this.#tellWants(room, all)
    this.#lead(room, true)
    const { asked } = room
    if (!wasLost && (asked <= served || asked <= room.renewed)) return
    room.renewed = asked
    room.member.renew()
  }

  /** Something was learned here that the others have not heard of. */
  #learnedAlone(room: Room): void {
    room.lost = true
    room.needs = Number.POSITIVE_INFINITY
  }

  /** `all`: members and wants, alternating. */
  #tellWants(room: Room, all: readonly string[]): void {
    const others: string[] = []
    for (let at = 0; at + 1 < all.length; at += 2) {
      const want = all[at + 1]
      if (all[at] !== this.#self && want !== undefined && want !== '') others.push(want)
    }
    const text = others.sort().join('\n')
    if (text === room.others) return
    room.others = text
    room.member.wants(others.map(parseExactly))
  }

  async #findEnd(room: Room): Promise<void> {
    const [, , , , logKey] = room.keys
    const [newest] = await this.#redis.xrevrange(logKey, '+', '-', 'COUNT', 1)
    room.last ??= newest?.[0] ?? noEntry
  }

  #read(room: Room): void {
    this.#readOn(room).catch(() => {
      // It is read with the next message or the next step, or when the connection is there again.
    })
  }

  /** Delivers everything that was added and is new here; one at a time, in order. */
  #readOn(room: Room): Promise<void> {
    if (room.reading !== undefined) {
      room.readAgain = true
      return room.reading
    }
    room.reading = (async () => {
      do {
        room.readAgain = false
        for (;;) {
          const { last } = room
          if (last === undefined || room.left) return
          const [, , , , logKey] = room.keys
          const entries = await this.#redis.xrange(logKey, `(${last}`, '+', 'COUNT', readAtOnce)
          // The log was left out up to its end meanwhile.
          if (room.last !== last) continue
          for (const [id, fields] of entries) {
            room.last = id
            const [, from, , text, , mark] = fields
            if (from === this.#self || text === undefined || room.left) continue
            // Gateways of earlier versions have no marks.
            const older = room.needs === Number.POSITIVE_INFINITY || Number(mark) < room.needs
            room.member.hear(parseExactly(text), older)
          }
          if (entries.length < readAtOnce) break
        }
      } while (room.readAgain)
    })().finally(() => {
      room.reading = undefined
    })
    return room.reading
  }
}
