/** Root fields of one subgraph, whose response is stored as a whole. */

import type { GatewayRequest } from '../../engine/request.ts'
import type {
  FetchExtras,
  SubgraphFetch,
  SubgraphOperation,
  SubgraphResult,
} from '../../engine/subgraphs/index.ts'
import { canonicalJson } from '../../shared/json/canonical-json.ts'
import { parseExactly } from '../../shared/json/exact-number.ts'
import { type Awaitable, whenReady } from '../../shared/runtime/is-promise.ts'
import { CacheKeys } from './cache-keys.ts'
import {
  addOwnTags,
  addTypeTags,
  type CachedSubgraph,
  type HeldEntry,
  heldFor,
  keepData,
  keepJson,
  type LookUp,
  noteHeld,
  type Sending,
  storagePolicyFor,
} from './cached-subgraph.ts'
import { type CountLookUps, cacheReportOf } from './report.ts'
import type { Selection } from './selection.ts'
import { narrower } from './storage-policy.ts'
import { limitAnswerPolicy, replacesFailure, type StoredResponse } from './stored-responses.ts'
import { leadingTags, mostTags, subgraphTag } from './tags.ts'

type Variables = Readonly<Record<string, unknown>>

/** What is fetched because no stored response is used. */
interface AskedFetch extends LookUp {
  readonly held: HeldEntry | undefined
  readonly variables: Variables
  readonly count: CountLookUps
}

export function createRootFieldCache(
  subgraph: CachedSubgraph,
  { variableNames }: SubgraphOperation,
  selection: Selection,
  send: SubgraphFetch,
): SubgraphFetch {
  const { name, facts, rules, callerPart } = subgraph
  const policy = selection.policy(facts.root.query, true, (rules.freshMs ?? 0) / 1000)
  const typeTags = leadingTags(name, selection.objectTypes('everywhere'))
  const material = `${subgraph.identity}\nroot\n${selection.text}\n`

  function keysFor(variables: Variables, request: GatewayRequest): CacheKeys {
    const values = variableNames.map((each) => [each, variables[each]] as const)
    const ordered = canonicalJson(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
    return new CacheKeys(`${material}${ordered}`, policy.guard, request, callerPart)
  }

  function tagsOf(data: unknown, variables: Variables): string[] {
    const tags = new Set<string>([subgraphTag(name), ...typeTags])
    selection.visitObjects(data, facts.root.query, (type, values) => {
      for (const possible of facts.possibleTypes(type)) addTypeTags(subgraph, possible, values, tags)
    })
    for (const { facts: field, args } of selection.rootFields(facts.root.query, variables))
      addOwnTags(subgraph, field.tags, { args }, tags)
    return [...tags]
  }

  function ask(asked: AskedFetch, request: GatewayRequest): Awaitable<SubgraphResult> {
    const sending = { request, change: subgraph.stored.changes.last() }
    return whenReady(send(asked.variables, request, conditionsFor(asked.held)), (result) =>
      finish(result, asked, sending),
    )
  }

  /** The fetched response, or a stale one instead. */
  function finish(result: SubgraphResult, asked: AskedFetch, sending: Sending): SubgraphResult {
    const { held, variables, count } = asked
    const { data, errors, answered } = result
    if (held !== undefined && answered?.status === 304 && data === undefined && errors === undefined) {
      const said = storagePolicyFor(subgraph, policy, withHeld(answered, held))
      const storage =
        said && !outgrows(said.tags, held) ? { ...said, by: narrower(said.by, held.by) } : undefined
      keepJson(subgraph, asked, sending, storage, () => held.entry)
      count('revalidated', 1, held.ageMs)
      return resultOf(held.entry.json)
    }
    if (errors !== undefined && replacesFailure(held, result, rules.quotaMs)) {
      count('stale', 1, held.ageMs)
      limitAnswerPolicy(sending.request, 0, true)
      return resultOf(held.entry.json)
    }
    count('miss')
    const isWhole = data !== null && (errors === undefined || errors.length === 0)
    const kept = { data: isWhole ? data : undefined, answered }
    keepData(subgraph, asked, sending, kept, (read) => tagsOf(read, variables))
    return result
  }

  return (variables, request) => {
    const lookUp = { policy, keys: keysFor(variables, request) }
    const report = cacheReportOf(request)
    const count = subgraph.counting(report)
    return whenReady(heldFor(subgraph, lookUp, request), (held) => {
      if (held?.use === undefined) {
        if (report?.isDry !== true) return ask({ ...lookUp, held, variables, count }, request)
        if (conditionsFor(held) === undefined) count('miss')
        else count('revalidated', 1, held?.ageMs)
        // The stored response may still be valid: the later fetches follow from it.
        return held === undefined ? unknown : resultOf(held.entry.json)
      }
      count(held.use === 'fresh' ? 'hit' : 'stale', 1, held.ageMs)
      if (report?.isDry === true) return resultOf(held.entry.json)
      if (held.use === 'stale while revalidating')
        subgraph.refresh(lookUp.keys.shared, request, (anew) => {
          const keys = keysFor(variables, anew)
          return ask({ policy, keys, held, variables, count: uncounted }, anew)
        })
      noteHeld(request, held, policy)
      return resultOf(held.entry.json)
    })
  }
}

const uncounted: CountLookUps = () => {}

const unknown: SubgraphResult = { data: null }

/** What a 304 does not repeat remains valid (RFC 9111, section 3.2). `narrower` keeps the callers for whom it is. */
function withHeld(
  { status, headers }: NonNullable<SubgraphResult['answered']>,
  { entry }: StoredResponse,
): NonNullable<SubgraphResult['answered']> {
  const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
  const before = [
    ...(headers.expires === undefined ? [`max-age=${seconds(entry.freshMs)}`] : []),
    ...(entry.mayBeStale
      ? [`stale-while-revalidate=${seconds(entry.revalidateMs)}`, `stale-if-error=${seconds(entry.errorMs)}`]
      : ['must-revalidate']),
  ]
  return {
    status,
    headers: {
      ...(entry.etag === undefined ? {} : { etag: entry.etag }),
      ...(entry.lastModified === undefined ? {} : { 'last-modified': entry.lastModified }),
      'cache-control': before.join(', '),
      ...headers,
    },
  }
}

/** Whether a 304 brings too many other tags: a response that is revalidated for days would grow with each. */
function outgrows(tags: readonly string[], { entry }: StoredResponse): boolean {
  const all = new Set([...entry.tags, ...tags]).size
  return all > Math.max(entry.tags.length, 2 * mostTags)
}

const resultOf = (json: string): SubgraphResult => ({
  data: parseExactly(json) as Record<string, unknown>,
})

function conditionsFor(held: StoredResponse | undefined): FetchExtras | undefined {
  if (held === undefined) return undefined
  const { etag, lastModified } = held.entry
  return etag === undefined && lastModified === undefined ? undefined : { validators: { etag, lastModified } }
}
