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

export class MemoryLedger implements Ledger {
  /** By day and credential, the one used least recently first. */
  readonly #entries = new Map<string, Entry>()
  /** The most recently used entry, which is the last one of `#entries`: most requests use it again. */
  #latest: { readonly account: Account; readonly entry: Entry } | undefined
  #today = ''
  #made = 0

  get size(): number {
    return this.#entries.size
  }

  reserve(account: Account, id: string, units: number, limit: number | undefined): Reservation {
    const { used, reserved, closed } = this.#find(account) ?? nothingSpent
    const granted = !closed && (limit === undefined || used + reserved + units <= limit)
    if (granted) {
      const entry = this.#entryOf(account)
      entry.reservations.set(id, units)
      entry.reserved += units
    }
    return { granted, used, reserved, closed }
  }

  settle(account: Account, id: string, spent: Readonly<Record<string, Spending>>): void {
    const known = this.#find(account)
    const reservation = known?.reservations.get(id)
    if (known !== undefined && reservation !== undefined) {
      known.reservations.delete(id)
      known.reserved -= reservation
    }
    const operations = Object.entries(spent)
    if (operations.length > 0) {
      const entry = this.#entryOf(account)
      for (const [operation, { units, calls }] of operations) {
        const before = entry.operations.get(operation) ?? { units: 0, calls: 0 }
        entry.operations.set(operation, { units: before.units + units, calls: before.calls + calls })
        entry.used += units
      }
    } else if (known !== undefined && isEmpty(known)) {
      this.#remove(keyOf(account))
    }
  }

  shut(account: Account): void {
    this.#entryOf(account).closed = true
  }

  read(account: Account): LedgerState {
    const entry = this.#find(account)
    if (entry === undefined) return nothingSpent
    const { used, reserved, closed, operations } = entry
    return { used, reserved, closed, operations: Object.fromEntries(operations) }
  }

  totals(account: Account): Totals | undefined {
    const entry = this.#find(account)
    return entry === undefined ? undefined : { entry: entry.number, operations: entry.operations }
  }

  async close(): Promise<void> {}

  #find(account: Account): Entry | undefined {
    const latest = this.#latest
    return latest !== undefined && isSame(latest.account, account)
      ? latest.entry
      : this.#entries.get(keyOf(account))
  }

  #entryOf(account: Account): Entry {
    const latest = this.#latest
    if (latest !== undefined && isSame(latest.account, account)) return latest.entry
    const key = keyOf(account)
    let entry = this.#entries.get(key)
    if (entry === undefined) {
      this.#turnDay(account.day)
      this.#makeRoom()
      this.#made += 1
      entry = {
        number: this.#made,
        used: 0,
        closed: false,
        reserved: 0,
        reservations: new Map(),
        operations: new Map(),
      }
    } else {
      this.#entries.delete(key)
    }
    this.#entries.set(key, entry)
    this.#latest = { account, entry }
    return entry
  }

  #remove(key: string): void {
    this.#latest = undefined
    this.#entries.delete(key)
  }

  /**
   * Drops entries of earlier days without reservations when a new day begins. The last day stays, because a clock that
   * was ahead returns to it.
   */
  #turnDay(day: string): void {
    if (day <= this.#today) return
    const last = this.#today
    this.#today = day
    for (const [key, entry] of this.#entries)
      if (entry.reservations.size === 0 && !key.startsWith(`${last} `)) this.#remove(key)
  }

  #makeRoom(): void {
    if (this.#entries.size < keptCredentials) return
    for (const [key, { reservations }] of this.#entries) {
      if (reservations.size > 0) continue
      this.#remove(key)
      return
    }
  }
}

const keyOf = ({ credential, day }: Account): string => `${day} ${credential}`

function isSame(one: Account, other: Account): boolean {
  return one.credential === other.credential && one.day === other.day
}

function isEmpty({ used, closed, reservations, operations }: Entry): boolean {
  return used === 0 && !closed && reservations.size === 0 && operations.size === 0
}
