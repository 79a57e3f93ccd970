/**
 * Who has spent what today, and what is promised to operations that are running. Reserving is one step, so
 * that operations at the same moment cannot promise the same units twice.
 */

export interface Spending {
  readonly units: number
  readonly calls: number
}

export interface LedgerState {
  readonly used: number
  /** Promised to operations that are running. */
  readonly reserved: number
  /** The service itself said that nothing is left today. */
  readonly closed: boolean
  readonly operations: Readonly<Record<string, Spending>>
}

export interface Reservation {
  readonly granted: boolean
  readonly used: number
  readonly reserved: number
  readonly closed: boolean
}

/** Where a day's spending of a credential is kept. */
export interface Account {
  readonly credential: string
  readonly day: string
  /** When the day is over, in milliseconds since 1970. */
  readonly endsAt: number
}

export interface Ledger {
  /** Promises units under an id, where they fit under the limit; undefined is no limit. */
  reserve(
    account: Account,
    id: string,
    units: number,
    limit: number | undefined,
  ): Promise<Reservation> | Reservation
  /** Ends a promise, and books what was really spent. */
  settle(account: Account, id: string, spent: Readonly<Record<string, Spending>>): Promise<void> | void
  /** Nothing more today. */
  shut(account: Account): Promise<void> | void
  read(account: Account): Promise<LedgerState> | LedgerState
  close(): Promise<void>
}

interface Book {
  used: number
  closed: boolean
  readonly promised: Map<string, number>
  readonly operations: Map<string, Spending>
}

const keptDays = 2

/** A ledger of this process alone. */
export function createMemoryLedger(): Ledger {
  const days = new Map<string, Map<string, Book>>()

  const bookOf = ({ credential, day }: Account): Book => {
    let books = days.get(day)
    if (books === undefined) {
      books = new Map()
      days.set(day, books)
      // Days come in order: the oldest are over.
      for (const old of [...days.keys()].slice(0, -keptDays)) days.delete(old)
    }
    let book = books.get(credential)
    if (book === undefined) {
      book = { used: 0, closed: false, promised: new Map(), operations: new Map() }
      books.set(credential, book)
    }
    return book
  }
  const promisedIn = (book: Book): number => {
    let sum = 0
    for (const units of book.promised.values()) sum += units
    return sum
  }

  return {
    reserve(account, id, units, limit) {
      const book = bookOf(account)
      const reserved = promisedIn(book)
      const granted = !book.closed && (limit === undefined || book.used + reserved + units <= limit)
      if (granted) book.promised.set(id, units)
      return { granted, used: book.used, reserved, closed: book.closed }
    },
    settle(account, id, spent) {
      const book = bookOf(account)
      book.promised.delete(id)
      for (const [operation, { units, calls }] of Object.entries(spent)) {
        const before = book.operations.get(operation) ?? { units: 0, calls: 0 }
        book.operations.set(operation, { units: before.units + units, calls: before.calls + calls })
        book.used += units
      }
    },
    shut(account) {
      bookOf(account).closed = true
    },
    read(account) {
      const book = bookOf(account)
      return {
        used: book.used,
        reserved: promisedIn(book),
        closed: book.closed,
        operations: Object.fromEntries(book.operations),
      }
    },
    async close() {},
  }
}
