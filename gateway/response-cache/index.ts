/**
 * The response cache of subgraphs. It wraps the transport of each subgraph: a fetch is answered from the cache if the
 * entry is fresh, belongs to the caller, and nothing of it has changed.
 *
 * Lookups of entities are stored one by one, and the results of root fields together. The subgraph's `Cache-Control`,
 * or else `@cacheControl` of the schema, or else the configuration, says how long and for whom.
 */
import { Kind, type OperationDefinitionNode } from 'graphql'
import {
  pickHeaders,
  type SubgraphFetch,
  type SubgraphOperation,
  type Transport,
  withFetches,
} from '../../engine/subgraphs/index.ts'
import type { Supergraph } from '../../engine/supergraph/index.ts'
import type { CallerPart } from './cache-keys.ts'
import { type CachedSubgraph, createRefresh, type RefreshOptions } from './cached-subgraph.ts'
import { EntityCache } from './entity-cache.ts'
import { groupsOf } from './entity-lookups.ts'
import { invalidateAfter } from './invalidate.ts'
import { cacheReportOf } from './report.ts'
import { createRootFieldCache } from './root-field-cache.ts'
import { readSchemaFacts } from './schema-facts.ts'
import { normalisedFetch, Selection } from './selection.ts'
import type { SubgraphRules } from './storage-policy.ts'
import { createStoredResponses, limitAnswerPolicy } from './stored-responses.ts'
import { namedTag, objectTag, subgraphTag, typeTag, unknownTag } from './tags.ts'
import type { CacheResult, Changes, EntryStore } from './types.ts'

export { createChanges } from './changes.ts'
export { createMemoryStore } from './memory-store.ts'
export { RedisCache, responseCacheUse } from './redis-cache.ts'
export { type CacheReport, cacheHeader, reportCache } from './report.ts'
export { keysOf } from './schema-facts.ts'
export type { SubgraphRules } from './storage-policy.ts'

/** What outlives a generation of the graph: the entries, and the order of changes. */
export type ResponseCache = ReturnType<typeof createResponseCache>

export interface Purge {
  readonly tags?: readonly string[] | undefined
  readonly subgraphs?: readonly string[] | undefined
  readonly types?: readonly string[] | undefined
  /** Objects by type and the fields of one key. */
  readonly objects?:
    | readonly { readonly type: string; readonly key: Readonly<Record<string, unknown>> }[]
    | undefined
}

export function createResponseCache(
  store: EntryStore,
  changes: Changes,
  close: () => Promise<void> = async () => {},
) {
  return {
    store,
    changes,
    /** Invalidates responses: all with one of these tags, of these subgraphs or types, or with these objects. */
    async purge({ tags = [], subgraphs = [], types = [], objects = [] }: Purge): Promise<void> {
      await changes.note([
        ...tags.map(namedTag),
        ...subgraphs.map(subgraphTag),
        ...types.map(typeTag),
        ...objects.flatMap(({ type, key }) => {
          const fields = Object.keys(key).sort()
          const tag = objectTag(type, fields, (field) => key[field])
          return tag === undefined ? [typeTag(type)] : [tag, unknownTag(type, fields)]
        }),
      ])
    },
    close,
  }
}

interface SubgraphCachingOptions extends RefreshOptions {
  readonly cache: ResponseCache
  readonly supergraph: Supergraph
  /** The settings of a subgraph; undefined if it is not cached. */
  readonly rulesFor: (subgraph: string) => SubgraphRules | undefined
  /** The address of a subgraph: responses of another address are different entries. */
  readonly addressOf: (subgraph: string) => string
  readonly now?: (() => number) | undefined
  readonly count: (subgraph: string, result: CacheResult, lookUps: number) => void
}

/** The same transports with the cache. */
export type SubgraphCaching = (transport: Transport) => Transport

export function createSubgraphCaching(options: SubgraphCachingOptions): SubgraphCaching {
  const { cache, supergraph, rulesFor, addressOf, count, now = Date.now } = options
  const facts = readSchemaFacts(supergraph.document, supergraph.possibleTypes)
  const stored = createStoredResponses(cache.store, cache.changes, now)
  const refresh = createRefresh(options)
  return (transport) => {
    const { name } = transport
    const rules = rulesFor(name)
    const callerPart = callerPartOf(transport)
    const graph = supergraph.subgraphs.find((each) => each.name === name)?.graph
    const subgraph: CachedSubgraph = {
      name,
      identity: `${name}\n${addressOf(name)}`,
      stored,
      facts,
      rules: rules ?? noRules,
      callerPart: callerPart === 'unknown' ? undefined : callerPart,
      possibleTypes: supergraph.possibleTypes,
      counting(report) {
        const noted = report?.begin(name)
        if (noted !== undefined && report?.isDry === true) return noted
        return (result, lookUps = 1, ageMs) => {
          count(name, result, lookUps)
          noted?.(result, lookUps, ageMs)
        }
      },
      isOwn: ({ graphs }) => graphs.length === 0 || (graph !== undefined && graphs.includes(graph)),
      refresh,
    }
    const isKept = rules !== undefined && callerPart !== 'unknown'
    return withFetches(transport, (operation) => {
      const send = transport.prepare(operation)
      return cachedFetch(operation, send) ?? neverKept(name, send)
    })

    /** Undefined if it is not cached. */
    function cachedFetch(operation: SubgraphOperation, send: SubgraphFetch): SubgraphFetch | undefined {
      if (operation.kind === 'query' && (!isKept || operation.later !== undefined)) return undefined
      const definition = operation.document.definitions.find(
        (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
      )
      if (definition === undefined) return undefined
      const { document } = operation
      const { selections } = normalisedFetch(facts, document, definition)
      const selection = new Selection(facts, document, definition.selectionSet, selections)
      if (operation.kind === 'mutation') return invalidateAfter(subgraph, selection, send)
      const entities = selections.filter(({ field }) => field.name === '_entities')
      if (entities.length === 0) return createRootFieldCache(subgraph, operation, selection, send)
      const groups = entities.length === selections.length ? groupsOf(facts, document, entities) : undefined
      return groups && new EntityCache(subgraph, document, groups, send).answer
    }
  }
}

const noRules: SubgraphRules = { freshMs: undefined, revalidateMs: 0, errorMs: 0, quotaMs: 0 }

/** A fetch that is not cached makes the response of the whole operation uncacheable. */
function neverKept(name: string, send: SubgraphFetch): SubgraphFetch {
  return (variables, request) => {
    limitAnswerPolicy(request, 0, true)
    const report = cacheReportOf(request)
    report?.begin(name)('miss')
    return report?.isDry === true ? { data: null } : send(variables, request)
  }
}

/** 'unknown' if the headers on which the responses depend are unknown: then nothing is stored. */
function callerPartOf({ callerPart, callerHeaders }: Transport): CallerPart | 'unknown' {
  if (callerPart !== undefined) return callerPart
  if (callerHeaders === undefined) return 'unknown'
  if (callerHeaders.length === 0) return undefined
  return (request) => pickHeaders(request, callerHeaders)
}
