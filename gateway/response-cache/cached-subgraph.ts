/** What the lookups of one subgraph share. */

import { createGatewayRequest, type GatewayRequest } from '../../engine/request.ts'
import type { SubgraphResult } from '../../engine/subgraphs/index.ts'
import { parseExactly } from '../../shared/json/exact-number.ts'
import { bytesOfJson, stringifyRaw } from '../../shared/json/raw.ts'
import { isTooDeep } from '../../shared/json/too-deep.ts'
import type { CallRecord } from '../../shared/request.ts'
import { type Awaitable, whenReady } from '../../shared/runtime/is-promise.ts'
import type { CacheKeys, CallerPart } from './cache-keys.ts'
import type { CacheReport, CountLookUps } from './report.ts'
import type { SchemaFacts, TagFormat } from './schema-facts.ts'
import type { SelectionPolicy } from './selection.ts'
import { type StoragePolicy, type SubgraphRules, storagePolicyOf } from './storage-policy.ts'
import {
  limitAnswerPolicy,
  permittedUse,
  type StoredResponse,
  type StoredResponses,
  type Use,
} from './stored-responses.ts'
import { addObjectTags, filled, type KeyValues, mostTags } from './tags.ts'

export interface CachedSubgraph {
  readonly name: string
  /** Identifies the subgraph, also among subgraphs of the same name at other addresses. */
  readonly identity: string
  readonly stored: StoredResponses
  readonly facts: SchemaFacts
  readonly rules: SubgraphRules
  readonly callerPart: CallerPart
  readonly possibleTypes: ReadonlyMap<string, ReadonlySet<string>>
  /** Counts lookups of a fetch: in the metrics if anything is fetched, and in the report that the request asks for. */
  counting(report: CacheReport | undefined): CountLookUps
  /** Whether a tag is for this subgraph. */
  isOwn(format: TagFormat): boolean
  /** Fetches a stale response again in the background; one fetch at a time for each key. */
  refresh(key: string, request: GatewayRequest, ask: (request: GatewayRequest) => unknown): void
}

/** The most background fetches at the same time. */
const mostRefreshes = 200

export interface RefreshOptions {
  readonly timeoutMs: number
  /** Receives the calls of background fetches, which belong to no operation's price. */
  readonly booked?: ((request: GatewayRequest, calls: readonly CallRecord[]) => unknown) | undefined
}

export function createRefresh({ timeoutMs, booked }: RefreshOptions): CachedSubgraph['refresh'] {
  const running = new Set<string>()
  return (key, request, ask) => {
    if (running.has(key) || running.size >= mostRefreshes) return
    running.add(key)
    const calls: CallRecord[] = []
    const anew = createGatewayRequest({
      id: request.id,
      deadline: performance.now() + timeoutMs,
      header: (name) => request.header(name),
      headers: Object.fromEntries(request.headerNames().map((name) => [name, request.header(name)])),
      identity: request.identity,
      onError: request.onError,
      meter: { records: calls, call: (record) => calls.push(record) },
    })
    // A caller without quota spends none in the background either.
    anew.cacheOnly = request.cacheOnly
    // It begins after the request that waits for its response.
    setImmediate(() => {
      Promise.resolve()
        .then(() => ask(anew))
        .catch(() => {
          // A fetch never rejects; any other failure leaves the stale response as it was.
        })
        .then(() => (calls.length === 0 ? undefined : booked?.(anew, calls)))
        .catch(() => {
          // The ledger itself logs if it fails.
        })
        .finally(() => running.delete(key))
    })
  }
}

/** What is looked up: the response of root fields, or of one entity. */
export interface LookUp {
  readonly keys: CacheKeys
  readonly policy: SelectionPolicy
}

/** A stored response; `use` is undefined if it may only be revalidated, or replace a failure. */
export interface HeldEntry extends StoredResponse {
  readonly use: Use | undefined
}

/** The stored response, if there is one. Fetches of a mutation after its change bypass the cache. */
export function heldFor(
  { stored, rules }: CachedSubgraph,
  { keys, policy }: LookUp,
  request: GatewayRequest,
): Awaitable<HeldEntry | undefined> {
  if (request.notBefore === Number.POSITIVE_INFINITY) return undefined
  return whenReady(
    stored.find(keys, policy.isPrivate ? 'caller' : undefined),
    (found) => found && { ...found, use: permittedUse(found, request, rules.quotaMs) },
  )
}

/** Notes that a stored response is a part of that of the request. */
export function noteHeld(
  request: GatewayRequest,
  { entry, ageMs, by }: StoredResponse,
  { guard }: SelectionPolicy,
): void {
  limitAnswerPolicy(request, Math.max(0, entry.freshMs - ageMs), by !== undefined || guard !== undefined)
}

/** A fetch under way: its request, and the last change that was known before. */
export interface Sending {
  readonly request: GatewayRequest
  readonly change: number
}

/** Stores the response by this policy, if it may be stored, and notes that for the response of the request. */
export function keepJson(
  { stored }: CachedSubgraph,
  { keys, policy }: LookUp,
  { request, change }: Sending,
  storage: StoragePolicy | undefined,
  content: () => { readonly json: string; readonly tags: readonly string[] },
): void {
  if (storage === undefined) {
    limitAnswerPolicy(request, 0, true)
    return
  }
  const { json, tags } = content()
  stored.keep(keys, storage, json, tags, change)
  const freshMs = Math.max(0, storage.madeAt + storage.freshMs - stored.now())
  limitAnswerPolicy(request, freshMs, storage.by !== undefined || policy.guard !== undefined)
}

/** The same for data that were fetched; undefined if they are incomplete. */
export function keepData(
  subgraph: CachedSubgraph,
  lookUp: LookUp,
  sending: Sending,
  { data, answered }: { readonly data: unknown; readonly answered: SubgraphResult['answered'] },
  tagsOf: (data: unknown) => string[],
): void {
  const storage =
    data === undefined || isTooDeep(data) ? undefined : storagePolicyFor(subgraph, lookUp.policy, answered)
  keepJson(subgraph, lookUp, sending, storage, () => {
    const json = bytesOfJson(stringifyRaw(data)).toString('utf8')
    return { json, tags: tagsOf(parseExactly(json)) }
  })
}

/** Undefined if the response must not be kept. */
export function storagePolicyFor(
  { rules, callerPart, stored }: CachedSubgraph,
  policy: SelectionPolicy,
  answered: SubgraphResult['answered'],
): StoragePolicy | undefined {
  return storagePolicyOf(answered, { rules, policy, varies: callerPart !== undefined, now: stored.now() })
}

/** Adds the tags of `@cacheTag` that are for this subgraph and whose values are known. */
export function addOwnTags(
  { isOwn }: CachedSubgraph,
  formats: readonly TagFormat[],
  values: Parameters<typeof filled>[1],
  into: Set<string>,
  most = Number.POSITIVE_INFINITY,
): void {
  for (const format of formats) {
    const tag = isOwn(format) && into.size < most ? filled(format, values) : undefined
    if (tag !== undefined) into.add(tag)
  }
}

export function addTypeTags(subgraph: CachedSubgraph, type: string, key: KeyValues, into: Set<string>): void {
  addObjectTags(subgraph.facts, type, key, into)
  addOwnTags(subgraph, subgraph.facts.type(type)?.tags ?? [], { key }, into, mostTags)
}
