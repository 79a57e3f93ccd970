/**
 * Pollers that several gateways share over Redis. Each topic has a lease that its holder renews, the wants of all
 * members, and a log of what the holder learned, with a message for each addition. A log is read from the last entry
 * on, so that nothing is lost during a reconnection. While Redis is away each gateway leads by itself. Afterwards the
 * others ask for the whole state, and older entries of the log count as older than what they learned alone.
 */
import { randomUUID } from 'node:crypto'
import { parseExactly } from '../../../shared/json/exact-number.ts'
import type { LiveMember, LiveRoom, LiveStore } from '../../../shared/polling.ts'
import type { Listener, Store, Stores } from '../store.ts'
import {
  endStep,
  keysOf,
  leaveStep,
  liveKind,
  noEntry,
  publishStep,
  readAtOnce,
  readStep,
  type TopicKeys,
  tellStep,
  tickStep,
} from './steps.ts'

/**
 * The lease is slightly longer than the interval between polls, so that another member leads before the second interval
 * is over.
 */
const leaseShare = 1.5
const shortestLeaseMs = 1500
const longestLeaseMs = 15_000
/** How often a lease is renewed, or requested, within its time. */
const triesWithin = 3

interface Room {
  readonly member: LiveMember
  readonly keys: TopicKeys
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
  reading: Promise<boolean> | undefined
  readAgain: boolean
  ticking: Promise<void> | undefined
  tickAgain: boolean
  timer: NodeJS.Timeout | undefined
  left: boolean
}

/** Undefined if this process shares its pollers with no other one. */
export function createLiveStore(stores: Stores): LiveStore | undefined {
  return stores.isShared ? new SharedLiveStore(stores) : undefined
}

class SharedLiveStore implements LiveStore {
  readonly #self = randomUUID()
  readonly #stores: Stores
  readonly #rooms = new Map<string, Room>()
  /** Opened with the first topic: a gateway without subscriptions needs no connection. */
  #opened: { readonly store: Store<undefined>; readonly listener: Listener | undefined } | undefined

  constructor(stores: Stores) {
    this.#stores = stores
  }

  #open() {
    if (this.#opened !== undefined) return this.#opened
    const store = this.#stores.open(liveKind)
    const listener = this.#stores.listen?.(
      {
        away: 'messages of other gateways do not come here: what they learn for subscriptions is late until they do',
        back: 'messages of other gateways come here again',
      },
      (channel, text) => {
        const room = this.#rooms.get(channel)
        if (room === undefined) return
        if (text === 'log') this.#read(room)
        else if (text !== 'asks' || room.leading === true) void this.#tick(room)
      },
    )
    this.#opened = { store, listener }
    let wasReached = false
    store.reached(() => {
      for (const room of this.#rooms.values()) {
        // The address may now lead to another Redis, which may lack some of the additions.
        if (wasReached) room.lost = true
        void this.#tick(room)
      }
      wasReached = true
    })
    listener?.reached(() => {
      for (const room of this.#rooms.values()) void this.#listen(room)
    })
    return this.#opened
  }

  join(topic: string, member: LiveMember): LiveRoom {
    const keys = keysOf(topic)
    const { store, listener } = this.#open()
    const self = this.#self
    const room: Room = {
      member,
      keys,
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
    this.#rooms.set(keys.told, room)
    void this.#listen(room)
    // It waits if the connection is just being made.
    setImmediate(() => void this.#tick(room))
    return {
      want: (want) => {
        room.want = JSON.stringify(want) ?? ''
        void this.#tick(room).then(() => store.share(publishStep, { keys, text: 'wants' }))
      },
      get mark() {
        return { asked: room.asked, heard: room.last }
      },
      tell: async (message, mark, whole = false) => {
        const text = JSON.stringify(message)
        if (room.lost) this.#learnedAlone(room)
        const isAdded = await store.share(tellStep, { keys, self, text, mark, whole })
        if (isAdded === true) return
        this.#learnedAlone(room)
        // Another member leads, and this gateway has not noticed yet.
        if (isAdded === false) void this.#tick(room)
      },
      pace(milliseconds) {
        const wanted = Math.round(milliseconds * leaseShare)
        room.leaseMs = Math.min(Math.max(wanted, shortestLeaseMs), longestLeaseMs)
      },
      leave: () => {
        room.left = true
        clearTimeout(room.timer)
        if (this.#rooms.get(keys.told) === room) this.#rooms.delete(keys.told)
        // Another member need not wait until the lease expires.
        void store
          .share(leaveStep, { keys, self })
          .then(() => store.share(publishStep, { keys, text: 'left' }))
        if (!this.#rooms.has(keys.told)) listener?.unsubscribe(keys.told)
      },
    }
  }

  async close(): Promise<void> {
    for (const room of this.#rooms.values()) {
      room.left = true
      clearTimeout(room.timer)
    }
    this.#rooms.clear()
    this.#opened?.store.close()
    this.#opened?.listener?.close()
  }

  async #listen(room: Room): Promise<void> {
    // What was added while no message arrived.
    if (await this.#open().listener?.subscribe(room.keys.told)) this.#read(room)
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
    // Otherwise the backend is away, or something in it cannot be read.
    if (await this.#stepTogether(room).catch(() => false)) return
    room.lost = true
    this.#tellWants(room, [])
    this.#lead(room, true)
  }

  async #stepTogether(room: Room): Promise<boolean> {
    // Not before it has ceased to lead: what it learns by itself would be newer than the requested state.
    const asks = room.lost && room.leading === false
    const { store } = this.#open()
    const { keys, leaseMs, want } = room
    room.last ??= await store.share(endStep, keys)
    if (room.last === undefined) return false
    if (asks) room.lost = false
    const ticked = await store.share(tickStep, { keys, self: this.#self, leaseMs, want, asks })
    if (ticked === undefined) return false
    const { leads, all, asked, served, end } = ticked
    if (room.left) return true
    room.asked = asked
    if (leads) return this.#stepAsLeader(room, all, served)
    if (asks && room.needs > 0) {
      room.needs = asked
      room.last = end
    } else if (room.needs !== Number.POSITIVE_INFINITY && asked < room.needs) room.lost = true
    this.#tellWants(room, all)
    this.#lead(room, false)
    // What was added while the log could not be read, or what a failed read has left.
    if (end !== noEntry && end !== room.last) this.#read(room)
    if (room.lost) room.tickAgain = true
    return true
  }

  async #stepAsLeader(room: Room, all: readonly string[], served: number): Promise<boolean> {
    const wasLost = room.lost
    room.lost = false
    // A new leader continues from everything that was learned before.
    if ((wasLost || room.leading !== true) && !(await this.#readOn(room))) return false
    if (room.left) return true
    if (!room.lost) room.needs = 0
    this.#tellWants(room, all)
    this.#lead(room, true)
    const { asked } = room
    if (!wasLost && (asked <= served || asked <= room.renewed)) return true
    room.renewed = asked
    room.member.renew()
    return true
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

  /** What cannot be read is read with the next message or the next step, or when the connection is there again. */
  #read(room: Room): void {
    this.#readOn(room).catch(() => {})
  }

  /** Delivers everything that was added and is new here; one at a time, in order. False if it could not be read. */
  #readOn(room: Room): Promise<boolean> {
    if (room.reading !== undefined) {
      room.readAgain = true
      return room.reading
    }
    room.reading = this.#readAll(room).finally(() => {
      room.reading = undefined
    })
    return room.reading
  }

  async #readAll(room: Room): Promise<boolean> {
    do {
      room.readAgain = false
      for (;;) {
        const { last } = room
        if (last === undefined || room.left) return true
        const entries = await this.#open().store.share(readStep, { keys: room.keys, last })
        if (entries === undefined) return false
        // The log was left out up to its end meanwhile.
        if (room.last !== last) continue
        for (const { id, from, text, mark } of entries) {
          room.last = id
          if (from === this.#self || text === undefined || room.left) continue
          const older = room.needs === Number.POSITIVE_INFINITY || Number(mark) < room.needs
          room.member.hear(parseExactly(text), older)
        }
        if (entries.length < readAtOnce) break
      }
    } while (room.readAgain)
    return true
  }
}
