/** Finds and keeps answers: the steps that root fields and entities have in common. */
import type { GatewayRequest } from '../../engine/request.ts'
import type { SubgraphError, SubgraphResult } from '../../engine/subgraphs/index.ts'
import type { Question } from './question.ts'
import type { Terms } from './terms.ts'
import type { CacheResult, Changes, Entry, EntryStore, Kept, VariantsBy } from './types.ts'
import { isEntry } from './types.ts'

export interface Answers {
  readonly changes: Changes
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The answer if there is one, fresh or not, of which nothing has changed. */
  find(question: Question, by: Terms['by']): Found | undefined | Promise<Found | undefined>
  /** `change`: the last change that was known before it was asked for. */
  keep(question: Question, terms: Terms, json: string, tags: readonly string[], change: number): void
  /** Counts what came of look-ups. */
  count(subgraph: string, result: CacheResult, lookUps?: number): void
}

export interface Found {
  readonly entry: Entry
  readonly ageMs: number
  readonly isFresh: boolean
  /** Which callers it belongs to; undefined: to everybody. */
  readonly by: VariantsBy | undefined
}

export interface AnswersOptions {
  readonly store: EntryStore
  readonly changes: Changes
  readonly now: () => number
  readonly count: (subgraph: string, result: CacheResult, lookUps: number) => void
}

export function createAnswers({ store, changes, now, count }: AnswersOptions): Answers {
  const checked = (kept: ReturnType<EntryStore['get']>, by: VariantsBy | undefined): Found | undefined => {
    if (kept === undefined || kept instanceof Promise || !isEntry(kept)) return undefined
    if (!changes.holds(kept.change, kept.tags)) return undefined
    const ageMs = now() - kept.madeAt
    return { entry: kept, ageMs, isFresh: ageMs < kept.freshMs, by }
  }
  const isGood = (kept: Kept): boolean =>
    !isEntry(kept) || (changes.holds(kept.change, kept.tags) && now() - kept.madeAt < kept.freshMs)
  const at = (question: Question, by: VariantsBy): Found | undefined | Promise<Found | undefined> => {
    const key = question.keyFor(by)
    if (key === undefined) return undefined
    const kept = store.get(key, isGood)
    return kept instanceof Promise ? kept.then((late) => checked(late, by)) : checked(kept, by)
  }
  return {
    changes,
    now,
    find(question, by) {
      // If it is known that callers differ, answers for all callers are not looked up.
      if (by === 'caller') return at(question, by)
      const kept = store.get(question.key, isGood)
      const follow = (first: Awaited<typeof kept>) =>
        first === undefined || isEntry(first) ? checked(first, undefined) : at(question, first.by)
      return kept instanceof Promise ? kept.then(follow) : follow(kept)
    },
    keep(question, { by, keptMs, tags: ownTags, ...terms }, json, tags, change) {
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
    count: (subgraph, result, lookUps = 1) => count(subgraph, result, lookUps),
  }
}

/** What stands in for an answer that could not be had. */
const outages: ReadonlySet<unknown> = new Set([
  ...['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'UPSTREAM_BAD_RESPONSE'],
  ...['SERVICE_BUSY', 'RATE_LIMITED'],
])

const codeOf = ({ extensions }: SubgraphError): unknown => extensions?.code

/** Whether the errors say that the answer could not be had, and nothing of what was asked. */
export function isOutage({ errors }: Pick<SubgraphResult, 'errors'>): boolean {
  return errors !== undefined && errors.length > 0 && errors.every((error) => outages.has(codeOf(error)))
}

/** Whether they say that a quota is used up. */
export function isOverQuota({ errors }: Pick<SubgraphResult, 'errors'>): boolean {
  return (
    errors !== undefined && errors.length > 0 && errors.every((error) => codeOf(error) === 'QUOTA_EXCEEDED')
  )
}

/** Whether a stale answer stands in for this failure. */
export function standsIn(found: Found | undefined, result: SubgraphResult, quotaMs: number): found is Found {
  if (found === undefined) return false
  const { entry, ageMs } = found
  const staleMs = ageMs - entry.freshMs
  if (isOutage(result)) return staleMs < entry.errorMs
  return isOverQuota(result) && entry.mayBeStale && staleMs < quotaMs
}

export type Decision = 'fresh' | 'stale' | 'stale, asked anew' | undefined

/** Whether it is used at once, without asking: fresh, stale while it is asked for anew, or stale for want of quota. */
export function decisionFor(
  found: Found | undefined,
  { cacheOnly }: GatewayRequest,
  quotaMs: number,
): Decision {
  if (found === undefined) return undefined
  if (found.isFresh) return 'fresh'
  const { entry, ageMs } = found
  const staleMs = ageMs - entry.freshMs
  if (cacheOnly && entry.mayBeStale && staleMs < quotaMs) return 'stale'
  return staleMs < entry.revalidateMs ? 'stale, asked anew' : undefined
}

/** Notes for how long and for whom one part of the answer may be kept. */
export function notePart(request: GatewayRequest, freshMs: number, isPrivate: boolean): void {
  const known = request.answerPolicy
  request.answerPolicy =
    known === undefined
      ? { freshMs, isPrivate }
      : { freshMs: Math.min(known.freshMs, freshMs), isPrivate: known.isPrivate || isPrivate }
}
