/** What this gateway has counted and Redis may not know: kept until Redis knows it, one entry for each account. */
import { createGrowingCache } from '../../../../shared/runtime/growing-cache.ts'
import { type Account, keptCredentials, type Spending, type Totals } from '../ledger.ts'

export interface PendingWrite {
  readonly account: Account
  /** Identifies this gateway and its ledger's entry for the account. */
  readonly source: string
  readonly operations: ReadonlyMap<string, Spending>
  readonly settled: readonly string[]
  readonly closed: boolean
}

/**
 * How many settled reservations are kept for an account. Beyond this number the first ones are kept, because Redis may
 * have made them before it was lost. One that is not settled counts as spent if Redis has made it.
 */
export const keptSettled = 10_000

/** How many reservations one step settles: Redis does nothing else meanwhile. */
const settledAtOnce = 1000

export function createPendingWrites() {
  // The lists of reservations grow in place: each operation adds to one while Redis is away.
  const kept = createGrowingCache<PendingWrite & { readonly settled: string[] }>(keptCredentials)
  const keyOf = ({ source, account }: PendingWrite): string =>
    `${source} ${account.day} ${account.credential}`

  const pending = {
    add(write: PendingWrite): void {
      const key = keyOf(write)
      const before = kept.get(key)
      const settled = before?.settled ?? []
      settled.push(...write.settled.slice(0, keptSettled - settled.length))
      kept.set(key, { ...write, settled, closed: write.closed || before?.closed === true })
    },
    /** Removes the entry that has been unchanged for longest, or a part of it if it is long. */
    next(): PendingWrite | undefined {
      const write = kept.pop()
      if (write === undefined || write.settled.length <= settledAtOnce) return write
      const settled = write.settled.splice(0, settledAtOnce)
      kept.set(keyOf(write), write)
      return { ...write, settled }
    },
    take(): readonly PendingWrite[] {
      const all: PendingWrite[] = []
      for (let write = pending.next(); write !== undefined; write = pending.next()) all.push(write)
      return all
    },
  }
  return pending
}

export const pendingWriteOf = (
  account: Account,
  gateway: string,
  totals: Totals | undefined,
  { settled = [], closed = false }: { readonly settled?: readonly string[]; readonly closed?: boolean } = {},
): PendingWrite => ({
  account,
  source: `${gateway}-${totals?.entry ?? 0}`,
  // A copy, because the entry continues to count.
  operations: new Map(totals?.operations),
  settled,
  closed,
})
