/** What this gateway has counted and Redis may not know: kept until Redis knows it, one entry for each account. */
import { createGrowingCache } from '../../../../shared/runtime/growing-cache.ts'
import { type Account, keptCredentials, type Spending, type Totals } from '../ledger.ts'

export interface Debt {
  readonly account: Account
  /** Identifies this gateway and its ledger's entry for the account. */
  readonly source: string
  readonly operations: ReadonlyMap<string, Spending>
  /** Settled reservations. */
  readonly settled: readonly string[]
  readonly closed: boolean
}

export function createDebts() {
  const kept = createGrowingCache<Debt>(keptCredentials)
  return {
    add(debt: Debt): void {
      const key = `${debt.source} ${debt.account.day} ${debt.account.credential}`
      const before = kept.get(key)
      kept.set(key, {
        ...debt,
        settled: [...(before?.settled ?? []), ...debt.settled],
        closed: debt.closed || before?.closed === true,
      })
    },
    /** Removes the entry that has been unchanged for longest. */
    next: () => kept.pop(),
    /** Removes and returns all of them. */
    take(): readonly Debt[] {
      const all: Debt[] = []
      for (let debt = kept.pop(); debt !== undefined; debt = kept.pop()) all.push(debt)
      return all
    },
  }
}

export const debtOf = (
  account: Account,
  gateway: string,
  totals: Totals | undefined,
  { settled = [], closed = false }: { readonly settled?: readonly string[]; readonly closed?: boolean } = {},
): Debt => ({
  account,
  source: `${gateway}-${totals?.entry ?? 0}`,
  // A copy, because the entry continues to count.
  operations: new Map(totals?.operations),
  settled,
  closed,
})
