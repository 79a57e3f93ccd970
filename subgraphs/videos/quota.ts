/**
 * How the day's units were spent, as this process has counted. If there is a ledger for all replicas, its reader is
 * used instead.
 */

import type { ReadQuota } from '../../shared/quota.ts'
import { type Day, dayOf } from '../../shared/runtime/day.ts'
import { createGrowingCache } from '../../shared/runtime/growing-cache.ts'
import type { UpstreamEvent } from '../../shared/upstream.ts'
import { dayZone } from './failure.ts'

export interface QuotaCounter {
  readonly read: ReadQuota
  count(event: UpstreamEvent): void
}

/** A caller chooses a forwarded credential. Beyond this number, the least recently used one starts again from 0. */
const mostCredentials = 10_000

export function createQuotaCounter(): QuotaCounter {
  let today: Day = { name: '', endsAt: 0 }
  const used = createGrowingCache<Map<string, { units: number; calls: number }>>(mostCredentials)

  const turnDay = (): void => {
    if (Date.now() < today.endsAt) return
    today = dayOf(Date.now(), dayZone)
    used.clear()
  }

  return {
    count({ credentialKey, operation, units, attempts }) {
      if (attempts === 0) return
      turnDay()
      const operations = used.get(credentialKey) ?? new Map<string, { units: number; calls: number }>()
      used.set(credentialKey, operations)
      const entry = operations.get(operation) ?? { units: 0, calls: 0 }
      operations.set(operation, { units: entry.units + units, calls: entry.calls + attempts })
    },
    async read(credentialKey) {
      turnDay()
      const operations = [...(used.get(credentialKey) ?? [])].map(([name, entry]) => ({ name, ...entry }))
      return {
        limit: null,
        used: operations.reduce((sum, { units }) => sum + units, 0),
        remaining: null,
        resetsAt: new Date(today.endsAt).toISOString(),
        operations,
      }
    },
  }
}
