/** The transport to each subgraph, as the configuration says: in this process or over HTTP, with what stands around it. */
import { hash } from 'node:crypto'
import {
  createHttpTransport,
  createInProcessTransport,
  type Transport,
} from '../../engine/subgraphs/index.ts'
import type { Supergraph } from '../../engine/supergraph/index.ts'
import { release, retain } from '../../shared/runtime/reference-count.ts'
import { assertionSigningKeyOf } from '../auth/from-config.ts'
import { type FastParts, fastParts } from '../fast.ts'
import { compileForwarding, headersSent, type ResponseHeaders } from '../headers/index.ts'
import { hookTransport, type Stages } from '../hooks/index.ts'
import type { GatewayOptions } from '../options.ts'
import { sharesEqual } from '../pipeline/from-config.ts'
import type { ProcessResources } from '../process-resources.ts'
import { subgraphCachingFrom } from '../response-cache/from-config.ts'
import type { SubgraphCaching } from '../response-cache/index.ts'
import { timeTransport } from '../telemetry/fetch-times.ts'
import { type Traces, traceTransport } from '../telemetry/traces/index.ts'
import {
  callerHeadersOf,
  callerPartOf,
  errorRulesOf,
  eventsOf,
  getsToken,
  remoteHeaders,
  takesOnError,
  trafficOf,
  transportTrafficOf,
} from './remote-subgraph.ts'

interface TransportParts {
  readonly supergraph: Supergraph
  readonly resources: ProcessResources
  readonly hooks: Stages | undefined
  readonly traces: Traces | undefined
  readonly answerHeaders: ResponseHeaders | undefined
}

/** Whether the subgraph is one of the product's services, behind its own supergraph. */
export function isOwnService({ config, supergraph }: GatewayOptions, name: string): boolean {
  return supergraph === undefined && Object.hasOwn(config.subgraph.urls, name)
}

export class Transports {
  readonly byName: ReadonlyMap<string, Transport>
  readonly areCached: boolean
  readonly #options: GatewayOptions
  readonly #parts: TransportParts
  /** Those of the program. Later generations use them as well, even if this one does not need all of them. */
  readonly #given: ReadonlyMap<string, Transport>
  readonly #fast: Partial<FastParts>
  readonly #assertion: ReturnType<typeof assertionSigningKeyOf>

  constructor(options: GatewayOptions, parts: TransportParts) {
    this.#options = options
    this.#parts = parts
    this.#given = options.transports ?? new Map()
    this.#fast = options.fast ?? fastParts
    this.#assertion = assertionSigningKeyOf(options.config)
    const cached = this.#caching()
    this.areCached = cached !== undefined
    const transports = new Map<string, Transport>()
    this.byName = transports
    try {
      for (const { name, url } of parts.supergraph.subgraphs)
        transports.set(name, this.#around(this.#plain(name, url), cached))
    } catch (error) {
      void this.discard()
      throw error
    }
  }

  /** The headers of a caller, in lower case, on which an answer of any subgraph can depend. */
  callerHeaders(): readonly string[] {
    return [...new Set([...this.byName.values()].flatMap((each) => each.callerHeaders ?? []))]
  }

  /** The same and those that only rules name, for `Vary`; `*` stands for those of a pattern. */
  varyingHeaders(): readonly string[] {
    return [...this.callerHeaders(), ...headersSent(this.#options.config.headers)]
  }

  /** The transports of the program are used from now on, until `close`. */
  open(): void {
    for (const transport of this.#given.values()) retain(transport)
  }

  async close(): Promise<void> {
    const ended = [...this.#given.values()].filter(release)
    await Promise.all([...this.#own(), ...ended].map((transport) => transport.close()))
  }

  /** Closes them without having opened those of the program: they are not used after all. Never rejects. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#own().map((transport) => transport.close()))
  }

  #own(): Transport[] {
    return [...this.byName].flatMap(([name, transport]) => (this.#given.has(name) ? [] : [transport]))
  }

  /** A transport with hooks, trace, cache and times of its fetches around it. */
  #around(transport: Transport, cached: SubgraphCaching | undefined): Transport {
    const { hooks, traces } = this.#parts
    const hooked = hooks === undefined ? transport : hookTransport(transport, hooks)
    const traced = traces === undefined ? hooked : traceTransport(hooked, traces)
    const kept = cached?.(traced) ?? traced
    return this.#options.config.telemetry.slowOperationMs === 0 ? kept : timeTransport(kept)
  }

  #plain(name: string, url: string): Transport {
    const { resources } = this.#parts
    const given = this.#given.get(name)
    if (given !== undefined) return given
    const subgraph = resources.local.get(name)
    if (subgraph === undefined) return this.#remote(name, url)
    return createInProcessTransport(subgraph, {
      callerHeaders: resources.callerHeadersOf(name),
    })
  }

  #remote(name: string, supergraphUrl: string): Transport {
    const { config } = this.#options
    const { answerHeaders, hooks, resources, traces } = this.#parts
    const { metrics } = resources
    const own = isOwnService(this.#options, name)
    const traffic = trafficOf(config, name)
    const url = config.subgraph.urls[name] ?? traffic.url ?? supergraphUrl
    const secret = config.subgraph.secret
    const { headers } = config
    const forwarding = compileForwarding(name, headers.all, headers.subgraphs?.[name])
    const caller = {
      name,
      secret,
      token: getsToken(config, name, own),
      assertion: this.#assertion,
      isHookIdentity: hooks?.identity !== undefined,
      forwarding,
    }
    const answered = answerHeaders?.noteFor(name)
    const { frames } = this.#fast
    const ofTraffic = transportTrafficOf(traffic)
    const credentials = [headers.all, headers.subgraphs?.[name], caller.token, ofTraffic.tls]
    return createHttpTransport({
      name,
      url,
      timeoutMs: traffic.timeoutMs ?? config.calls.upstreamTimeoutMs,
      passErrors: errorRulesOf(config, name, own),
      takesOnError: takesOnError(config, name, own),
      ...ofTraffic,
      headers: remoteHeaders({ ...caller, url, traces }),
      credentials: hash('sha256', JSON.stringify(credentials)),
      // Answers whose headers a client gets belong to that client.
      hashes: own,
      events: eventsOf(config, name, own),
      passExtensions: own,
      noted: metrics.subgraphSubscription(name),
      frames:
        own && config.subgraph.frames && frames !== undefined
          ? { open: frames.open, secret, writeTimeoutMs: config.connections.writeTimeoutMs }
          : undefined,
      sent: metrics.subgraphRequested(name),
      callerHeaders: answered === undefined ? callerHeadersOf(caller) : undefined,
      callerPart: answered === undefined ? callerPartOf(caller) : undefined,
      answered,
      share: sharesEqual(config, name) ? { joined: metrics.fetchJoined(name) } : undefined,
    })
  }

  /** Puts the response cache around a transport; undefined if there is none. */
  #caching(): SubgraphCaching | undefined {
    const { config } = this.#options
    const { supergraph, resources } = this.#parts
    const { responseCache, local, metrics, quota } = resources
    if (responseCache === undefined) return undefined
    const addressOf = (name: string): string | undefined =>
      local.has(name)
        ? undefined
        : (config.subgraph.urls[name] ??
          trafficOf(config, name).url ??
          supergraph.subgraphs.find((each) => each.name === name)?.url)
    return subgraphCachingFrom(responseCache, { config, supergraph, metrics, addressOf, quota })
  }
}
