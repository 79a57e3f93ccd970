/**
 * The metrics of a running gateway, in Prometheus' format: requests, upstream calls, quota units, cache, breakers.
 * Every gateway has its own registry, so that several live in one process.
 */
import { type ErrorCode, isErrorCode } from '../../../shared/errors.ts'
import type { PollEvent } from '../../../shared/polling.ts'
import type { UpstreamEvent } from '../../../shared/upstream.ts'
import type { Client } from '../clients.ts'
import type { Logger } from '../log.ts'
import type { MetricsSettings } from '../settings.ts'
import { version } from '../version.ts'
import { openMetricsText, prometheusText, prometheusType } from './exposition.ts'
import {
  createInstruments,
  type RefusalReason,
  type SubgraphSubscriptionNote,
  type SubscriptionEnd,
} from './instruments.ts'
import { createFirstValues, createOperationNames, other } from './operation-names.ts'
import { MetricRegistry, type ProcessMetrics } from './registry.ts'

export { openMetricsType } from './exposition.ts'
export type { SubscriptionEnd } from './instruments.ts'
export type { ProcessMetrics } from './registry.ts'

/** How many operation names have a series of their own; the others count as `other`. */
const namedOperations = 200

/** The same for clients, and for the versions of each. */
const namedClients = 100
const versionsOfClient = 20

/** How many codes of errors that are not ours have a series: remote subgraphs and hooks choose them, of any length. */
const foreignCodes = 100
const longestCode = 100

/** A service that answers with one of these works: the call asked for something that it does not provide. */
const callersFaults: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
])

/** The outcome of a call as a label: `failed` is only the service's failure, so that an alert can use it. */
function outcomeLabel({ outcome, code, reason }: UpstreamEvent): string {
  if (outcome !== 'failed') return outcome
  if (reason === 'cancelled') return 'cancelled'
  return code !== undefined && callersFaults.has(code) ? 'rejected' : 'failed'
}

/** Sends them to a collector as well, if one is configured. */
export async function openMetricsExport(
  settings: MetricsSettings,
  metrics: Metrics,
  log: Logger,
): Promise<{ close(): Promise<void> } | undefined> {
  for (const warning of settings.warnings) log.warn({ setting: warning }, 'a setting of metrics is ignored')
  const { url } = settings
  if (url === undefined) return undefined
  const { exportMetrics } = await import('./otlp.ts')
  return exportMetrics({ ...settings, url }, () => metrics.json(), log)
}
export interface RequestMetric {
  readonly operationName: string | undefined
  readonly status: number
  readonly milliseconds: number
  /** Codes of the errors in the response. */
  readonly codes?: readonly string[]
  /** The client program, as it names itself. */
  readonly client?: Client | undefined
  /** Its trace and the operation's hash: an exemplar of its duration. */
  readonly exemplar?: Readonly<Record<string, string>> | undefined
}

export type HookResult = 'done' | 'refused' | 'failed' | 'timeout'

/** A call of a tool by an agent. Names of tools are from the list of tools, so they are few. */
export interface AgentCall {
  readonly tool: string
  readonly outcome: string
  readonly units: number
  /** The estimated tokens of the response. */
  readonly tokens: number
  readonly milliseconds: number
}

export class Metrics {
  readonly contentType: string = prometheusType
  readonly #registry = new MetricRegistry()
  readonly #made = createInstruments(this.#registry)
  readonly #hits = this.#made.operationLookUps.of('hit')
  readonly #misses = this.#made.operationLookUps.of('miss')
  readonly #attributeValues = createFirstValues()
  readonly #foreignCodes = createFirstValues()
  readonly #versions = createFirstValues()
  readonly #clients = createOperationNames(namedClients, (name) => {
    this.#versions.forget(name)
    this.#made.clientRequests.fold(name, other, [other])
  })
  readonly #names = createOperationNames(namedOperations, (name) => this.#made.requests.fold(name, other))

  constructor() {
    this.#registry.measureProcess()
    const build = { labels: { version, node: process.versions.node }, value: 1 }
    const buildHelp = 'Always 1; the version of Tessera and of Node as labels.'
    this.#registry.gauge('tessera_build_info', buildHelp, () => [build], 'first')
  }

  request({ operationName, status, milliseconds, codes, client, exemplar }: RequestMetric): void {
    this.#made.requests
      .of(this.#names.labelOf(operationName ?? 'anonymous'), String(status))
      .add(milliseconds / 1000, exemplar)
    if (client !== undefined) {
      const name = this.#clients.labelOf(client.name)
      const { version: given = 'unknown' } = client
      const label = name === other ? other : this.#versions.labelOf(name, given, versionsOfClient)
      this.#made.clientRequests.of(name, label).add(1)
    }
    if (codes !== undefined) for (const code of codes) this.#made.errors.of(this.#codeLabel(code)).add(1)
  }

  #codeLabel(code: string): string {
    if (isErrorCode(code)) return code
    return code.length > longestCode ? other : this.#foreignCodes.labelOf('code', code, foreignCodes)
  }

  /** An attribute of a request; beyond a number of values for a name they count as `other`. */
  attributed(name: string, value: string, mostValues: number): void {
    this.#made.attributes.of(name, this.#attributeValues.labelOf(name, value, mostValues)).add(1)
  }

  // The help of each instrument says what it counts (`instruments.ts`).

  /** The first payload of an incremental response was made; `request` follows with the last one. */
  readonly firstPart = (milliseconds: number): void => this.#made.firstParts.of().add(milliseconds / 1000)

  upstream(event: UpstreamEvent): void {
    this.#made.calls.of(event.service, event.operation, outcomeLabel(event)).add(event.milliseconds / 1000)
    if (event.units > 0) this.#made.units.of(event.service, event.operation).add(event.units)
  }

  /** A request, or a connection, that was refused or not begun. */
  readonly refused = (reason: RefusalReason): void => {
    this.#made.refusals.of(reason).add(1)
    if (reason === 'overload') this.#made.errors.of('SERVICE_BUSY').add(1)
  }

  /** A request that was refused before an operation of it was read. */
  readonly unread = (code: string): void => this.#made.errors.of(this.#codeLabel(code)).add(1)

  readonly operationCache = (hit: boolean): void => (hit ? this.#hits : this.#misses).add(1)
  readonly operationJoined = (): void => this.#made.joinedOperations.of().add(1)
  readonly mutationReplayed = (): void => this.#made.replayedMutations.of().add(1)

  /** Makes the counter of fetches of a subgraph that were answered by an equal one under way. */
  fetchJoined(subgraph: string) {
    const joined = this.#made.joinedFetches.of(subgraph)
    return (): void => joined.add(1)
  }

  /** Makes the counter of requests to a remote subgraph, by protocol. */
  subgraphRequested(subgraph: string) {
    const http = this.#made.subgraphRequests.of(subgraph, 'http')
    const frames = this.#made.subgraphRequests.of(subgraph, 'frames')
    return (protocol: 'http' | 'frames'): void => (protocol === 'frames' ? frames : http).add(1)
  }

  readonly rateLimited = (policy: string): void => this.#made.limited.of(policy).add(1)
  readonly hook = (stage: string, source: string, result: HookResult, milliseconds: number): void =>
    this.#made.hooks.of(stage, source, result).add(milliseconds / 1000)
  readonly operationCost = (kind: 'estimated' | 'actual', cost: number): void =>
    this.#made.costs.of(kind).add(cost)
  readonly responseCache = (subgraph: string, result: string, lookUps: number): void =>
    this.#made.responseCache.of(subgraph, result).add(lookUps)
  readonly sourceAsked = (what: string, source: string, result: string): void =>
    this.#made.sources.of(what, source, result).add(1)
  readonly reload = (result: 'done' | 'refused'): void => this.#made.reloads.of(result).add(1)
  readonly subscriptionEnded = (reason: SubscriptionEnd): void =>
    this.#made.subscriptionEnds.of(reason).add(1)

  /** Makes the counter of events in subscriptions of a remote subgraph. */
  subgraphSubscription(subgraph: string) {
    return (what: SubgraphSubscriptionNote): void =>
      this.#made.subgraphSubscriptions.of(subgraph, what).add(1)
  }

  readonly polled = ({ service, field, result, milliseconds, intervalMs }: PollEvent): void => {
    this.#made.polls.of(service, field, result).add(milliseconds / 1000)
    this.#made.pollIntervals.of(service, field).add(intervalMs / 1000)
  }

  readonly eventsDelivered = (subscribers: number): void => this.#made.eventsDelivered.of().add(subscribers)
  readonly eventsConflated = (count: number): void => this.#made.eventsConflated.of().add(count)

  readonly agentCalled = ({ tool, outcome, units, tokens, milliseconds }: AgentCall): void => {
    this.#made.agentCalls.of(tool, outcome).add(1)
    if (units > 0) this.#made.agentUnits.of(tool).add(units)
    this.#made.agentTokens.of(tool).add(tokens)
    this.#made.agentDurations.of(tool).add(milliseconds / 1000)
  }

  /** A value that is read at each scrape. */
  readonly gauge = this.#registry.gauge.bind(this.#registry)
  readonly text = async (): Promise<string> => prometheusText(await this.#registry.read())

  /** The same as OpenMetrics 1.0, with exemplars. */
  readonly openMetrics = async (): Promise<string> => openMetricsText(await this.#registry.read())

  readonly json = (): Promise<ProcessMetrics> => this.#registry.read()
  readonly close = (): void => this.#registry.close()
}
