/** Pollers that several gateways share over Redis: the topics that this gateway has joined, and their messages. */
import { randomUUID } from 'node:crypto'
import type { LiveMember, LiveMembership, LiveStore } from '../../../shared/polling.ts'
import type { Listener, Store, Stores } from '../store.ts'
import { Membership } from './membership.ts'
import { keysOf, liveKind } from './steps.ts'

export { liveKind } from './steps.ts'

/** Undefined if this process shares its pollers with no other one. */
export function createLiveStore(stores: Stores): LiveStore | undefined {
  return stores.isShared ? new SharedLiveStore(stores) : undefined
}

class SharedLiveStore implements LiveStore {
  readonly #self = randomUUID()
  readonly #stores: Stores
  /** By the channels of their topics. */
  readonly #memberships = new Map<string, Membership>()
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
      (channel, text) => this.#memberships.get(channel)?.noted(text),
    )
    this.#opened = { store, listener }
    let wasReached = false
    store.reached(() => {
      for (const membership of this.#memberships.values())
        if (wasReached) membership.reachedAgain()
        else void membership.tick()
      wasReached = true
    })
    listener?.reached(() => {
      for (const [channel, membership] of this.#memberships) void this.#listen(channel, membership)
    })
    return this.#opened
  }

  join(topic: string, member: LiveMember): LiveMembership {
    const keys = keysOf(topic)
    const { store, listener } = this.#open()
    const left = (): void => {
      if (this.#memberships.get(keys.told) === membership) this.#memberships.delete(keys.told)
      if (!this.#memberships.has(keys.told)) listener?.unsubscribe(keys.told)
    }
    const membership = new Membership({ keys, self: this.#self, member, store, left })
    this.#memberships.set(keys.told, membership)
    void this.#listen(keys.told, membership)
    // It waits if the connection is just being made.
    setImmediate(() => void membership.tick())
    return membership
  }

  async close(): Promise<void> {
    for (const membership of this.#memberships.values()) membership.close()
    this.#memberships.clear()
    this.#opened?.store.close()
    this.#opened?.listener?.close()
  }

  async #listen(channel: string, membership: Membership): Promise<void> {
    // What was added while no message arrived.
    if (await this.#open().listener?.subscribe(channel)) membership.read()
  }
}
