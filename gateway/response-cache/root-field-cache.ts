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
import { leadingTags, subgraphTag } from './tags.ts'

/** What is fetched because no stored response is used. */
interface AskedFetch extends LookUp {
  readonly held: HeldEntry | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly count: CountLookUps
}

export class RootFieldCache {
  readonly #subgraph: CachedSubgraph
  readonly #operation: SubgraphOperation
  readonly #selection: Selection
  readonly #send: SubgraphFetch
  readonly #policy
  readonly #typeTags
  readonly #material

  constructor(
    subgraph: CachedSubgraph,
    operation: SubgraphOperation,
    selection: Selection,
    send: SubgraphFetch,
  ) {
    this.#subgraph = subgraph
    this.#operation = operation
    this.#selection = selection
    this.#send = send
    const { name, facts, rules } = subgraph
    this.#policy = selection.policy(facts.root.query, true, (rules.freshMs ?? 0) / 1000)
    this.#typeTags = leadingTags(name, selection.objectTypes('everywhere'))
    this.#material = `${subgraph.identity}\nroot\n${selection.text}\n`
  }

  readonly answer: SubgraphFetch = (variables, request) => {
    const policy = this.#policy
    const lookUp = { policy, keys: this.#keysFor(variables, request) }
    const report = cacheReportOf(request)
    const count = this.#subgraph.counting(report)
    return whenReady(heldFor(this.#subgraph, lookUp, request), (held) => {
      if (held?.use === undefined) {
        if (report?.isDry !== true) return this.#ask({ ...lookUp, held, variables, count }, request)
        if (conditionsFor(held) === undefined) count('miss')
        else count('revalidated', 1, held?.ageMs)
        // The stored response may still be valid: the later fetches follow from it.
        return held === undefined ? unknown : resultOf(held.entry.json)
      }
      count(held.use === 'fresh' ? 'hit' : 'stale', 1, held.ageMs)
      if (report?.isDry === true) return resultOf(held.entry.json)
      if (held.use === 'stale while revalidating')
        this.#subgraph.refresh(lookUp.keys.shared, request, (anew) => {
          const keys = this.#keysFor(variables, anew)
          return this.#ask({ policy, keys, held, variables, count: uncounted }, anew)
        })
      noteHeld(request, held, policy)
      return resultOf(held.entry.json)
    })
  }

  #keysFor(variables: Readonly<Record<string, unknown>>, request: GatewayRequest): CacheKeys {
    const values = this.#operation.variableNames.map((each) => [each, variables[each]] as const)
    const ordered = canonicalJson(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
    return new CacheKeys(
      `${this.#material}${ordered}`,
      this.#policy.guard,
      request,
      this.#subgraph.callerPart,
    )
  }

  #tagsOf(data: unknown, variables: Readonly<Record<string, unknown>>): string[] {
    const { name, facts } = this.#subgraph
    const tags = new Set<string>([subgraphTag(name), ...this.#typeTags])
    this.#selection.visitObjects(data, facts.root.query, (type, values) => {
      for (const possible of facts.possibleTypes(type)) addTypeTags(this.#subgraph, possible, values, tags)
    })
    for (const { facts: field, args } of this.#selection.rootFields(facts.root.query, variables))
      addOwnTags(this.#subgraph, field.tags, { args }, tags)
    return [...tags]
  }

  #ask(asked: AskedFetch, request: GatewayRequest): Awaitable<SubgraphResult> {
    const sending = { request, change: this.#subgraph.stored.changes.last() }
    return whenReady(this.#send(asked.variables, request, conditionsFor(asked.held)), (result) =>
      this.#finish(result, asked, sending),
    )
  }

  /** The fetched response, or a stale one instead. */
  #finish(result: SubgraphResult, asked: AskedFetch, sending: Sending): SubgraphResult {
    const { held, policy, variables, count } = asked
    const { data, errors, answered } = result
    if (held !== undefined && answered?.status === 304 && data === undefined && errors === undefined) {
      const said = storagePolicyFor(this.#subgraph, policy, withHeld(answered, held))
      const storage = said && { ...said, by: narrower(said.by, held.by) }
      keepJson(this.#subgraph, asked, sending, storage, () => held.entry)
      count('revalidated', 1, held.ageMs)
      return resultOf(held.entry.json)
    }
    if (errors !== undefined && replacesFailure(held, result, this.#subgraph.rules.quotaMs)) {
      count('stale', 1, held.ageMs)
      limitAnswerPolicy(sending.request, 0, true)
      return resultOf(held.entry.json)
    }
    count('miss')
    const isWhole = data !== null && (errors === undefined || errors.length === 0)
    const kept = { data: isWhole ? data : undefined, answered }
    keepData(this.#subgraph, asked, sending, kept, (read) => this.#tagsOf(read, variables))
    return result
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

const resultOf = (json: string): SubgraphResult => ({
  data: parseExactly(json) as Record<string, unknown>,
})

function conditionsFor(held: StoredResponse | undefined): FetchExtras | undefined {
  if (held === undefined) return undefined
  const { etag, lastModified } = held.entry
  return etag === undefined && lastModified === undefined ? undefined : { validators: { etag, lastModified } }
}
