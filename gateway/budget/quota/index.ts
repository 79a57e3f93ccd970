/** Quota: budgets in units, and the ledgers that count them. */
export { createMemoryLedger, type Ledger } from './ledger.ts'
export { type Admission, createQuota, maxUnitsHeader, type Quota } from './quota.ts'
export { createRedisLedger } from './redis-ledger.ts'
