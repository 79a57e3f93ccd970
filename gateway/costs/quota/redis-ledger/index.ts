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
  const { url, log, replicas, away, promiseMs = 120_000, presenceMs = 10_000 } = options
  const redis = createRedis(url)
  const confirm = createConfirm(redis, replicas)
  const clock = createSharedClock()
  const local = createMemoryLedger()
  const gateway = Math.random().toString(36).slice(2)
  const debts = createDebts()
  /** Open reservations, by id. */
  const promises = new Map<string, { readonly account: Account; readonly text: string }>()
  const heard = createGrowingCache<Heard>(keptCredentials)
  /** Recently written accounts, and when. */
  const recent = createGrowingCache<Account>(keptCredentials, { ttl: recentMs })
  let gateways: number | undefined
  /** When a reservation was last refused because Redis was away; undefined once reservations are made again. */
  let refusedAt: number | undefined
  /** What a server that has replaced another may not know, by the names of the accounts. */
  const unrestored = createGrowingCache<OwnReservations>(keptCredentials)
  let restoring: Promise<void> | undefined
  let isClosing = false
  redis.on('ready', () => {
    refusedAt = undefined
    for (const [name, held] of holding()) unrestored.set(name, held)
    void sayPresence()
    restore()
  })
  const { run: remote } = createSteps(redis, log, {
    away: 'the shared quota ledger is away: counting in this process until it is back',
    back: 'the shared quota ledger is back',
  })
  const presence = setInterval(() => void sayPresence(), presenceMs).unref()

  const nameOf = ({ credential, day }: Account): string => `${day}:${credential}`
  const keysOf = (account: Account): [string, string] => {
    const book = `tessera:quota:{${nameOf(account)}}`
    return [book, `${book}:promises`]
  }
  const expiryOf = ({ endsAt }: Account): number => endsAt + keptMs

  async function sayPresence(): Promise<void> {
    const answer = await remote(
      () =>
        redis.eval(presenceScript, 1, 'tessera:quota:gateways', gateway, rememberedMs) as Promise<number[]>,
    )
    if (answer === undefined) return
    const [count, ...time] = answer
    gateways = Math.max(1, Number(count))
    clock.hear(timeFrom(time))
    restore()
  }

  async function write(debt: Debt, holding: readonly string[] = []): Promise<boolean> {
    const { account, source, operations, settled, closed } = debt
    recent.set(nameOf(account), account)
    const entries = [...operations].flatMap(([operation, { units, calls }]) => [operation, units, calls])
    const answer = await remote(
      () =>
        redis.eval(
          bookScript,
          2,
          ...keysOf(account),
          ...[source, expiryOf(account), closed ? 1 : 0],
          ...[settled.length, ...settled],
          ...[holding.length, ...holding, promiseMs],
          ...entries,
        ) as Promise<(number | string)[]>,
    )
    if (answer === undefined) {
      debts.add(debt)
      return false
    }
    clock.hear(timeFrom(answer.map(Number)))
    restore()
    return true
  }

  /** Accounts that were written recently or have open reservations. */
  function holding(): ReadonlyMap<string, OwnReservations> {
    const held = new Map<string, OwnReservations>()
    for (const account of recent.values()) held.set(nameOf(account), { account, texts: [] })
    for (const { account, text } of promises.values()) {
      const name = nameOf(account)
      const known = held.get(name)
      if (known === undefined) held.set(name, { account, texts: [text] })
      else known.texts.push(text)
    }
    return held
  }

  /** Called after each step with a reply: what could not be written before may be accepted now. */
  function restore(): void {
    if (isClosing) return
    restoring ??= writeAgain().finally(() => {
      restoring = undefined
    })
  }

  /**
   * Writes what Redis may not know, then what a server that has replaced another may not know. It writes one account
   * after another, so that other steps come in between. Both stop at a refusal, until the next step that is accepted.
   */
  async function writeAgain(): Promise<void> {
    while (!isClosing) {
      const debt = debts.next()
      if (debt === undefined || !(await write(debt))) break
    }
    while (!isClosing) {
      const [name = ''] = unrestored.rkeys()
      const held = unrestored.get(name)
      if (held === undefined) return
      unrestored.delete(name)
      if (await writeHeld(held)) continue
      // At the end, because it may be the only one that cannot be written.
      unrestored.set(name, held)
      return
    }
  }

  function writeHeld({ account, texts }: OwnReservations): Promise<boolean> {
    const still = texts.filter((text) => promises.has(idOf(text)))
    const { closed } = local.read(account)
    return write(debtOf(account, gateway, local.totals(account), { closed }), still)
  }

  function noteHeard(account: Account, used: number, reserved: number): void {
    const own = local.read(account)
    heard.set(nameOf(account), { used, reserved, ownUsed: own.used, ownReserved: own.reserved })
  }

  /** The state that this gateway knows by itself. */
  function stateAlone(account: Account): LedgerState {
    const own = local.read(account)
    const last = heard.get(nameOf(account))
    if (last === undefined) return own
    return {
      ...own,
      used: last.used + own.used - last.ownUsed,
      reserved: Math.max(0, last.reserved + own.reserved - last.ownReserved),
    }
  }

  /** The client learns what to do. The log has the cause, once until reservations are made again. */
  function refusalAway(): Error {
    const why =
      gateways === undefined
        ? 'this gateway has not reached Redis since it began, and knows neither what was spent nor its share: look at TESSERA_REDIS_URL'
        : 'TESSERA_QUOTA_AWAY=refuse'
    if (refusedAt === undefined) log.warn(`what costs quota units is refused until Redis is reached: ${why}`)
    refusedAt = performance.now()
    return tesseraError(
      'SERVICE_BUSY',
      'The count of quota units cannot be reached, so nothing was asked for. Send it again after `retryAfter` seconds.',
      { retryAfter: 1 },
    )
  }

  function reserveAlone(account: Account, id: string, units: number, limit: number | undefined): Reservation {
    if (limit === undefined) return local.reserve(account, id, units, undefined)
    if (gateways === undefined || away === 'refuse') throw refusalAway()
    const last = heard.get(nameOf(account)) ?? { used: 0, reserved: 0, ownUsed: 0, ownReserved: 0 }
    const share = Math.floor(Math.max(0, limit - last.used - last.reserved) / gateways)
    const most = last.ownUsed + last.ownReserved + share
    const { granted, used, reserved, closed } = local.reserve(account, id, units, most)
    const left = Math.max(0, most - used - reserved)
    return { granted, used: limit - left, reserved: 0, closed }
  }

  return {
    now: clock.now,

    async reserve(account, id, units, limit) {
      const text = `${units} ${id}`
      const answer = await remote(
        () =>
          redis.eval(
            reserveScript,
            2,
            ...keysOf(account),
            ...[id, units, limit ?? -1, promiseMs, expiryOf(account)],
          ) as Promise<(number | string)[]>,
      )
      const withoutRedis = (): Reservation => {
        let granted = false
        try {
          const alone = reserveAlone(account, id, units, limit)
          granted = alone.granted
          return alone
        } finally {
          // Redis may have made the reservation all the same.
          if (granted) promises.set(id, { account, text })
          else void write(debtOf(account, gateway, local.totals(account), { settled: [text] }))
        }
      }
      if (answer === undefined) return withoutRedis()
      const [granted = 0, used = 0, reserved = 0, closed = 0, ...time] = answer.map(Number)
      clock.hear(timeFrom(time))
      restore()
      if (granted !== 1) {
        noteHeard(account, used, reserved)
        return { granted: false, used, reserved, closed: closed === 1 }
      }
      const confirmed =
        (await remote(async () => {
          if (await confirm()) return true
          throw new NotReplicated('too few replicas have the reservation')
        })) ?? false
      if (!confirmed) return withoutRedis()
      // Redis may have been late on a connection that remained open.
      if (refusedAt !== undefined && performance.now() - refusedAt >= calmMs) refusedAt = undefined
      promises.set(id, { account, text })
      local.reserve(account, id, units, undefined)
      noteHeard(account, used, reserved + units)
      return { granted: true, used, reserved, closed: false }
    },

    async settle(account, id, spent) {
      local.settle(account, id, spent)
      const promise = promises.get(id)
      promises.delete(id)
      if (promise === undefined && Object.keys(spent).length === 0) return
      const settled = promise === undefined ? [] : [promise.text]
      await write(debtOf(account, gateway, local.totals(account), { settled }))
    },

    async shut(account) {
      local.shut(account)
      await write(debtOf(account, gateway, local.totals(account), { closed: true }))
    },

    async read(account): Promise<LedgerState> {
      const answer = await remote(
        () => redis.eval(readScript, 2, ...keysOf(account)) as Promise<readonly [string[], string[]]>,
      )
      if (answer === undefined) return stateAlone(account)
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
    },

    async close() {
      clearInterval(presence)
      isClosing = true
      await restoring
      // In parallel, because each may take a second if Redis is slow or silent.
      await Promise.all([
        ...debts.take().map((debt) => write(debt)),
        ...[...unrestored.values()].flatMap((held) => (held === undefined ? [] : [writeHeld(held)])),
      ])
      redis.disconnect()
      await local.close()
    },
  }
}

const idOf = (promise: string): string => promise.slice(promise.indexOf(' ') + 1)
