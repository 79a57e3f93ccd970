/**
 * The metrics of a running gateway, in Prometheus' format: requests, upstream calls, quota units, cache, breakers.
 * Every gateway has its own registry, so that several live in one process.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { type ErrorCode, errorCodes } from '../../../contract/errors.ts'
import type { PollEvent } from '../../../contract/live.ts'
import type { UpstreamEvent } from '../../../contract/upstream.ts'
import type { Client } from '../clients.ts'
import type { Logger } from '../log.ts'
import { version } from '../version.ts'
import { type AgentCalled, agentSeriesIn } from './agents.ts'
import { createVersions } from './client-versions.ts'
import { openMetricsText, type ReadMetric } from './open-metrics.ts'
import { createOperationNames, other } from './operation-names.ts'
import { durationsIn, sumsIn } from './series.ts'
import type { MetricsExport, MetricsSettings } from './settings.ts'

export { openMetricsType } from './open-metrics.ts'

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const intervals = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900]

const costs = [0, 1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 100_000, 1_000_000]

/** How many operation names have a series of their own; the rest is counted as `other`. */
const namedOperations = 200

/** The same of clients, and of the versions of each. */
const namedClients = 100
const versionsOfClient = 20

/** A service that answers a call with one of these works: the call asked for what it does not give. */
const callersFaults: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
])

/** Why requests were not executed though nothing was wrong with them. */
export const refusalReasons = ['overload', 'gone', 'connections', 'stopping'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** The outcome of a call as a label: `failed` is the service's failure alone, so that an alert can go by it. */
function outcomeLabel({ outcome, code, reason }: UpstreamEvent): string {
  if (outcome !== 'failed') return outcome
  if (reason === 'cancelled') return 'cancelled'
  return code !== undefined && callersFaults.has(code) ? 'rejected' : 'failed'
}

/** Sends them to a collector as well, where one is configured. */
export async function openMetricsExport(
  settings: MetricsSettings,
  metrics: Metrics,
  log: Logger,
): Promise<MetricsExport | undefined> {
  for (const warning of settings.warnings) log.warn({ setting: warning }, 'a setting of metrics is left out')
  const { url } = settings
  if (url === undefined) return undefined
  const { exportMetrics } = await import('./otlp.ts')
  return exportMetrics({ ...settings, url }, () => metrics.json(), log)
}
/** Why subscriptions end, or do not begin. */
export const subscriptionEnds = ['complete', 'left', 'restart', 'slow', 'token', 'failed', 'refused'] as const
export type SubscriptionEnd = (typeof subscriptionEnds)[number]

/** What happens to a subscription of a remote subgraph; `resumed` counts connections that replace one that was lost. */
export const subgraphSubscriptionNotes = ['opened', 'refused', 'lost', 'resumed', 'given-up'] as const
export type SubgraphSubscriptionNote = (typeof subgraphSubscriptionNotes)[number]

export interface RequestMetric {
  readonly operationName: string | undefined
  readonly status: number
  readonly milliseconds: number
  /** Codes of the errors in the answer. */
  readonly codes?: readonly string[]
  /** The program that asks, as it says. */
  readonly client?: Client | undefined
  /** The trace that it is part of, and the operation's hash: an exemplar of its duration. */
  readonly exemplar?: Readonly<Record<string, string>> | undefined
}

export type HookResult = 'done' | 'refused' | 'failed' | 'timeout'

export interface HookMetric {
  readonly stage: string
  /** Where the hook comes from. */
  readonly source: string
  readonly result: HookResult
  readonly milliseconds: number
}

export interface Metrics {
  readonly contentType: string
  request(request: RequestMetric): void
  /** An attribute of a request; beyond so many values of a name they are counted as `other`. */
  attributed(name: string, value: string, mostValues: number): void
  /** The first part of an answer in pieces was made; `request` follows with the last one. */
  firstPart(milliseconds: number): void
  upstream(event: UpstreamEvent): void
  /** A request, or a connection, that was refused or not begun. */
  refused(this: void, reason: RefusalReason): void
  /** Operation and plan cache look-ups. */
  operationCache(hit: boolean): void
  /** A request that was answered by an equal operation under way. */
  operationJoined(): void
  /** A mutation that was answered with the outcome of an earlier request with the same idempotency key. */
  mutationReplayed(): void
  /** Makes what counts fetches of a subgraph that were answered by an equal one under way. */
  fetchJoined(subgraph: string): () => void
  /** Makes what counts requests to a remote subgraph, by the protocol that they are sent in. */
  subgraphRequested(subgraph: string): (protocol: 'http' | 'frames') => void
  /** A request that a rate limit refused. */
  rateLimited(this: void, policy: string): void
  /** A hook, or a coprocessor, that was called. */
  hook(this: void, call: HookMetric): void
  /** What an operation costs by `@cost`, before and after it runs. */
  operationCost(this: void, kind: 'estimated' | 'actual', cost: number): void
  /** Look-ups in the cache of subgraphs' answers, by what came of them. */
  responseCache(subgraph: string, result: string, lookUps: number): void
  /** A source of a supergraph or of trusted operations that was asked, by what came of it. */
  sourceAsked(this: void, what: string, source: string, result: string): void
  /** A reload that made a new generation, or was refused. */
  reload(result: 'done' | 'refused'): void
  /** A subscription that has ended, or was refused because there were too many. */
  subscriptionEnded(this: void, reason: SubscriptionEnd): void
  /** Makes what counts what happens to subscriptions of a remote subgraph. */
  subgraphSubscription(subgraph: string): (what: SubgraphSubscriptionNote) => void
  /** One poll of what is subscribed to, by what came of it. */
  polled(this: void, poll: PollEvent): void
  /** One event that was handed to so many subscribers. */
  eventsDelivered(this: void, subscribers: number): void
  /** Events that later ones replaced before a client took them. */
  eventsConflated(this: void, count: number): void
  /** One call of a tool by an agent, by what came of it. */
  agentCalled(this: void, call: AgentCalled): void
  /** A value that is read when somebody scrapes. */
  gauge(
    name: string,
    help: string,
    labels: readonly string[],
    read: () => readonly GaugeValue[],
    together?: Together,
  ): void
  text(): Promise<string>
  /** The same as OpenMetrics 1.0, with exemplars. */
  openMetrics(): Promise<string>
  json(): Promise<ProcessMetrics>
  close(): void
}

/** The metrics of one process as data, to be added to those of others. */
export type ProcessMetrics = readonly object[]

/** What a gauge of several processes together is. */
export type Together = 'sum' | 'max' | 'first'

export interface GaugeValue {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'tessera_build_info',
    help: 'Always 1; the version of Tessera and of Node as labels.',
    labelNames: ['version', 'node'],
    registers,
    aggregator: 'first',
  }).set({ version, node: process.versions.node }, 1)
  const requestsOf = durationsIn(registry, {
    name: 'tessera_request_duration_seconds',
    help: 'Time to answer a GraphQL request, by operation name and HTTP status; of an answer in pieces, to its last piece.',
    labelNames: ['operation', 'status'],
    bounds: seconds,
  })
  const firstParts = durationsIn(registry, {
    name: 'tessera_first_part_duration_seconds',
    help: 'Time to the first part of an answer in pieces.',
    labelNames: [],
    bounds: seconds,
  })()
  const errorsOf = sumsIn(registry, {
    name: 'tessera_errors_total',
    help: 'Errors in answers, by code.',
    labelNames: ['code'],
  })
  // All are there from the start: a rate does not see the first step of a series that begins with it.
  for (const code of Object.keys(errorCodes)) errorsOf(code)
  const callsOf = durationsIn(registry, {
    name: 'tessera_upstream_duration_seconds',
    help: 'Time of calls to a service, by service, operation and outcome.',
    labelNames: ['service', 'operation', 'outcome'],
    bounds: seconds,
  })
  const unitsOf = sumsIn(registry, {
    name: 'tessera_upstream_units_total',
    help: 'Quota units that a service charged.',
    labelNames: ['service', 'operation'],
  })
  const attributesOf = sumsIn(registry, {
    name: 'tessera_requests_by_attribute_total',
    help: 'Requests by the attributes that the configuration names.',
    labelNames: ['attribute', 'value'],
  })
  const attributeValues = new Map<string, Set<string>>()
  const refusalsOf = sumsIn(registry, {
    name: 'tessera_refused_total',
    help: 'Requests refused or not begun, by reason: overload, gone, connections, stopping.',
    labelNames: ['reason'],
  })
  for (const reason of refusalReasons) refusalsOf(reason)
  const lookUpsOf = sumsIn(registry, {
    name: 'tessera_operation_cache_total',
    help: 'Look-ups of compiled operations, by result (hit or miss).',
    labelNames: ['result'],
  })
  const hits = lookUpsOf('hit')
  const misses = lookUpsOf('miss')
  const joinedOperations = sumsIn(registry, {
    name: 'tessera_operations_joined_total',
    help: 'Requests that waited for an equal operation under way instead of executing their own.',
    labelNames: [],
  })()
  const replayedMutations = sumsIn(registry, {
    name: 'tessera_mutations_replayed_total',
    help: 'Mutations answered with the outcome of an earlier request with the same idempotency key.',
    labelNames: [],
  })()
  const joinedFetches = sumsIn(registry, {
    name: 'tessera_fetches_joined_total',
    help: 'Fetches of a remote subgraph that were not sent because an equal one was under way.',
    labelNames: ['subgraph'],
  })
  const subgraphRequestsOf = sumsIn(registry, {
    name: 'tessera_subgraph_requests_total',
    help: 'Requests to remote subgraphs, by the protocol that they were sent in: http or frames.',
    labelNames: ['subgraph', 'protocol'],
  })
  const reloadsOf = sumsIn(registry, {
    name: 'tessera_reloads_total',
    help: 'Reloads of configuration and supergraph, by result (done or refused).',
    labelNames: ['result'],
  })
  for (const result of ['done', 'refused']) reloadsOf(result)
  const sourcesOf = sumsIn(registry, {
    name: 'tessera_sources_total',
    help: 'Sources of supergraph and trusted operations that were asked, by result: read, unchanged, failed, refused, written.',
    labelNames: ['what', 'source', 'result'],
  })
  const costsOf = durationsIn(registry, {
    name: 'tessera_operation_cost',
    help: 'Cost of operations by @cost and @listSize, estimated before and actual after they run; where it is measured.',
    labelNames: ['kind'],
    bounds: costs,
  })
  const limitedOf = sumsIn(registry, {
    name: 'tessera_rate_limited_total',
    help: 'Requests that a rate limit refused, by the name of the limit.',
    labelNames: ['policy'],
  })
  const hooksOf = durationsIn(registry, {
    name: 'tessera_hook_duration_seconds',
    help: 'Time of hooks and coprocessors, by stage, source and result (done, refused, failed, timeout).',
    labelNames: ['stage', 'source', 'result'],
    bounds: seconds,
  })
  const keptAnswersOf = sumsIn(registry, {
    name: 'tessera_response_cache_total',
    help: 'Look-ups of subgraphs’ answers that are kept, by result: hit, stale, revalidated, miss.',
    labelNames: ['subgraph', 'result'],
  })
  const clientsOf = sumsIn(registry, {
    name: 'tessera_client_requests_total',
    help: 'GraphQL requests of clients that give their names, by name and version.',
    labelNames: ['client', 'version'],
  })
  const clients = createOperationNames(namedClients, (name) => {
    versions.forget(name)
    clientsOf.fold(name, other, [other])
  })
  const versions = createVersions(versionsOfClient)
  const subscriptionEndsOf = sumsIn(registry, {
    name: 'tessera_subscriptions_ended_total',
    help: `Subscriptions that ended, by reason: ${subscriptionEnds.join(', ')}.`,
    labelNames: ['reason'],
  })
  for (const reason of subscriptionEnds) subscriptionEndsOf(reason)
  const pollsOf = durationsIn(registry, {
    name: 'tessera_poll_duration_seconds',
    help: 'Time of polls for subscriptions, by service, field and result (changed, unchanged, failed, refused).',
    labelNames: ['service', 'field', 'result'],
    bounds: seconds,
  })
  const pollIntervalsOf = durationsIn(registry, {
    name: 'tessera_poll_interval_seconds',
    help: 'Time until the next poll, as it is planned after each one.',
    labelNames: ['service', 'field'],
    bounds: intervals,
  })
  const subgraphSubscriptionsOf = sumsIn(registry, {
    name: 'tessera_subgraph_subscriptions_total',
    help: `What happened to subscriptions of remote subgraphs: ${subgraphSubscriptionNotes.join(', ')}.`,
    labelNames: ['subgraph', 'result'],
  })
  const eventsDelivered = sumsIn(registry, {
    name: 'tessera_subscription_events_total',
    help: 'Events that were handed to subscribers, each counted for each of them.',
    labelNames: [],
  })()
  const eventsConflated = sumsIn(registry, {
    name: 'tessera_subscription_events_conflated_total',
    help: 'Events that later ones replaced before their client took them.',
    labelNames: [],
  })()
  const agents = agentSeriesIn(registry)
  const names = createOperationNames(namedOperations, (name) => requestsOf.fold(name, other))

  return {
    contentType: registry.contentType,
    request({ operationName, status, milliseconds, codes, client, exemplar }) {
      requestsOf(names.labelOf(operationName ?? 'anonymous'), String(status)).add(
        milliseconds / 1000,
        exemplar,
      )
      if (client !== undefined) {
        const name = clients.labelOf(client.name)
        clientsOf(name, name === other ? other : versions.labelOf(client)).add(1)
      }
      if (codes !== undefined) for (const code of codes) errorsOf(code).add(1)
    },
    attributed(name, value, mostValues) {
      const known = attributeValues.get(name) ?? new Set()
      attributeValues.set(name, known)
      if (known.size < mostValues) known.add(value)
      attributesOf(name, known.has(value) ? value : other).add(1)
    },
    firstPart: (milliseconds) => firstParts.add(milliseconds / 1000),
    upstream(event) {
      callsOf(event.service, event.operation, outcomeLabel(event)).add(event.milliseconds / 1000)
      if (event.units > 0) unitsOf(event.service, event.operation).add(event.units)
    },
    refused(reason) {
      refusalsOf(reason).add(1)
      if (reason === 'overload') errorsOf('SERVICE_BUSY').add(1)
    },
    operationCache(hit) {
      const lookUps = hit ? hits : misses
      lookUps.add(1)
    },
    operationJoined: () => joinedOperations.add(1),
    mutationReplayed: () => replayedMutations.add(1),
    fetchJoined(subgraph) {
      const joined = joinedFetches(subgraph)
      return () => joined.add(1)
    },
    subgraphRequested(subgraph) {
      const http = subgraphRequestsOf(subgraph, 'http')
      const frames = subgraphRequestsOf(subgraph, 'frames')
      return (protocol) => (protocol === 'frames' ? frames : http).add(1)
    },
    rateLimited: (policy) => limitedOf(policy).add(1),
    hook: ({ stage, source, result, milliseconds }) =>
      hooksOf(stage, source, result).add(milliseconds / 1000),
    operationCost: (kind, cost) => costsOf(kind).add(cost),
    responseCache: (subgraph, result, lookUps) => keptAnswersOf(subgraph, result).add(lookUps),
    sourceAsked: (what, source, result) => sourcesOf(what, source, result).add(1),
    reload: (result) => reloadsOf(result).add(1),
    subscriptionEnded: (reason) => subscriptionEndsOf(reason).add(1),
    subgraphSubscription(subgraph) {
      return (what) => subgraphSubscriptionsOf(subgraph, what).add(1)
    },
    polled({ service, field, result, milliseconds, intervalMs }) {
      pollsOf(service, field, result).add(milliseconds / 1000)
      pollIntervalsOf(service, field).add(intervalMs / 1000)
    },
    eventsDelivered: (count) => eventsDelivered.add(count),
    eventsConflated: (count) => eventsConflated.add(count),
    agentCalled: agents,
    gauge(name, help, labelNames, read, together = 'sum') {
      new Gauge({
        aggregator: together,
        name,
        help,
        labelNames: [...labelNames],
        registers,
        collect() {
          this.reset()
          for (const { labels, value } of read()) this.set({ ...labels }, value)
        },
      })
    },
    text: () => registry.metrics(),
    openMetrics: async () => openMetricsText((await registry.getMetricsAsJSON()) as unknown as ReadMetric[]),
    async json() {
      const metrics = await registry.getMetricsAsJSON()
      // The average of several loops says of none how late it is.
      return metrics.map((metric) =>
        /^nodejs_eventloop_lag_(?!min)/.test(metric.name) ? { ...metric, aggregator: 'max' } : metric,
      )
    },
    close: () => registry.clear(),
  }
}
