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
import {
  calmMs,
  createConfirm,
  createRedis,
  createSharedClock,
  createSteps,
  NotReplicated,
  timeFrom,
} from '../../../stores/redis/index.ts'
import type { Logger } from '../../../telemetry/log.ts'
import {
  type Account,
  createMemoryLedger,
  keptCredentials,
  type Ledger,
  type LedgerState,
  type Reservation,
  type Spending,
  unknownOperation,
} from '../ledger.ts'
import { createDebts, type Debt, debtOf } from './debts.ts'
import { bookScript, presenceScript, readScript, reserveScript } from './scripts.ts'

/** What a gateway does while Redis is away: it spends its share, or nothing that is bounded. */
export type AwayRule = 'share' | 'refuse'

export interface RedisLedgerOptions {
  readonly url: string
  readonly log: Logger
  /** Replicas that must have a reservation before it counts. */
  readonly replicas: number
  readonly away: AwayRule
  /** How long a reservation holds, in milliseconds. 120,000. */
  readonly promiseMs?: number | undefined
  /** How often a gateway announces itself, in milliseconds. 10,000. */
  readonly presenceMs?: number | undefined
}

/** How long a gateway counts after it announced itself. */
const rememberedMs = 60_000
/** A lost primary loses no more than what was written within this time. */
const recentMs = 60_000
const keptMs = 24 * 3_600_000

/** The last known state of an account in Redis, and what this gateway had counted itself by then. */
interface Heard {
  readonly used: number
  readonly reserved: number
  readonly ownUsed: number
  readonly ownReserved: number
}

/** An account, and its open reservations. */
interface OwnReservations {
  readonly account: Account
  readonly texts: string[]
}

export function createRedisLedger(options: RedisLedgerOptions): Ledger {
  return new RedisLedger(options)
}

class RedisLedger implements Ledger {
  readonly #log: Logger
  readonly #away: AwayRule
  readonly #promiseMs: number
  readonly #redis
  readonly #confirm
  readonly #clock = createSharedClock()
  readonly #local = createMemoryLedger()
  readonly #gateway = Math.random().toString(36).slice(2)
  readonly #debts = createDebts()
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
  readonly #remote
  readonly #presence
  readonly now

  constructor(options: RedisLedgerOptions) {
    const { url, log, replicas, away, promiseMs = 120_000, presenceMs = 10_000 } = options
    this.#log = log
    this.#away = away
    this.#promiseMs = promiseMs
    this.#redis = createRedis(url)
    this.#confirm = createConfirm(this.#redis, replicas)
    this.#redis.on('ready', () => {
      this.#refusedAt = undefined
      for (const [name, held] of this.#holding()) this.#unrestored.set(name, held)
      void this.#sayPresence()
      this.#restore()
    })
    const { run: remote } = createSteps(this.#redis, this.#log, {
      away: 'the shared quota ledger is away: counting in this process until it is back',
      back: 'the shared quota ledger is back',
    })
    this.#remote = remote
    this.#presence = setInterval(() => void this.#sayPresence(), presenceMs).unref()
    this.now = this.#clock.now
  }

  async reserve(
    account: Account,
    id: string,
    units: number,
    limit: number | undefined,
  ): Promise<Reservation> {
    const text = `${units} ${id}`
    const answer = await this.#remote(
      () =>
        this.#redis.eval(
          reserveScript,
          2,
          ...this.#keysOf(account),
          ...[id, units, limit ?? -1, this.#promiseMs, this.#expiryOf(account)],
        ) as Promise<(number | string)[]>,
    )
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
          void this.#write(debtOf(account, this.#gateway, this.#local.totals(account), { settled: [text] }))
      }
    }
    if (answer === undefined) return withoutRedis()
    const [granted = 0, used = 0, reserved = 0, closed = 0, ...time] = answer.map(Number)
    this.#clock.hear(timeFrom(time))
    this.#restore()
    if (granted !== 1) {
      this.#noteHeard(account, used, reserved)
      return { granted: false, used, reserved, closed: closed === 1 }
    }
    const confirmed =
      (await this.#remote(async () => {
        if (await this.#confirm()) return true
        throw new NotReplicated('too few replicas have the reservation')
      })) ?? false
    if (!confirmed) return withoutRedis()
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
    await this.#write(debtOf(account, this.#gateway, this.#local.totals(account), { settled }))
  }

  async shut(account: Account): Promise<void> {
    this.#local.shut(account)
    await this.#write(debtOf(account, this.#gateway, this.#local.totals(account), { closed: true }))
  }

  async read(account: Account): Promise<LedgerState> {
    const answer = await this.#remote(
      () =>
        this.#redis.eval(readScript, 2, ...this.#keysOf(account)) as Promise<readonly [string[], string[]]>,
    )
    if (answer === undefined) return this.#stateAlone(account)
    const [pairs, entries] = answer
    const fields: Record<string, string> = {}
    for (let at = 0; at < pairs.length; at += 2) fields[pairs[at] ?? ''] = pairs[at + 1] ?? ''
    const operations: LedgerState['operations'] = Object.fromEntries(
      Object.entries(fields).flatMap(([key, value]) => {
        const [, name] = /^calls:(.+)$/.exec(key) ?? []
        const units = Number(fields[`units:${name}`] ?? 0)
        if (name === undefined || (name === unknownOperation && units === 0)) return []
        return [[name, { calls: Number(value), units }]]
      }),
    )
    return {
      used: Number(fields.used ?? 0),
      reserved: entries.reduce((sum, entry) => sum + Number.parseInt(entry, 10), 0),
      closed: fields.closed === '1',
      operations,
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#presence)
    this.#isClosing = true
    await this.#restoring
    // In parallel, because each may take a second if Redis is slow or silent.
    await Promise.all([
      ...this.#debts.take().map((debt) => this.#write(debt)),
      ...[...this.#unrestored.values()].flatMap((held) =>
        held === undefined ? [] : [this.#writeHeld(held)],
      ),
    ])
    this.#redis.disconnect()
    await this.#local.close()
  }

  #nameOf({ credential, day }: Account): string {
    return `${day}:${credential}`
  }

  #keysOf(account: Account): [string, string] {
    const book = `tessera:quota:{${this.#nameOf(account)}}`
    return [book, `${book}:promises`]
  }

  #expiryOf({ endsAt }: Account): number {
    return endsAt + keptMs
  }

  async #sayPresence(): Promise<void> {
    const answer = await this.#remote(
      () =>
        this.#redis.eval(presenceScript, 1, 'tessera:quota:gateways', this.#gateway, rememberedMs) as Promise<
          number[]
        >,
    )
    if (answer === undefined) return
    const [count, ...time] = answer
    this.#gateways = Math.max(1, Number(count))
    this.#clock.hear(timeFrom(time))
    this.#restore()
  }

  async #write(debt: Debt, holding: readonly string[] = []): Promise<boolean> {
    const { account, source, operations, settled, closed } = debt
    this.#recent.set(this.#nameOf(account), account)
    const entries = [...operations].flatMap(([operation, { units, calls }]) => [operation, units, calls])
    const answer = await this.#remote(
      () =>
        this.#redis.eval(
          bookScript,
          2,
          ...this.#keysOf(account),
          ...[source, this.#expiryOf(account), closed ? 1 : 0],
          ...[settled.length, ...settled],
          ...[holding.length, ...holding, this.#promiseMs],
          ...entries,
        ) as Promise<(number | string)[]>,
    )
    if (answer === undefined) {
      this.#debts.add(debt)
      return false
    }
    this.#clock.hear(timeFrom(answer.map(Number)))
    this.#restore()
    return true
  }

  /** Accounts that were written recently or have open reservations. */
  #holding(): ReadonlyMap<string, OwnReservations> {
    const held = new Map<string, OwnReservations>()
    for (const account of this.#recent.values()) held.set(this.#nameOf(account), { account, texts: [] })
    for (const { account, text } of this.#promises.values()) {
      const name = this.#nameOf(account)
      const known = held.get(name)
      if (known === undefined) held.set(name, { account, texts: [text] })
      else known.texts.push(text)
    }
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
      const debt = this.#debts.next()
      if (debt === undefined || !(await this.#write(debt))) break
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
    return this.#write(debtOf(account, this.#gateway, this.#local.totals(account), { closed }), still)
  }

  #noteHeard(account: Account, used: number, reserved: number): void {
    const own = this.#local.read(account)
    this.#heard.set(this.#nameOf(account), { used, reserved, ownUsed: own.used, ownReserved: own.reserved })
  }

  /** The state that this gateway knows by itself. */
  #stateAlone(account: Account): LedgerState {
    const own = this.#local.read(account)
    const last = this.#heard.get(this.#nameOf(account))
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
        ? 'this gateway has not reached Redis since it began, and knows neither what was spent nor its share: look at TESSERA_REDIS_URL'
        : 'TESSERA_QUOTA_AWAY=refuse'
    if (this.#refusedAt === undefined)
      this.#log.warn(`what costs quota units is refused until Redis is reached: ${why}`)
    this.#refusedAt = performance.now()
    return tesseraError(
      'SERVICE_BUSY',
      'The count of quota units cannot be reached, so nothing was asked for. Send it again after `retryAfter` seconds.',
      { retryAfter: 1 },
    )
  }

  #reserveAlone(account: Account, id: string, units: number, limit: number | undefined): Reservation {
    if (limit === undefined) return this.#local.reserve(account, id, units, undefined)
    if (this.#gateways === undefined || this.#away === 'refuse') throw this.#refusalAway()
    const last = this.#heard.get(this.#nameOf(account)) ?? {
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
