/** Quota: budgets in units, and the ledgers that count them. */
export type { Account, Ledger, LedgerState, Spending } from './ledger.ts'
export { type Admission, maxUnitsHeader, Quota } from './quota.ts'
export { createLedger } from './redis-ledger/index.ts'
export { ledgerKind } from './redis-ledger/steps.ts'
