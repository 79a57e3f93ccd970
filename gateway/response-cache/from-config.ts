/** The response cache, as the configuration says. */
import { hash } from 'node:crypto'
import type { Supergraph } from '../../engine/supergraph/index.ts'
import type { Config } from '../config/index.ts'
import type { Quota } from '../costs/quota/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import {
  createChanges,
  createMemoryStore,
  createResponseCache,
  createSubgraphCaching,
  RedisCache,
  type ResponseCache,
  type SubgraphCaching,
  type SubgraphRules,
} from './index.ts'

/** The cache, which outlives generations of the graph; undefined if there is none. */
export function responseCacheFrom(
  config: Config,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): ResponseCache | undefined {
  const maxBytes = config.cache.bytes
  if (maxBytes === 0) return undefined
  const urls = config.cache.redisUrl
  // Nobody sets the monotonic clock.
  const memory = createMemoryStore(maxBytes, () => performance.now())
  const changes = createChanges()
  const shared =
    urls === undefined ? undefined : new RedisCache({ urls, log, memory, changes, now: Date.now })
  metrics.gauge('tessera_response_cache_bytes', 'Estimated bytes of the responses in memory.', () => [
    { labels: {}, value: memory.bytes },
  ])
  metrics.gauge('tessera_response_cache_entries', 'Responses in memory.', () => [
    { labels: {}, value: memory.entries },
  ])
  return createResponseCache(shared ?? memory, shared ?? changes, shared?.close)
}

interface SubgraphCachingParts {
  readonly config: Config
  readonly supergraph: Supergraph
  readonly metrics: Metrics
  /** The address of a subgraph; undefined for one in this process. */
  readonly addressOf: (subgraph: string) => string | undefined
  /** Books what is spent on refreshing an answer in the background. */
  readonly quota: Pick<Quota, 'record'>
}

/** Stands around the transports of one generation. */
export function subgraphCachingFrom(cache: ResponseCache, parts: SubgraphCachingParts): SubgraphCaching {
  const { config, supergraph, metrics, addressOf, quota } = parts
  return createSubgraphCaching({
    cache,
    supergraph,
    rulesFor: (name) => rulesOf(config, name, addressOf(name) === undefined),
    addressOf: (name) => addressOf(name) ?? inProcess(config, name),
    timeoutMs: config.calls.requestTimeoutMs,
    booked: (request, calls) => quota.record(request, calls),
    count: metrics.responseCache,
  })
}

/** One in this process is distinguished from others by its service and how that is called: secrets stay secret. */
function inProcess({ services }: Config, name: string): string {
  const service = Object.hasOwn(services, name) ? services[name as keyof typeof services] : undefined
  return `in process ${hash('sha256', JSON.stringify(service ?? null), 'base64url')}`
}

function rulesOf({ cache }: Config, name: string, isLocal: boolean): SubgraphRules | undefined {
  const { all, subgraphs = {} } = cache
  const given = { ...all, ...(Object.hasOwn(subgraphs, name) ? subgraphs[name] : undefined) }
  if (given.enabled === false) return undefined
  const milliseconds = (seconds: number | undefined): number => (seconds ?? 0) * 1000
  return {
    freshMs: given.maxAgeSeconds === undefined ? undefined : milliseconds(given.maxAgeSeconds),
    revalidateMs: milliseconds(given.staleWhileRevalidateSeconds),
    errorMs: milliseconds(given.staleIfErrorSeconds),
    quotaMs: milliseconds(given.staleIfQuotaSeconds ?? (isLocal ? 3600 : 0)),
  }
}
