/** The composition root: docs/architecture.md says in which order a gateway is put together. */
import type { Engine } from '../engine/index.ts'
import type { Supergraph } from '../engine/supergraph/index.ts'
import { ClosingStack } from '../shared/runtime/closing-stack.ts'
import { nextTurn, runInTurns } from '../shared/runtime/turns.ts'
import { servingGraph } from './assemble.ts'
import { resourceOf } from './auth/from-config.ts'
import type { Config } from './config/index.ts'
import { explorerOffers } from './explorer-offers.ts'
import { withFileHooks } from './hooks/from-config.ts'
import { serverFrom } from './hosts/server.ts'
import { mcpServerFrom, servesAgents } from './mcp/from-config.ts'
import type { McpServer } from './mcp/index.ts'
import type { ReloadableOptions } from './options.ts'
import { type OpenedProcess, openProcess } from './process-resources.ts'
import {
  createGeneration,
  type Generation,
  type GenerationOptions,
  type Reading,
  Reloader,
  type ReloadResult,
  warmManifest,
} from './reload/index.ts'
import { adminFrom, usageFrom } from './server/admin/from-config.ts'
import type { Admin } from './server/admin/index.ts'
import type { HttpServer } from './server/index.ts'
import { agentsPath, createChallengeHead } from './server/resource-metadata.ts'
import { SubscriptionServer } from './subscriptions/subscription-server.ts'
import { measureStates, type ServiceState } from './telemetry/health.ts'
import type { Metrics } from './telemetry/metrics/index.ts'
import type { ProcessUsage } from './telemetry/usage/index.ts'

/** A gateway that listens. */
export interface Gateway {
  /** Its origin, such as `http://127.0.0.1:4000`. The graph is at `/graphql` below it. */
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

/**
 * Does everything that `startGateway` does before it listens, and closes it again. Rejects with the reason if a gateway
 * of these options would not start. It asks neither Redis nor a collector.
 */
export async function checkGateway(given: ReloadableOptions): Promise<void> {
  const { config } = given
  const alone: Config = {
    ...config,
    redis: { ...config.redis, url: undefined },
    cache: { ...config.cache, redisUrl: undefined },
    traces: { ...config.traces, url: undefined },
    metrics: { ...config.metrics, url: undefined },
  }
  const opened = await openProcess({ ...given, config: alone }, () => '')
  const graph = await startGraph(opened)
  try {
    serverFrom(opened, graph)
  } finally {
    await graph.close()
  }
}

/**
 * Starts a gateway, and resolves when it listens. Rejects with the reason if it cannot: a service without an address, a
 * supergraph that cannot be served, a port that is taken. Nothing of it is left open then.
 */
export async function startGateway(given: ReloadableOptions): Promise<Gateway> {
  const listening = { url: '' }
  const opened = await openProcess(given, () => listening.url)
  const graph = await startGraph(opened)
  const { config, options, tls } = opened
  const { reloader, usage, states } = graph
  const closing = new ClosingStack()
  closing.add(() => graph.close())
  let httpServer: HttpServer
  let admin: Admin | undefined
  try {
    httpServer = serverFrom(opened, graph)
    admin = await adminFrom(config, opened.resources, usage, {
      supergraph: () => reloader.current.assembly.supergraph,
      shared: options.shared,
    })
    closing.add(() => admin?.close())
    listening.url = await httpServer.listen(config.server.host, config.server.port)
    closing.add(() => options.shared?.drained())
  } catch (error) {
    await closing.abandon()
    throw error
  }
  const close = (): Promise<void> => closing.close()
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
      stopping ??= httpServer.drain(graceMs, delayMs).then(close)
      return stopping
    },
    handOver(mostMs) {
      stopping ??= httpServer.handOffPort(mostMs, graceMs).then(close)
      return stopping
    },
    states,
    usage: () => usage?.report(),
  }
}

/**
 * Starts the generations of the graph, and what accompanies them: subscriptions, agents, usage. `close` of the result
 * closes what belongs to the process, too. If the start rejects, all of that is closed already.
 */
async function startGraph(opened: OpenedProcess) {
  const closing = new ClosingStack()
  closing.add(() => opened.close())
  try {
    return { ...(await openGraph(opened, closing)), close: (): Promise<void> => closing.close() }
  } catch (error) {
    await closing.abandon()
    throw error
  }
}

async function openGraph(opened: OpenedProcess, closing: ClosingStack) {
  const { config, options, traces, resources, addressOf, names, prefix } = opened
  const { metrics, log } = resources
  const resource = {
    addressOf,
    agents: servesAgents(options),
    prefix,
    facts: () => ({ ...resourceOf(config), scopes: offers.scopes() }),
  }
  // Subscriptions and agents hold a generation, so it can end only after them.
  const generations = new ClosingStack()
  closing.add(() => generations.close())
  const subscriptionServer = new SubscriptionServer(config.subscriptions, {
    maxMessageBytes: config.limits.bodyBytes,
    metrics,
    log,
  })
  closing.add(() => subscriptionServer.close())
  const usage = usageFrom(config)
  const agents = mcpServerFrom(options, {
    resources,
    traces,
    graph: () => reloader.current.agents,
    challengeHead: createChallengeHead({ ...resource, path: agentsPath }),
    names,
  })
  closing.add(() => agents?.close())
  const make = generationMaker(opened, {
    usage,
    agents,
    challengeHead: createChallengeHead(resource),
    subscriptions: subscriptionServer.subscriptions,
    streams: subscriptionServer.streams(config.connections.maxConnections),
  })
  const first = await make(1, { config, supergraph: options.supergraph, manifest: options.manifest })
  const reloader = new Reloader({
    first,
    read: options.reread,
    make,
    onTakeOver(generation, before) {
      subscriptionServer.takeOver(generation.served)
      void agents?.takeOver(generation.agents, before.agents)
    },
    supergraph: options.supergraph,
    manifest: options.manifest,
    sources: options.sources?.state,
    log,
    metrics,
  })
  generations.add(() => reloader.close())
  const offers = explorerOffers(() => reloader.current.assembly, options)
  const states = (): readonly ServiceState[] => reloader.current.assembly.states()
  measureStates(metrics, states)
  if (first.agents.manifest !== undefined)
    await warmManifest(first.agents.manifest, first.assembly.operations, config.reload.warmOperations)
  return { resource, subscriptionServer, usage, agents, reloader, offers, states }
}

/** What each generation is made with beside the process and what was read for it. */
interface GenerationParts
  extends Pick<GenerationOptions, 'usage' | 'challengeHead' | 'subscriptions' | 'streams'> {
  readonly agents: McpServer | undefined
}

function generationMaker(
  { options, traces, resources }: OpenedProcess,
  { agents, ...parts }: GenerationParts,
) {
  return async (number: number, { config, supergraph, manifest }: Reading): Promise<Generation> => {
    // A generation is made of what is kept here.
    await runInTurns(() => servingGraph({ config, supergraph }))
    const whole = await withFileHooks({ ...options, config, supergraph, manifest })
    await nextTurn()
    const generation = createGeneration({ ...parts, number, options: whole, resources, traces })
    try {
      await agents?.prepare(generation.agents)
    } catch (error) {
      await generation.retire()
      throw error
    }
    return generation
  }
}
