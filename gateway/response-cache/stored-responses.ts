/** Finds and stores responses: the steps that root fields and entities share. */
import type { GatewayRequest } from '../../engine/request.ts'
import type { SubgraphResult } from '../../engine/subgraphs/index.ts'
import { type Awaitable, whenReady } from '../../shared/runtime/is-promise.ts'
import type { CacheKeys } from './cache-keys.ts'
import type { StoragePolicy } from './storage-policy.ts'
import { type Changes, type Entry, type EntryStore, isEntry, type Kept, type VariantsBy } from './types.ts'

export type StoredResponses = ReturnType<typeof createStoredResponses>

export interface StoredResponse {
  readonly entry: Entry
  readonly ageMs: number
  /** The callers to which it belongs; undefined means everybody. */
  readonly by: VariantsBy | undefined
}

/** Clocks of gateways differ by less than this. */
const mostAheadMs = 1000

export function createStoredResponses(store: EntryStore, changes: Changes, now: () => number) {
  /** Undefined if it was made in the future: a clock was set since, so its age is unknown. */
  const ageOf = ({ madeAt }: Entry): number | undefined => {
    const ageMs = now() - madeAt
    return ageMs < -mostAheadMs ? undefined : Math.max(0, ageMs)
  }
  const checked = (kept: Kept | undefined, by: VariantsBy | undefined): StoredResponse | undefined => {
    if (kept === undefined || !isEntry(kept)) return undefined
    const ageMs = changes.holds(kept.change, kept.tags) ? ageOf(kept) : undefined
    return ageMs === undefined ? undefined : { entry: kept, ageMs, by }
  }
  const isGood = (kept: Kept): boolean =>
    !isEntry(kept) || (changes.holds(kept.change, kept.tags) && (ageOf(kept) ?? kept.freshMs) < kept.freshMs)
  const at = (keys: CacheKeys, by: VariantsBy): Awaitable<StoredResponse | undefined> => {
    const key = keys.variant(by)
    return key === undefined ? undefined : whenReady(store.get(key, isGood), (found) => checked(found, by))
  }
  return {
    changes,
    /** Milliseconds since 1970. */
    now,
    /** The stored response, fresh or not, if nothing of it has changed. */
    find(keys: CacheKeys, by: StoragePolicy['by']): Awaitable<StoredResponse | undefined> {
      // If the response is known to differ by caller, shared entries are not looked up.
      if (by === 'caller') return at(keys, by)
      return whenReady(store.get(keys.shared, isGood), (first) =>
        first === undefined || isEntry(first) ? checked(first, undefined) : at(keys, first.by),
      )
    },
    /** `change`: the last change that was known before the fetch. */
    keep(
      keys: CacheKeys,
      { by, keptMs, tags: ownTags, ...storage }: StoragePolicy,
      json: string,
      tags: readonly string[],
      change: number,
    ): void {
      // A 304 says again what the stored response has already.
      const entry: Entry = { ...storage, json, tags: [...new Set([...tags, ...ownTags])], change }
      if (by === undefined) {
        store.set(keys.shared, entry, keptMs)
        return
      }
      const key = keys.variant(by)
      if (key === undefined) return
      store.set(key, entry, keptMs)
      store.set(keys.shared, { by }, keptMs)
    },
  }
}

/** Codes that say that the fetch failed, and nothing about the request itself. */
const outages: ReadonlySet<unknown> = new Set([
  ...['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'UPSTREAM_BAD_RESPONSE'],
  ...['SERVICE_BUSY', 'RATE_LIMITED'],
])
const overQuota: ReadonlySet<unknown> = new Set(['QUOTA_EXCEEDED'])

const failedBy = ({ errors = [] }: SubgraphResult, codes: ReadonlySet<unknown>): boolean =>
  errors.length > 0 && errors.every(({ extensions }) => codes.has(extensions?.code))

/** Whether a stale response is used instead of this failure. */
export function replacesFailure(
  found: StoredResponse | undefined,
  result: SubgraphResult,
  quotaMs: number,
): found is StoredResponse {
  if (found === undefined) return false
  const { entry, ageMs } = found
  const staleMs = ageMs - entry.freshMs
  if (failedBy(result, outages)) return staleMs < entry.errorMs
  return failedBy(result, overQuota) && entry.mayBeStale && staleMs < quotaMs
}

/**
 * Whether an entry is used without a fetch: it is fresh, stale during a background fetch, or stale because the
 * quota is used up.
 */
export type Use = 'fresh' | 'stale' | 'stale while revalidating'

export function permittedUse(
  { entry, ageMs }: StoredResponse,
  { cacheOnly }: GatewayRequest,
  quotaMs: number,
): Use | undefined {
  const staleMs = ageMs - entry.freshMs
  if (staleMs < 0) return 'fresh'
  if (cacheOnly && entry.mayBeStale && staleMs < quotaMs) return 'stale'
  return staleMs < entry.revalidateMs ? 'stale while revalidating' : undefined
}

/** Lowers how long and for whom the response of the operation may be stored, to what holds for this part of it. */
export function limitAnswerPolicy(request: GatewayRequest, freshMs: number, isPrivate: boolean): void {
  const known = request.cachePolicy
  request.cachePolicy =
    known === undefined
      ? { freshMs, isPrivate }
      : { freshMs: Math.min(known.freshMs, freshMs), isPrivate: known.isPrivate || isPrivate }
}
