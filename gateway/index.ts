/**
 * `tessera-graph`: a gateway that listens. The assembled graph stands behind the HTTP server, with the explorer and
 * uploads beside it.
 *
 * @example
 * ```ts
 * import { readConfig, startGateway } from 'tessera-graph'
 *
 * const { config, faults } = readConfig({ PORT: '4000', TESSERA_METRICS_URL: 'http://127.0.0.1:9090' })
 * if (faults !== undefined) throw new Error(faults.join('\n'))
 * const gateway = await startGateway({ config })
 * console.log(gateway.url)
 * await gateway.stop()
 * ```
 */

import type { Engine } from '../engine/index.ts'
import type { Supergraph } from '../engine/supergraph/index.ts'
import type { Example } from '../explorer/examples/example.ts'
import { examplesFrom } from '../explorer/examples/from-schema.ts'
import { explorerRoutes } from '../explorer/index.ts'
import { type TypeOwners, typeOwners } from '../explorer/type-owners.ts'
import type { Assembly } from './assemble.ts'
import { assertionKeySet } from './auth/assertion/index.ts'
import { assertionSigningKeyOf } from './auth/authenticate/from-config.ts'
import { explorerSignInOf, resourceOf } from './auth/from-config.ts'
import { type ScopeOffer, scopesOf } from './auth/scope-offers.ts'
import type { Config } from './config/index.ts'
import { withFileHooks } from './hooks/from-config.ts'
import { doorFrom, servesAgents } from './mcp/from-config.ts'
import { failureBody, llmsRoute } from './mcp/index.ts'
import type { GatewayOptions, ReloadableOptions } from './options.ts'
import { createWatchedGate } from './overload/index.ts'
import { documentStoreFrom, persistedModeOf } from './pipeline/persisted/from-config.ts'
import { createProcessResources, type ProcessResources } from './process-resources.ts'
import {
  createGeneration,
  createReloader,
  type Generation,
  type Reading,
  type Reloader,
  type ReloadResult,
  warmManifest,
} from './reload/index.ts'
import { type Admin, startAdmin } from './server/admin/index.ts'
import { tlsFrom } from './server/from-config.ts'
import { createHttpServer, type HttpServer } from './server/index.ts'
import { createOwnAddress } from './server/own-address.ts'
import { createHostCheck } from './server/own-host.ts'
import { agentsPath, createChallengeHead, keySetRoute, metadataRoutes } from './server/resource-metadata.ts'
import { uploadRoute } from './server/uploads.ts'
import { createSubscriptionServer } from './subscriptions/subscription-server.ts'
import { measureStates, type ServiceState } from './telemetry/health.ts'
import { createLogger } from './telemetry/log.ts'
import { type Metrics, openMetricsExport } from './telemetry/metrics/index.ts'
import { openTraces } from './telemetry/traces/index.ts'
import {
  createUsage,
  deprecatedIn,
  type ProcessUsage,
  type Usage,
  type UsageReport,
} from './telemetry/usage/index.ts'

export { type Config, type ConfigResult, readConfig } from './config/index.ts'
export { defineHooks, type Hooks, loadHooks, refuse } from './hooks/index.ts'
export type { GatewayOptions, ReloadableOptions } from './options.ts'
export { createReloadSource, type ReloadResult, type ReloadSource } from './reload/index.ts'
export { createLogger, type Logger } from './telemetry/log.ts'

export interface Gateway {
  readonly url: string
  /** The address for purging cached responses; undefined if no port is configured for it. */
  readonly adminUrl: string | undefined
  /** The supergraph of the current generation. */
  readonly supergraph: Supergraph
  readonly engine: Engine
  readonly metrics: Metrics
  /**
   * Reads configuration and supergraph again (`reread`), and lets a new generation take over between two requests.
   * Work that is under way ends on the old one. A configuration that cannot be served changes nothing. Never
   * rejects.
   */
  reload(): Promise<ReloadResult>
  /** Reports in log, metrics and health that changes cannot be observed, and why. */
  cannotSee(reason: string): void
  /** Drains within the configured grace time and closes everything. */
  stop(): Promise<void>
  /** The same if other processes continue to serve this port. It loses no request (`HttpServer.handOffPort`). */
  handOver(mostMs: number): Promise<void>
  /** The state of the services as this process has observed it. */
  states(): readonly ServiceState[]
  /** The usage that this process has counted; undefined if usage is not counted. */
  usage(): ProcessUsage | undefined
}

export async function startGateway(given: ReloadableOptions): Promise<Gateway> {
  const listening = { url: '' }
  const opened = await openProcess(given, () => listening.url)
  const graph = await startGraph(opened)
  const { config, options, tls } = opened
  const { reloader, usage, states } = graph
  const httpServer = httpServerOf(opened, graph)
  let admin: Admin | undefined
  try {
    admin = await adminFrom(config, opened.resources, usage && (() => toldUsage(usage, reloader, options)))
    listening.url = await httpServer.listen(config.server.host, config.server.port)
  } catch (error) {
    await admin?.close()
    await graph.close()
    throw error
  }
  const drained = async (): Promise<void> => {
    await admin?.close()
    await options.shared?.drained()
    await graph.close()
  }
  const { graceMs, delayMs } = config.shutdown
  let stopping: Promise<void> | undefined
  return {
    url: listening.url,
    adminUrl: admin?.url,
    get supergraph() {
      return reloader.current.assembly.supergraph
    },
    get engine() {
      return reloader.current.assembly.engine
    },
    metrics: opened.resources.metrics,
    reload() {
      tls?.reload(httpServer.server)
      return reloader.reload()
    },
    cannotSee: reloader.failed,
    stop() {
      stopping ??= httpServer.drain(graceMs, delayMs).then(drained)
      return stopping
    },
    handOver(mostMs) {
      stopping ??= httpServer.handOffPort(mostMs, graceMs).then(drained)
      return stopping
    },
    states,
    usage: () => usage?.report(),
  }
}

/** What belongs to the process. It is opened once, and outlives every generation of the graph. */
async function openProcess(given: ReloadableOptions, listening: () => string) {
  const { config } = given
  const options = { ...given, log: given.log ?? createLogger({ level: config.log.level }) }
  const tls = tlsFrom(config, options.log)
  const traces = await openTraces(config.traces, options.log)
  const configuredUrl = config.server.publicUrl
  const publicUrl = (): string => configuredUrl ?? listening()
  const resources = createProcessResources(options, publicUrl, traces)
  const { metrics, log } = resources
  options.sources?.attach(log, metrics)
  const sent = await openMetricsExport(config.metrics, metrics, log)
  const store = documentStoreFrom(config, resources.stores)
  const addressOf = createOwnAddress({ publicUrl: configuredUrl, names: ownNames(config), listening })
  const prefix = configuredUrl === undefined ? '' : new URL(configuredUrl).pathname.replace(/\/$/, '')
  const close = async (): Promise<void> => {
    store?.close()
    await sent?.close()
    await resources.close()
    await traces?.close()
  }
  return { config, options, tls, traces, publicUrl, resources, store, addressOf, prefix, close }
}

type OpenedProcess = Awaited<ReturnType<typeof openProcess>>

/** The generations of the graph, and what accompanies them: subscriptions, agents, usage. */
async function startGraph(opened: OpenedProcess) {
  const { config, options, traces, publicUrl, resources, store, addressOf, prefix } = opened
  const { metrics, log } = resources
  const resource = {
    addressOf,
    agents: servesAgents(options),
    prefix,
    facts: () => ({ ...resourceOf(config), scopes: offers.scopes() }),
  }
  const challengeHead = createChallengeHead(resource)
  const live = createSubscriptionServer(
    { ...config.subscriptions, maxMessageBytes: config.limits.bodyBytes },
    { metrics, log },
  )
  const streams = live.streams(config.connections.maxConnections)
  const usage = usageOf(config)
  const agents = doorFrom(options, {
    resources,
    traces,
    graph: () => reloader.current.agents,
    challengeHead: createChallengeHead({ ...resource, path: agentsPath }),
    names: ownNames(config),
  })
  const make = async (number: number, { config, supergraph, manifest }: Reading): Promise<Generation> => {
    const generation = createGeneration({
      number,
      options: await withFileHooks({ ...options, config, supergraph }),
      resources,
      publicUrl,
      traces,
      usage,
      persisted: persistedModeOf(config, store, manifest),
      challengeHead,
      live: { ...live, streams },
    })
    try {
      await agents?.prepare(generation.agents)
    } catch (error) {
      await generation.retire()
      throw error
    }
    return generation
  }
  let first: Generation
  try {
    first = await make(1, { config, supergraph: options.supergraph, manifest: options.manifest })
  } catch (error) {
    await opened.close()
    throw error
  }
  const reloader = createReloader({
    first,
    read: options.reread,
    make,
    taken(generation, before) {
      live.taken(generation.served)
      void agents?.taken(generation.agents, before.agents)
    },
    supergraph: options.supergraph,
    manifest: options.manifest,
    sources: options.sources?.state,
    log,
    metrics,
  })
  const offers = explorerOffers(reloader, options)
  const states = (): readonly ServiceState[] => reloader.current.assembly.states()
  measureStates(metrics, states)
  measureGeneration(metrics, reloader)
  if (first.manifest !== undefined)
    await warmManifest(first.manifest, first.assembly.operations, config.reload.warmOperations)
  const close = async (): Promise<void> => {
    live.close()
    await agents?.close()
    await reloader.close()
    await opened.close()
  }
  return { resource, live, usage, agents, reloader, offers, states, close }
}

type StartedGraph = Awaited<ReturnType<typeof startGraph>>

/** The server. It uses the current generation for each request. */
function httpServerOf(
  { config, options, tls, resources, addressOf }: OpenedProcess,
  { resource, live, agents, reloader, offers, states }: StartedGraph,
): HttpServer {
  const { metrics, log, upload, authenticator } = resources
  const keySet = assertionKeySet(assertionSigningKeyOf(config))
  const maxWaitMs = Math.min(config.server.maxWaitMs, config.calls.requestTimeoutMs)
  const gate = createWatchedGate(maxWaitMs, metrics, log)
  return createHttpServer({
    respond: (request, watch) => reloader.current.respond(request, watch),
    agents: agents && { respond: agents.respond, failureBody },
    metrics,
    log,
    maxBodyBytes: config.limits.bodyBytes,
    corsOrigins: config.server.corsOrigins,
    csrf: config.server.csrf,
    compression: config.server.compression,
    connections: config.connections,
    tls,
    gate,
    webSockets: live.webSockets({
      begin: (input) => reloader.current.begin(input),
      payloadHeaders: () => reloader.current.callerHeaders,
      gate,
      authenticator,
    }),
    drainSubscriptions: live.drain,
    states,
    cluster: options.shared,
    generation: reloader.state,
    routes: [
      ...explorerRoutes({
        mode: config.explorer.mode,
        ...offers,
        owners: config.graphql.introspection ? offers.owners : undefined,
        mint: options.mintToken,
        signIn: explorerSignInOf(config),
        isOwnHost: createHostCheck(ownNames(config)),
      }),
      ...metadataRoutes(resource),
      ...(agents === undefined ? [] : [llmsRoute(addressOf)]),
      ...(keySet.keys.length > 0 ? [keySetRoute(keySet)] : []),
      ...(upload === undefined ? [] : [uploadRoute(upload, log)]),
    ],
  })
}

/** What the explorer offers for the current generation, computed when it is first requested. */
function explorerOffers(
  reloader: Reloader,
  options: GatewayOptions,
): { scopes(): readonly ScopeOffer[]; examples(): readonly Example[]; owners(): TypeOwners } {
  const ofGeneration = <Offer>(make: (assembly: Assembly) => Offer): (() => Offer) => {
    let made: { readonly assembly: Assembly; readonly offer: Offer } | undefined
    return () => {
      const { assembly } = reloader.current
      if (made?.assembly !== assembly) made = { assembly, offer: make(assembly) }
      return made.offer
    }
  }
  const examples = ofGeneration(({ supergraph, schema }) => examplesFrom(supergraph, schema))
  return {
    scopes: ofGeneration(({ supergraph, schema }) => scopesOf(supergraph, schema)),
    examples: () => options.examples?.(Date.now()) ?? examples(),
    owners: ofGeneration(({ supergraph, schema }) => typeOwners(supergraph, schema)),
  }
}

/** Undefined if no port is configured. */
async function adminFrom(
  config: Config,
  { responseCache, log }: ProcessResources,
  usage: (() => Promise<UsageReport>) | undefined,
): Promise<Admin | undefined> {
  const { port, host, token } = config.admin
  if (port === undefined || token === undefined) return undefined
  return startAdmin({ host, port, token, cache: responseCache, usage, log })
}

/** Undefined if there is no way to read it. */
function usageOf(config: Config): Usage | undefined {
  const { port } = config.admin
  const most = config.telemetry.usageEntries
  return port === undefined || most === 0 ? undefined : createUsage({ most })
}

/** The usage of all processes that serve the port, with the current deprecations. */
async function toldUsage(usage: Usage, reloader: Reloader, { shared }: GatewayOptions): Promise<UsageReport> {
  return {
    format: 'tessera-usage',
    version: 1,
    deprecated: deprecatedIn(reloader.current.assembly.schema),
    processes: shared === undefined ? [usage.report()] : [...(await shared.usage())],
  }
}

function measureGeneration(metrics: Metrics, reloader: Reloader): void {
  metrics.gauge(
    'tessera_generation',
    'The number of the current generation; its label is the beginning of its supergraph’s SHA-256.',
    () => [{ labels: { supergraph: reloader.current.hash }, value: reloader.current.number }],
    'max',
  )
  metrics.gauge('tessera_kept_operations_bytes', 'Estimated memory of prepared operations.', () => [
    { labels: {}, value: reloader.current.assembly.operations.keptBytes },
  ])
}

/** The host names that are configured for this server. */
function ownNames({ server }: Config): readonly string[] {
  const { host, publicUrl } = server
  return publicUrl === undefined ? [host] : [host, new URL(publicUrl).hostname]
}
