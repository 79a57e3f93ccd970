/** Quota: budgets in units, and the ledgers that count them. */
export {
  type Account,
  type Ledger,
  type LedgerState,
  MemoryLedger,
  type Reservation,
  type Spending,
  unknownOperation,
} from './ledger.ts'
export { type Admission, maxUnitsHeader, Quota } from './quota.ts'
export { type AwayRule, createLedger } from './redis-ledger/index.ts'
export { ledgerKind } from './redis-ledger/steps.ts'
