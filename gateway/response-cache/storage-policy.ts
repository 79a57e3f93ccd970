/** How long and for whom a response may be stored: by its headers, or else the schema, or else the configuration. */
import type { SubgraphResult } from '../../engine/subgraphs/index.ts'
import { type Freshness, freshnessOf } from './freshness.ts'
import type { SelectionPolicy } from './selection.ts'
import { tagsOfHeader } from './tags.ts'
import type { Entry, VariantsBy } from './types.ts'

/** The configuration of one subgraph; times in milliseconds. */
export interface SubgraphRules {
  /** Freshness of responses without headers and hints; undefined stores none of them. */
  readonly freshMs: number | undefined
  /** Used if the response does not say. */
  readonly revalidateMs: number
  readonly errorMs: number
  /** How long a stale answer may be used for callers whose quota of a service is used up. */
  readonly quotaMs: number
}

export interface StoragePolicy extends Omit<Entry, 'json' | 'tags' | 'change'> {
  /** If it is undefined, there is one entry for everybody. */
  readonly by: VariantsBy | undefined
  readonly tags: readonly string[]
  /** How long it can be used for anything. */
  readonly keptMs: number
}

/** How much longer a stale response that can be revalidated is kept. */
const revalidatableMs = 3_600_000
/** The longest that anything is kept. */
const longestMs = 30 * 86_400_000

interface StoragePolicyOptions {
  readonly rules: SubgraphRules
  readonly policy: SelectionPolicy
  /** Whether the subgraph receives anything about its callers. */
  readonly varies: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Undefined if the response must not be stored, or nothing says for how long. */
export function storagePolicyOf(
  answered: SubgraphResult['answered'],
  { rules, policy, varies, now }: StoragePolicyOptions,
): StoragePolicy | undefined {
  if (answered !== undefined && answered.status !== 200 && answered.status !== 304) return undefined
  const said = freshnessOf(answered?.headers ?? {}, now)
  if (said === undefined) return undefined
  const hinted = policy.maxAge === undefined ? undefined : policy.maxAge * 1000
  const given = said.freshMs ?? hinted ?? rules.freshMs
  if (given === undefined) return undefined
  const freshMs = Math.min(given, longestMs)
  const madeAt = now - said.ageMs
  const revalidateMs = said.mayBeStale ? (said.revalidateMs ?? rules.revalidateMs) : 0
  const errorMs = said.mayBeStale ? (said.errorMs ?? rules.errorMs) : 0
  const isConditional = said.etag !== undefined || said.lastModified !== undefined
  const staleMs = Math.max(
    revalidateMs,
    errorMs,
    said.mayBeStale ? rules.quotaMs : 0,
    isConditional ? revalidatableMs : 0,
  )
  const keptMs = Math.min(freshMs + staleMs, longestMs) - said.ageMs
  if (keptMs <= 0) return undefined
  return {
    madeAt,
    freshMs,
    revalidateMs,
    errorMs,
    mayBeStale: said.mayBeStale,
    etag: said.etag,
    lastModified: said.lastModified,
    by: variantsBy(said, policy, varies),
    tags: tagsOfHeader(answered?.headers['cache-tag']),
    keptMs,
  }
}

export function narrower(one: VariantsBy | undefined, other: VariantsBy | undefined): VariantsBy | undefined {
  if (one === undefined || other === undefined) return one ?? other
  if (one === 'caller' || other === 'caller') return 'caller'
  if (one === 'all' || other === 'all') return 'all'
  return [...new Set([...one, ...other])]
}

function variantsBy(
  { scope, vary }: Freshness,
  policy: SelectionPolicy,
  varies: boolean,
): VariantsBy | undefined {
  if (scope === 'private' || policy.isPrivate) return 'caller'
  if (!varies) return undefined
  if (scope === 'public') return vary.length === 0 ? undefined : vary
  // A response that the subgraph does not declare public can depend on everything that it received of the caller.
  return 'all'
}
