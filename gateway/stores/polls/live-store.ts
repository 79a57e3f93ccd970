/** Pollers that several gateways share over Redis: the rooms of this gateway, and what they hear of the others. */
import { randomUUID } from 'node:crypto'
import type { LiveMember, LiveRoom, LiveStore } from '../../../shared/polling.ts'
import type { Listener, Store, Stores } from '../store.ts'
import { Room } from './room.ts'
import { keysOf, liveKind } from './steps.ts'

/** Undefined if this process shares its pollers with no other one. */
export function createLiveStore(stores: Stores): LiveStore | undefined {
  return stores.isShared ? new SharedLiveStore(stores) : undefined
}

class SharedLiveStore implements LiveStore {
  readonly #self = randomUUID()
  readonly #stores: Stores
  /** By the channels of their topics. */
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
      (channel, text) => this.#rooms.get(channel)?.noted(text),
    )
    this.#opened = { store, listener }
    let wasReached = false
    store.reached(() => {
      for (const room of this.#rooms.values())
        if (wasReached) room.reachedAgain()
        else void room.tick()
      wasReached = true
    })
    listener?.reached(() => {
      for (const [channel, room] of this.#rooms) void this.#listen(channel, room)
    })
    return this.#opened
  }

  join(topic: string, member: LiveMember): LiveRoom {
    const keys = keysOf(topic)
    const { store, listener } = this.#open()
    const left = (): void => {
      if (this.#rooms.get(keys.told) === room) this.#rooms.delete(keys.told)
      if (!this.#rooms.has(keys.told)) listener?.unsubscribe(keys.told)
    }
    const room = new Room({ keys, self: this.#self, member, store, left })
    this.#rooms.set(keys.told, room)
    void this.#listen(keys.told, room)
    // It waits if the connection is just being made.
    setImmediate(() => void room.tick())
    return room
  }

  async close(): Promise<void> {
    for (const room of this.#rooms.values()) room.close()
    this.#rooms.clear()
    this.#opened?.store.close()
    this.#opened?.listener?.close()
  }

  async #listen(channel: string, room: Room): Promise<void> {
    // What was added while no message arrived.
    if (await this.#open().listener?.subscribe(channel)) room.read()
  }
}
