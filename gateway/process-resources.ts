/**
 * The parts that survive a reload: subgraphs in this process with their connections and breakers, the count of units,
 * metrics, the log, and the keys that verify tokens. A reload makes everything else again.
 */
import { ClosingStack } from '../shared/runtime/closing-stack.ts'
import type { Subgraph } from '../shared/subgraph.ts'
import { subgraphNames, uploadService } from '../subgraphs/index.ts'
import { authenticatorFrom } from './auth/from-config.ts'
import { lazyRates, quotaFrom } from './costs/from-config.ts'
import type { GatewayOptions, ReloadableOptions } from './options.ts'
import { createOutcomes } from './pipeline/idempotency/index.ts'
import { createDocumentStore, type DocumentStore } from './pipeline/persisted/index.ts'
import { responseCacheFrom } from './response-cache/from-config.ts'
import { ownNamesOf, tlsFrom } from './server/from-config.ts'
import { createOwnAddress } from './server/host-check.ts'
import { createRemoteUploads } from './server/uploads.ts'
import { storesFrom } from './stores/from-config.ts'
import { createLogger } from './telemetry/log.ts'
import { Metrics, openMetricsExport } from './telemetry/metrics/index.ts'
import { openTraces, type Traces } from './telemetry/traces/index.ts'
import {
  callerHeadersOfService,
  type LocalSubgraphOptions,
  localSubgraph,
  reportsOf,
  type SubgraphReporting,
  serviceUrlsOf,
} from './transports/local-subgraph.ts'
import { serviceHeaderFaults } from './transports/service-headers.ts'

export type ProcessResources = ReturnType<typeof createProcessResources>

/**
 * `publicUrl` returns the address at which clients reach the gateway. It is called whenever an address is made. If it
 * throws, nothing is left open.
 */
export function createProcessResources(options: GatewayOptions, publicUrl: () => string, traces?: Traces) {
  const closing = new ClosingStack()
  try {
    const resources = openResources(options, publicUrl, traces, closing)
    return { ...resources, close: (): Promise<void> => closing.close() }
  } catch (error) {
    void closing.abandon()
    throw error
  }
}

function openResources(
  options: GatewayOptions,
  publicUrl: () => string,
  traces: Traces | undefined,
  closing: ClosingStack,
) {
  const { config } = options
  const log = options.log ?? createLogger({ level: config.log.level })
  const metrics = new Metrics()
  closing.add(() => metrics.close())
  const stores = storesFrom(options, log)
  const quota = quotaFrom(config, { stores, log })
  closing.add(() => quota.close())
  const rates = lazyRates(stores)
  closing.add(() => rates.close())
  const reporting = { stores, metrics, quota, traces }
  const local =
    options.supergraph === undefined ? localSubgraphs(options, publicUrl, reporting, closing) : noSubgraphs
  const remoteUploads = remoteUploadsFrom(config)
  closing.add(() => remoteUploads?.close())
  const authenticator =
    options.authenticator ?? authenticatorFrom(config, { log, stores, address: publicUrl })
  // Who passes one closes it.
  if (options.authenticator === undefined) closing.add(() => authenticator.close())
  const responseCache = responseCacheFrom(config, { log, metrics })
  closing.add(() => responseCache?.close())
  const outcomes = createOutcomes(stores, { mostCharacters: config.idempotency.bytes })
  closing.add(() => outcomes.close())
  let documents: DocumentStore | undefined
  closing.add(() => documents?.close())
  return {
    log,
    metrics,
    stores,
    /** The store of automatic persisted documents, opened at the first call; undefined if none are stored. */
    documents() {
      if (config.persisted.mode === 'automatic') documents ??= createDocumentStore(stores)
      return documents
    },
    quota,
    rates,
    local,
    /** `callerHeadersOfService` with the rules with which those subgraphs were made. */
    callerHeadersOf: (name: string) => callerHeadersOfService(config, name),
    /** Receives the bytes of uploads; undefined if no subgraph accepts uploads. */
    upload: remoteUploads?.handler ?? local.get(uploadService)?.upload,
    authenticator,
    /** The cache of subgraph responses; undefined if it is off. */
    responseCache,
    outcomes,
  }
}

const noSubgraphs: ReadonlyMap<string, Subgraph> = new Map()

/** The subgraphs in this process: those of our own graph that have no other address. */
function localSubgraphs(
  options: GatewayOptions,
  publicUrl: () => string,
  reporting: SubgraphReporting,
  closing: ClosingStack,
): ReadonlyMap<string, Subgraph> {
  const { config } = options
  const { quota } = reporting
  const names = subgraphNames.filter((name) => !Object.hasOwn(config.subgraph.urls, name))
  const faults = serviceHeaderFaults(config, names)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const parts: LocalSubgraphOptions = {
    ...options,
    ...reportsOf(reporting, closing),
    serviceUrls: serviceUrlsOf(options),
    publicUrl,
    // Calls that belong to no operation are counted one by one.
    admit: ({ units = 0 }, _credentialKey, request) =>
      request.background === true
        ? quota.calls.admit(units, request)
        : quota.allow(units, request)?.then(nothing),
    settle(event) {
      if (event.request.background === true) quota.calls.settle(event)
    },
  }
  const local = new Map<string, Subgraph>()
  closing.add(() => Promise.all([...local.values()].map((subgraph) => subgraph.close())))
  for (const name of names) local.set(name, localSubgraph(name, parts))
  return local
}

/** An operation has reserved its units already. */
const nothing = (): undefined => undefined

function remoteUploadsFrom({ subgraph: { urls, secret } }: GatewayOptions['config']) {
  const url = urls[uploadService]
  return url === undefined ? undefined : createRemoteUploads({ subgraph: uploadService, url, secret })
}

/** Opens the parts that belong to the process, once. They outlive every generation of the graph. */
export async function openProcess(given: ReloadableOptions, listening: () => string) {
  const closing = new ClosingStack()
  try {
    return { ...(await openParts(given, listening, closing)), close: (): Promise<void> => closing.close() }
  } catch (error) {
    await closing.abandon()
    throw error
  }
}

async function openParts(given: ReloadableOptions, listening: () => string, closing: ClosingStack) {
  const { config } = given
  const options = { ...given, log: given.log ?? createLogger({ level: config.log.level }) }
  const tls = tlsFrom(config, options.log)
  const traces = await openTraces(config.traces, options.log)
  closing.add(() => traces?.close())
  const configuredUrl = config.server.publicUrl
  const publicUrl = (): string => configuredUrl ?? listening()
  const resources = createProcessResources(options, publicUrl, traces)
  closing.add(() => resources.close())
  const { metrics, log } = resources
  options.sources?.attach(log, metrics)
  const sent = await openMetricsExport(config.metrics, metrics, log)
  closing.add(() => sent?.close())
  const names = ownNamesOf(config)
  const addressOf = createOwnAddress({ publicUrl: configuredUrl, names, listening })
  const prefix = configuredUrl === undefined ? '' : new URL(configuredUrl).pathname.replace(/\/$/, '')
  return { config, options, tls, traces, resources, addressOf, names, prefix }
}

export type OpenedProcess = Awaited<ReturnType<typeof openProcess>>
