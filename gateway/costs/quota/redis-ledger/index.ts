/**
 * The ledger in Redis, for all replicas: each step is one script, atomic on the server and by its clock.
 * - A reservation counts when the configured number of Redis replicas has it. Without that it could be lost with the
 *   primary, and the same units could be granted to others.
 * - Settlements are totals of this gateway, so lost replies and repetitions count nothing twice.
 * - When a connection is made again (Redis was away, or another server has replaced it) the gateway writes its totals
 *   and reservations once more. What that server refuses is written as soon as it accepts something again.
 * - While Redis is away a gateway spends its share of what was left when it last heard from Redis: that amount divided
 *   by the number of gateways. A gateway that has never heard from Redis spends nothing that is bounded.
 */
import { tesseraError } from '../../../../shared/errors.ts'
import { createGrowingCache } from '../../../../shared/runtime/growing-cache.ts'
import { getOrInsert } from '../../../../shared/runtime/maps.ts'
import { calmMs, type Store, type Stores } from '../../../stores/index.ts'
import type { Logger } from '../../../telemetry/log.ts'
import {
  type Account,
  keptCredentials,
  type Ledger,
  type LedgerState,
  type MemoryLedger,
  type Reservation,
  type Spending,
} from '../ledger.ts'
import { createPendingWrites, type PendingWrite, pendingWriteOf } from './pending-writes.ts'
import { bookStep, ledgerKind, nameOf, presenceStep, readStep, reserveStep } from './steps.ts'

/** What a gateway does while Redis is away: it spends its share, or nothing that is bounded. */
type AwayRule = 'share' | 'refuse'

interface LedgerOptions {
  readonly log: Logger
  readonly away: AwayRule
  /** How long a reservation holds, in milliseconds. 120,000 by default. */
  readonly promiseMs?: number | undefined
  /** How often a gateway announces itself, in milliseconds. 10,000 by default. */
  readonly presenceMs?: number | undefined
}

/** How long a gateway counts after it announced itself. */
const rememberedMs = 60_000
/** A lost primary loses no more than what was written within this time. */
const recentMs = 60_000

/** The last known state of an account in Redis, and what this gateway had counted itself by then. */
interface Heard {
  readonly used: number
  readonly reserved: number
  readonly ownUsed: number
  readonly ownReserved: number
}

interface OwnReservations {
  readonly account: Account
  readonly texts: string[]
}

/** The ledger of this process, or the one of all processes that share a backend. */
export function createLedger(stores: Stores, options: LedgerOptions): Ledger {
  const store = stores.open(ledgerKind)
  return store.isShared ? new SharedLedger(store, options) : store.here
}

class SharedLedger implements Ledger {
  readonly #log: Logger
  readonly #away: AwayRule
  readonly #promiseMs: number
  readonly #store: Store<MemoryLedger>
  readonly #local: MemoryLedger
  readonly #gateway = Math.random().toString(36).slice(2)
  readonly #pending = createPendingWrites()
  /** Open reservations, by id. */
  readonly #promises = new Map<string, { readonly account: Account; readonly text: string }>()
  readonly #heard = createGrowingCache<Heard>(keptCredentials)
  /** Recently written accounts, and when. */
  readonly #recent = createGrowingCache<Account>(keptCredentials, { ttl: recentMs })
  #gateways: number | undefined
  /** When a reservation was last refused because Redis was away; undefined once reservations are made again. */
  #refusedAt: number | undefined
  /** What a server that has replaced another may not know, by the names of the accounts. */
  readonly #unrestored = createGrowingCache<OwnReservations>(keptCredentials)
  #restoring: Promise<void> | undefined
  #isClosing = false
  readonly #presence

  constructor(
    store: Store<MemoryLedger>,
    { log, away, promiseMs = 120_000, presenceMs = 10_000 }: LedgerOptions,
  ) {
    this.#store = store
    this.#local = store.here
    this.#log = log
    this.#away = away
    this.#promiseMs = promiseMs
    store.reached(() => {
      this.#refusedAt = undefined
      for (const [name, held] of this.#holding()) this.#unrestored.set(name, held)
      void this.#sayPresence()
      this.#restore()
    })
    this.#presence = setInterval(() => void this.#sayPresence(), presenceMs).unref()
  }

  readonly now = (): number | undefined => this.#store.now()

  async reserve(
    account: Account,
    id: string,
    units: number,
    limit: number | undefined,
  ): Promise<Reservation> {
    const text = `${units} ${id}`
    const promiseMs = this.#promiseMs
    const answer = await this.#store.share(reserveStep, { account, id, units, limit, promiseMs })
    const withoutRedis = (): Reservation => {
      let granted = false
      try {
        const alone = this.#reserveAlone(account, id, units, limit)
        granted = alone.granted
        return alone
      } finally {
        // Redis may have made the reservation all the same.
        if (granted) this.#promises.set(id, { account, text })
        else
          void this.#write(
            pendingWriteOf(account, this.#gateway, this.#local.totals(account), { settled: [text] }),
          )
      }
    }
    if (answer === undefined) return withoutRedis()
    const { granted, used, reserved, closed } = answer
    this.#restore()
    if (!granted) {
      this.#noteHeard(account, used, reserved)
      return { granted, used, reserved, closed }
    }
    if (!(await this.#store.confirm())) return withoutRedis()
    // Redis may have been late on a connection that remained open.
    if (this.#refusedAt !== undefined && performance.now() - this.#refusedAt >= calmMs)
      this.#refusedAt = undefined
    this.#promises.set(id, { account, text })
    this.#local.reserve(account, id, units, undefined)
    this.#noteHeard(account, used, reserved + units)
    return { granted: true, used, reserved, closed: false }
  }

  async settle(account: Account, id: string, spent: Readonly<Record<string, Spending>>): Promise<void> {
    this.#local.settle(account, id, spent)
    const promise = this.#promises.get(id)
    this.#promises.delete(id)
    if (promise === undefined && Object.keys(spent).length === 0) return
    const settled = promise === undefined ? [] : [promise.text]
    await this.#write(pendingWriteOf(account, this.#gateway, this.#local.totals(account), { settled }))
  }

  async shut(account: Account): Promise<void> {
    this.#local.shut(account)
    await this.#write(pendingWriteOf(account, this.#gateway, this.#local.totals(account), { closed: true }))
  }

  async read(account: Account): Promise<LedgerState> {
    return (await this.#store.share(readStep, account)) ?? this.#stateAlone(account)
  }

  async close(): Promise<void> {
    clearInterval(this.#presence)
    this.#isClosing = true
    await this.#restoring
    // In parallel, because each may take a second if Redis is slow or silent.
    await Promise.all([
      ...this.#pending.take().map((write) => this.#write(write)),
      ...[...this.#unrestored.values()].flatMap((held) =>
        held === undefined ? [] : [this.#writeHeld(held)],
      ),
    ])
    this.#store.close()
    await this.#local.close()
  }

  async #sayPresence(): Promise<void> {
    const gateways = await this.#store.share(presenceStep, { gateway: this.#gateway, rememberedMs })
    if (gateways === undefined) return
    this.#gateways = gateways
    this.#restore()
  }

  async #write(write: PendingWrite, holding: readonly string[] = []): Promise<boolean> {
    this.#recent.set(nameOf(write.account), write.account)
    const isBooked = await this.#store.share(bookStep, { ...write, holding, promiseMs: this.#promiseMs })
    if (isBooked === undefined) {
      this.#pending.add(write)
      return false
    }
    this.#restore()
    return true
  }

  #holding(): ReadonlyMap<string, OwnReservations> {
    const held = new Map<string, OwnReservations>()
    for (const account of this.#recent.values()) held.set(nameOf(account), { account, texts: [] })
    for (const { account, text } of this.#promises.values())
      getOrInsert(held, nameOf(account), () => ({ account, texts: [] })).texts.push(text)
    return held
  }

  /** Called after each step with a reply: what could not be written before may be accepted now. */
  #restore(): void {
    if (this.#isClosing) return
    this.#restoring ??= this.#writeAgain().finally(() => {
      this.#restoring = undefined
    })
  }

  /**
   * Writes what Redis may not know, then what a server that has replaced another may not know. It writes one account
   * after another, so that other steps come in between. Both stop at a refusal, until the next step that is accepted.
   */
  async #writeAgain(): Promise<void> {
    while (!this.#isClosing) {
      const write = this.#pending.next()
      if (write === undefined || !(await this.#write(write))) break
    }
    while (!this.#isClosing) {
      const [name = ''] = this.#unrestored.rkeys()
      const held = this.#unrestored.get(name)
      if (held === undefined) return
      this.#unrestored.delete(name)
      if (await this.#writeHeld(held)) continue
      // At the end, because it may be the only one that cannot be written.
      this.#unrestored.set(name, held)
      return
    }
  }

  #writeHeld({ account, texts }: OwnReservations): Promise<boolean> {
    const still = texts.filter((text) => this.#promises.has(idOf(text)))
    const { closed } = this.#local.read(account)
    return this.#write(pendingWriteOf(account, this.#gateway, this.#local.totals(account), { closed }), still)
  }

  #noteHeard(account: Account, used: number, reserved: number): void {
    const own = this.#local.read(account)
    this.#heard.set(nameOf(account), { used, reserved, ownUsed: own.used, ownReserved: own.reserved })
  }

  /** The state that this gateway knows by itself. */
  #stateAlone(account: Account): LedgerState {
    const own = this.#local.read(account)
    const last = this.#heard.get(nameOf(account))
    if (last === undefined) return own
    return {
      ...own,
      used: last.used + own.used - last.ownUsed,
      reserved: Math.max(0, last.reserved + own.reserved - last.ownReserved),
    }
  }

  /** The client learns what to do. The log has the cause, once until reservations are made again. */
  #refusalAway(): Error {
    const why =
      this.#gateways === undefined
        ? 'this gateway has not reached Redis since it started, and does not know what was spent: check TESSERA_REDIS_URL'
        : 'TESSERA_QUOTA_AWAY=refuse'
    if (this.#refusedAt === undefined)
      this.#log.warn(`operations that cost quota units are refused until Redis is reached: ${why}`)
    this.#refusedAt = performance.now()
    return tesseraError(
      'SERVICE_BUSY',
      'The shared count of quota units cannot be reached, so no call was made. Send it again after `retryAfter` seconds.',
      { retryAfter: 1 },
    )
  }

  #reserveAlone(account: Account, id: string, units: number, limit: number | undefined): Reservation {
    if (limit === undefined) return this.#local.reserve(account, id, units, undefined)
    if (this.#gateways === undefined || this.#away === 'refuse') throw this.#refusalAway()
    const last = this.#heard.get(nameOf(account)) ?? {
      used: 0,
      reserved: 0,
      ownUsed: 0,
      ownReserved: 0,
    }
    const share = Math.floor(Math.max(0, limit - last.used - last.reserved) / this.#gateways)
    const most = last.ownUsed + last.ownReserved + share
    const { granted, used, reserved, closed } = this.#local.reserve(account, id, units, most)
    const left = Math.max(0, most - used - reserved)
    return { granted, used: limit - left, reserved: 0, closed }
  }
}

const idOf = (promise: string): string => promise.slice(promise.indexOf(' ') + 1)
