/** What the lookups of one subgraph share. */

import { createGatewayRequest, type GatewayRequest } from '../../engine/request.ts'
import type { FetchExtras, SubgraphResult } from '../../engine/subgraphs/index.ts'
import { bytesOfJson, stringifyRaw } from '../../shared/json/raw.ts'
import { isTooDeep } from '../../shared/json/too-deep.ts'
import type { CallRecord } from '../../shared/request.ts'
import type { Answers, Found } from './answers.ts'
import type { CallerPart } from './question.ts'
import type { CacheReport, CountLookUps } from './report.ts'
import type { SchemaFacts, TagFormat } from './schema-facts.ts'
import type { SelectionPolicy } from './selection.ts'
import { filled } from './tags.ts'
import { type SubgraphRules, type Terms, termsOf } from './terms.ts'

export interface CachedSubgraph {
  readonly name: string
  /** Identifies the subgraph, also among subgraphs of the same name at other addresses. */
  readonly identity: string
  readonly answers: Answers
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
  /** The timeout of a background fetch. */
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

/** The value as JSON, in a string. */
export const jsonOf = (value: unknown): string => bytesOfJson(stringifyRaw(value)).toString('utf8')

/** Undefined if the response must not be kept. */
export function termsFor(
  { rules, callerPart, answers }: CachedSubgraph,
  policy: SelectionPolicy,
  { answered }: SubgraphResult,
): Terms | undefined {
  return termsOf(answered, { rules, policy, varies: callerPart !== undefined, now: answers.now() })
}

/** For how many milliseconds it is still fresh. */
export const freshLeft = ({ madeAt, freshMs }: Terms, { now }: Answers): number =>
  Math.max(0, madeAt + freshMs - now())

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

/** Whether the response is complete: data that can be written, no error. */
export function canKeep({ data, errors }: SubgraphResult): boolean {
  return data != null && (errors === undefined || errors.length === 0) && !isTooDeep(data)
}

export function conditionsFor(held: Found | undefined): FetchExtras | undefined {
  if (held === undefined) return undefined
  const { etag, lastModified } = held.entry
  return etag === undefined && lastModified === undefined ? undefined : { validators: { etag, lastModified } }
}
