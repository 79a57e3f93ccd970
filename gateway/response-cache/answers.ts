/** Finds and stores responses: the steps that root fields and entities share. */
import type { GatewayRequest } from '../../engine/request.ts'
import type { SubgraphResult } from '../../engine/subgraphs/index.ts'
import { whenReady } from '../../shared/runtime/is-promise.ts'
import type { Question } from './question.ts'
import type { Terms } from './terms.ts'
import type { Changes, Entry, EntryStore, Kept, VariantsBy } from './types.ts'
import { isEntry } from './types.ts'

export type Answers = ReturnType<typeof createAnswers>

export interface Found {
  readonly entry: Entry
  readonly ageMs: number
  /** The callers to which it belongs; undefined means everybody. */
  readonly by: VariantsBy | undefined
}

interface AnswersOptions {
  readonly store: EntryStore
  readonly changes: Changes
  readonly now: () => number
}

/** Clocks of gateways differ by less than this. */
const mostAheadMs = 1000

export function createAnswers({ store, changes, now }: AnswersOptions) {
  /** Undefined if it was made in the future, so that a clock was set since: nobody knows how old it is. */
  const ageOf = ({ madeAt }: Entry): number | undefined => {
    const ageMs = now() - madeAt
    return ageMs < -mostAheadMs ? undefined : Math.max(0, ageMs)
  }
  const checked = (kept: Kept | undefined, by: VariantsBy | undefined): Found | undefined => {
    if (kept === undefined || !isEntry(kept)) return undefined
    if (!changes.holds(kept.change, kept.tags)) return undefined
    const ageMs = ageOf(kept)
    if (ageMs === undefined) return undefined
    return { entry: kept, ageMs, by }
  }
  const isGood = (kept: Kept): boolean =>
    !isEntry(kept) || (changes.holds(kept.change, kept.tags) && (ageOf(kept) ?? kept.freshMs) < kept.freshMs)
  const at = (question: Question, by: VariantsBy): Found | undefined | Promise<Found | undefined> => {
    const key = question.keyFor(by)
    if (key === undefined) return undefined
    const kept = store.get(key, isGood)
    return whenReady(kept, (found) => checked(found, by))
  }
  return {
    changes,
    /** Milliseconds since 1970. */
    now,
    /** The stored response, fresh or not, if nothing of it has changed. */
    find(question: Question, by: Terms['by']): Found | undefined | Promise<Found | undefined> {
      // If the response is known to differ by caller, shared entries are not looked up.
      if (by === 'caller') return at(question, by)
      return whenReady(store.get(question.key, isGood), (first) =>
        first === undefined || isEntry(first) ? checked(first, undefined) : at(question, first.by),
      )
    },
    /** `change`: the last change that was known before the fetch. */
    keep(
      question: Question,
      { by, keptMs, tags: ownTags, ...terms }: Terms,
      json: string,
      tags: readonly string[],
      change: number,
    ): void {
      const entry: Entry = { ...terms, json, tags: [...tags, ...ownTags], change }
      if (by === undefined) {
        store.set(question.key, entry, keptMs)
        return
      }
      const key = question.keyFor(by)
      if (key === undefined) return
      store.set(key, entry, keptMs)
      store.set(question.key, { by }, keptMs)
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

/** Whether a stale response replaces this failure. */
export function standsIn(found: Found | undefined, result: SubgraphResult, quotaMs: number): found is Found {
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
export type Use = 'fresh' | 'stale' | 'stale, asked anew'

export function decisionFor(
  { entry, ageMs }: Found,
  { cacheOnly }: GatewayRequest,
  quotaMs: number,
): Use | undefined {
  const staleMs = ageMs - entry.freshMs
  if (staleMs < 0) return 'fresh'
  if (cacheOnly && entry.mayBeStale && staleMs < quotaMs) return 'stale'
  return staleMs < entry.revalidateMs ? 'stale, asked anew' : undefined
}

/** Notes how long and for whom one part of the response may be stored. */
export function notePart(request: GatewayRequest, freshMs: number, isPrivate: boolean): void {
  const known = request.answerPolicy
  request.answerPolicy =
    known === undefined
      ? { freshMs, isPrivate }
      : { freshMs: Math.min(known.freshMs, freshMs), isPrivate: known.isPrivate || isPrivate }
}
