/**
 * Which share of the day's units is spent. Lookups wait longer for each other when few units are left. It is read
 * in the background, at most once a second for each credential, so that lookups do not wait for the ledger.
 */

import type { ReadQuota } from '../../shared/quota.ts'
import { createGrowingCache } from '../../shared/runtime/growing-cache.ts'

interface Reading {
  spent: number
  readAt: number
}

const freshMs = 1000
/** A credential without a limit is checked again after this time only. */
const unlimitedMs = 60_000
/** For how many credentials it is remembered. Beyond that, the least recently used are forgotten. */
const mostCredentials = 1000

/** From 0 to 1. It is 0 if there is no limit, and until the first read. */
export function createQuotaUsage(
  readQuota: ReadQuota,
  now: () => number = () => performance.now(),
): (credentialKey: string) => number {
  const readings = createGrowingCache<Reading>(mostCredentials)
  return (credentialKey) => {
    let reading = readings.get(credentialKey)
    if (reading === undefined) {
      reading = { spent: 0, readAt: Number.NEGATIVE_INFINITY }
      readings.set(credentialKey, reading)
    }
    if (now() - reading.readAt >= freshMs) {
      reading.readAt = now()
      void refresh(reading, readQuota, credentialKey)
    }
    return reading.spent
  }
}

async function refresh(reading: Reading, readQuota: ReadQuota, credentialKey: string): Promise<void> {
  try {
    const { limit, remaining } = await readQuota(credentialKey)
    const isLimited = limit !== null && remaining !== null && limit > 0
    reading.spent = isLimited ? 1 - remaining / limit : 0
    if (!isLimited) reading.readAt += unlimitedMs - freshMs
  } catch {
    // The ledger reports its own failure, and lookups keep waiting as before.
  }
}
