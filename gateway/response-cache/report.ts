/**
 * What the cache did for each fetch of one request, or would do, for callers that ask for it. Nothing is noted for
 * other requests.
 */
import type { GatewayRequest } from '../../engine/request.ts'
import type { CacheResult } from './types.ts'

/** Requests `extensions.cache`. */
export const cacheHeader = 'tessera-cache'

/** One fetch of a subgraph. The counts add up to its lookups: one for root fields, else one for each entity. */
interface CacheFetch {
  readonly subgraph: string
  readonly fresh: number
  readonly stale: number
  /** Revalidated by their ETag or date, and unchanged; if nothing was run, those that would be revalidated. */
  readonly revalidated: number
  readonly missing: number
  /** The age of the oldest response that was used; undefined if none was. */
  readonly ageSeconds?: number | undefined
}

/** Counts lookups of one fetch that is under way, with the age of the oldest response that was used. */
export type CountLookUps = (result: CacheResult, lookUps?: number, ageMs?: number) => void

export interface CacheReport {
  /** Whether nothing is fetched: missing data remain unknown. */
  readonly isDry: boolean
  readonly fetches: readonly CacheFetch[]
  begin(subgraph: string): CountLookUps
}

const named = { hit: 'fresh', stale: 'stale', revalidated: 'revalidated', miss: 'missing' } as const

/** Further fetches of one request are not noted. */
const mostFetches = 200

const reports = new WeakMap<GatewayRequest, CacheReport>()

/** From now on the cache notes what it does for this request. */
export function reportCache(request: GatewayRequest, { isDry }: { readonly isDry: boolean }): CacheReport {
  const fetches: CacheFetch[] = []
  const report: CacheReport = {
    isDry,
    fetches,
    begin(subgraph) {
      const counts = { fresh: 0, stale: 0, revalidated: 0, missing: 0 }
      const fetch: typeof counts & { subgraph: string; ageSeconds?: number } = { subgraph, ...counts }
      if (fetches.length < mostFetches) fetches.push(fetch)
      return (result, lookUps = 1, ageMs) => {
        fetch[named[result]] += lookUps
        if (ageMs !== undefined)
          fetch.ageSeconds = Math.max(fetch.ageSeconds ?? 0, Math.max(0, Math.floor(ageMs / 1000)))
      }
    },
  }
  reports.set(request, report)
  return report
}

export const cacheReportOf = (request: GatewayRequest): CacheReport | undefined => reports.get(request)
