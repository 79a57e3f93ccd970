/**
 * Every counter and histogram of the gateway, by its name in the code. The owner of a value adds its gauge
 * (`Metrics.gauge`).
 */
import { errorCodes } from '../../../shared/errors.ts'
import type { MetricRegistry } from './registry.ts'
import type { SeriesOf, SeriesOptions } from './series.ts'

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Why valid requests were not executed. */
const refusalReasons = ['overload', 'gone', 'connections', 'stopping'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** Why subscriptions end, or do not begin. */
const subscriptionEnds = ['complete', 'left', 'restart', 'slow', 'token', 'failed', 'refused'] as const
export type SubscriptionEnd = (typeof subscriptionEnds)[number]

/** Events of a subscription of a remote subgraph; `resumed` counts connections that replace a lost one. */
const subgraphSubscriptionNotes = ['opened', 'refused', 'lost', 'resumed', 'given-up'] as const
export type SubgraphSubscriptionNote = (typeof subgraphSubscriptionNotes)[number]

const instruments = {
  errors: {
    name: 'tessera_errors_total',
    help: 'Errors in responses, by code.',
    labels: ['code'],
    from: Object.keys(errorCodes),
  },
  units: {
    name: 'tessera_upstream_units_total',
    help: 'Quota units that a service charged.',
    labels: ['service', 'operation'],
  },
  attributes: {
    name: 'tessera_requests_by_attribute_total',
    help: 'Requests by the attributes that the configuration names.',
    labels: ['attribute', 'value'],
  },
  refusals: {
    name: 'tessera_refused_total',
    help: 'Requests refused or not begun, by reason: overload, gone, connections, stopping.',
    labels: ['reason'],
    from: refusalReasons,
  },
  operationLookUps: {
    name: 'tessera_operation_cache_total',
    help: 'Lookups of compiled operations, by result (hit or miss).',
    labels: ['result'],
  },
  joinedOperations: {
    name: 'tessera_operations_joined_total',
    help: 'Requests that waited for an equal operation under way instead of executing their own.',
  },
  replayedMutations: {
    name: 'tessera_mutations_replayed_total',
    help: 'Mutations answered with the outcome of an earlier request with the same idempotency key.',
  },
  joinedFetches: {
    name: 'tessera_fetches_joined_total',
    help: 'Fetches of a remote subgraph that were not sent because an equal one was under way.',
    labels: ['subgraph'],
  },
  subgraphRequests: {
    name: 'tessera_subgraph_requests_total',
    help: 'Requests to remote subgraphs, by protocol: http or frames.',
    labels: ['subgraph', 'protocol'],
  },
  sources: {
    name: 'tessera_sources_total',
    help: 'Sources of supergraph and trusted operations that were asked, by result: read, unchanged, failed, refused, written.',
    labels: ['what', 'source', 'result'],
  },
  reloads: {
    name: 'tessera_reloads_total',
    help: 'Reloads of configuration and supergraph, by result (done or refused).',
    labels: ['result'],
    from: ['done', 'refused'],
  },
  limited: {
    name: 'tessera_rate_limited_total',
    help: 'Requests that a rate limit refused, by the name of the limit.',
    labels: ['policy'],
  },
  responseCache: {
    name: 'tessera_response_cache_total',
    help: 'Lookups in the response cache, by result: hit, stale, revalidated, miss.',
    labels: ['subgraph', 'result'],
  },
  clientRequests: {
    name: 'tessera_client_requests_total',
    help: 'GraphQL requests of clients that name themselves, by name and version.',
    labels: ['client', 'version'],
  },
  subscriptionEnds: {
    name: 'tessera_subscriptions_ended_total',
    help: `Subscriptions that ended, by reason: ${subscriptionEnds.join(', ')}.`,
    labels: ['reason'],
    from: subscriptionEnds,
  },
  subgraphSubscriptions: {
    name: 'tessera_subgraph_subscriptions_total',
    help: `What happened to subscriptions of remote subgraphs: ${subgraphSubscriptionNotes.join(', ')}.`,
    labels: ['subgraph', 'result'],
  },
  eventsDelivered: {
    name: 'tessera_subscription_events_total',
    help: 'Events that were delivered, counted for each subscriber.',
  },
  eventsConflated: {
    name: 'tessera_subscription_events_conflated_total',
    help: 'Events that later ones replaced before their client read them.',
  },
  agentCalls: {
    name: 'tessera_mcp_calls_total',
    help: 'Calls of tools by agents, by outcome.',
    labels: ['tool', 'outcome'],
  },
  agentUnits: {
    name: 'tessera_mcp_units_total',
    help: 'Quota units that calls of tools spent.',
    labels: ['tool'],
  },
  agentTokens: {
    name: 'tessera_mcp_tokens_total',
    help: 'Tokens (of 4 bytes) of the responses of tools.',
    labels: ['tool'],
  },
  requests: {
    name: 'tessera_request_duration_seconds',
    help: 'Time to answer a GraphQL request, by operation name and HTTP status; for an incremental response, until its last payload.',
    labels: ['operation', 'status'],
    bounds: seconds,
  },
  firstParts: {
    name: 'tessera_first_part_duration_seconds',
    help: 'Time to the first payload of an incremental response.',
    bounds: seconds,
  },
  calls: {
    name: 'tessera_upstream_duration_seconds',
    help: 'Time of calls to a service, by service, operation and outcome.',
    labels: ['service', 'operation', 'outcome'],
    bounds: seconds,
  },
  costs: {
    name: 'tessera_operation_cost',
    help: 'Cost of operations by @cost and @listSize, estimated before they run and actual afterwards, if it is measured.',
    labels: ['kind'],
    bounds: [0, 1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 100_000, 1_000_000],
  },
  hooks: {
    name: 'tessera_hook_duration_seconds',
    help: 'Time of hooks and coprocessors, by stage, source and result (done, refused, failed, timeout).',
    labels: ['stage', 'source', 'result'],
    bounds: seconds,
  },
  polls: {
    name: 'tessera_poll_duration_seconds',
    help: 'Time of polls for subscriptions, by service, field and result (changed, unchanged, failed, refused).',
    labels: ['service', 'field', 'result'],
    bounds: seconds,
  },
  pollIntervals: {
    name: 'tessera_poll_interval_seconds',
    help: 'Planned time until the next poll, after each one.',
    labels: ['service', 'field'],
    bounds: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900],
  },
  agentDurations: {
    name: 'tessera_mcp_call_duration_seconds',
    help: 'Time of calls of tools.',
    labels: ['tool'],
    bounds: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
  },
} satisfies Readonly<Record<string, SeriesOptions>>

type Instruments = Readonly<Record<keyof typeof instruments, SeriesOf>>

export function createInstruments(registry: MetricRegistry): Instruments {
  const made = Object.entries<SeriesOptions>(instruments).map(([name, options]) => [
    name,
    registry.series(options),
  ])
  return Object.fromEntries(made) as Instruments
}
