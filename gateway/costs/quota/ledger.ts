/**
 * The ledger of quota units: what each credential has spent today, and what is reserved for running operations. A
 * reservation is one step, so that operations at the same moment cannot reserve the same units twice.
 */

export interface Spending {
  readonly units: number
  readonly calls: number
}

export interface LedgerState {
  readonly used: number
  /** Reserved for running operations. */
  readonly reserved: number
  /** The service itself reported that nothing is left today. */
  readonly closed: boolean
  readonly operations: Readonly<Record<string, Spending>>
}

export interface Reservation {
  readonly granted: boolean
  readonly used: number
  /** Reserved for other operations. */
  readonly reserved: number
  readonly closed: boolean
}

/** The credential and the day of the spending. */
export interface Account {
  readonly credential: string
  readonly day: string
  /** When the day ends, in milliseconds since 1970. */
  readonly endsAt: number
}

export interface Ledger {
  /** Reserves units under an id, if they fit under the limit; an undefined limit always fits. */
  reserve(
    account: Account,
    id: string,
    units: number,
    limit: number | undefined,
  ): Promise<Reservation> | Reservation
  /** Releases a reservation and adds the spent units. */
  settle(account: Account, id: string, spent: Readonly<Record<string, Spending>>): Promise<void> | void
  /** Grants nothing more until the day ends. */
  shut(account: Account): Promise<void> | void
  read(account: Account): Promise<LedgerState> | LedgerState
  /** The clock by which all users of the ledger count their days; undefined until it is known. */
  now?(): number | undefined
  close(): Promise<void>
}

/** A reservation that was never settled counts as spent under this name: it is unknown which calls were made. */
export const unknownOperation = 'unknown'

/** All that was counted for an account since its entry was made. */
export interface Totals {
  /** Distinguishes the successive entries of one account. */
  readonly entry: number
  readonly operations: ReadonlyMap<string, Spending>
}

export interface MemoryLedger extends Ledger {
  reserve(account: Account, id: string, units: number, limit: number | undefined): Reservation
  settle(account: Account, id: string, spent: Readonly<Record<string, Spending>>): void
  shut(account: Account): void
  read(account: Account): LedgerState
  totals(account: Account): Totals | undefined
  readonly size: number
}

interface Entry {
  readonly number: number
  used: number
  closed: boolean
  reserved: number
  readonly reservations: Map<string, number>
  readonly operations: Map<string, Spending>
}

/**
 * How many credentials the ledger of one process keeps. A caller chooses a forwarded credential, so there may be
 * any number of them. Beyond this number, the least recently used one without a reservation is forgotten. It then
 * starts with a full budget, and the service's own limit still holds for it.
 */
export const keptCredentials = 10_000

const nothingSpent: LedgerState = { used: 0, reserved: 0, closed: false, operations: {} }

/** A ledger of only this process. */
export function createMemoryLedger(): MemoryLedger {
  /** By day and credential, the one used least recently first. */
  const entries = new Map<string, Entry>()
  const keyOf = ({ credential, day }: Account): string => `${day} ${credential}`
  /** The most recently used entry, which is the last one of `entries`: most requests use it again. */
  let latest: { readonly account: Account; readonly entry: Entry } | undefined
  let today = ''
  let made = 0

  const find = (account: Account): Entry | undefined =>
    latest !== undefined && isSame(latest.account, account) ? latest.entry : entries.get(keyOf(account))
  const remove = (key: string): void => {
    latest = undefined
    entries.delete(key)
  }

  /** Drops entries of earlier days without reservations when a new day begins. */
  const turnDay = (day: string): void => {
    if (day <= today) return
    today = day
    for (const [key, entry] of entries) {
      if (entry.reservations.size === 0 && !key.startsWith(`${day} `)) remove(key)
    }
  }
  const makeRoom = (): void => {
    if (entries.size < keptCredentials) return
    for (const [key, { reservations }] of entries) {
      if (reservations.size > 0) continue
      remove(key)
      return
    }
  }
  const entryOf = (account: Account): Entry => {
    if (latest !== undefined && isSame(latest.account, account)) return latest.entry
    const key = keyOf(account)
    let entry = entries.get(key)
    if (entry === undefined) {
      turnDay(account.day)
      makeRoom()
      made += 1
      entry = {
        number: made,
        used: 0,
        closed: false,
        reserved: 0,
        reservations: new Map(),
        operations: new Map(),
      }
    } else {
      entries.delete(key)
    }
    entries.set(key, entry)
    latest = { account, entry }
    return entry
  }

  return {
    get size() {
      return entries.size
    },
    reserve(account, id, units, limit) {
      const before = find(account) ?? nothingSpent
      const { used, reserved, closed } = before
      const granted = !closed && (limit === undefined || used + reserved + units <= limit)
      if (granted) {
        const entry = entryOf(account)
        entry.reservations.set(id, units)
        entry.reserved += units
      }
      return { granted, used, reserved, closed }
    },
    settle(account, id, spent) {
      const known = find(account)
      const reservation = known?.reservations.get(id)
      if (known !== undefined && reservation !== undefined) {
        known.reservations.delete(id)
        known.reserved -= reservation
      }
      const operations = Object.entries(spent)
      if (operations.length > 0) {
        const entry = entryOf(account)
        for (const [operation, { units, calls }] of operations) {
          const before = entry.operations.get(operation) ?? { units: 0, calls: 0 }
          entry.operations.set(operation, { units: before.units + units, calls: before.calls + calls })
          entry.used += units
        }
      } else if (known !== undefined && isEmpty(known)) {
        remove(keyOf(account))
      }
    },
    shut(account) {
      entryOf(account).closed = true
    },
    read(account) {
      const entry = find(account)
      if (entry === undefined) return nothingSpent
      const { used, reserved, closed, operations } = entry
      return { used, reserved, closed, operations: Object.fromEntries(operations) }
    },
    totals(account) {
      const entry = find(account)
      return entry === undefined ? undefined : { entry: entry.number, operations: entry.operations }
    },
    async close() {},
  }
}

function isSame(one: Account, other: Account): boolean {
  return one.credential === other.credential && one.day === other.day
}

function isEmpty({ used, closed, reservations, operations }: Entry): boolean {
  return used === 0 && !closed && reservations.size === 0 && operations.size === 0
}
