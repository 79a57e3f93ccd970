/**
 * The parts that survive a reload: subgraphs in this process with their connections and breakers, the count of units,
 * metrics, the log, and the keys that verify tokens. A reload makes everything else again.
 */
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
import { createLiveStore } from './stores/polls/index.ts'
import { createLogger } from './telemetry/log.ts'
import { Metrics, openMetricsExport } from './telemetry/metrics/index.ts'
import { observePollers } from './telemetry/pollers.ts'
import { openTraces, type Traces } from './telemetry/traces/index.ts'
import {
  callerHeadersOfService,
  type LocalSubgraphOptions,
  localSubgraph,
  serviceUrlsOf,
} from './transports/local-subgraph.ts'
import { serviceHeaderFaults } from './transports/service-headers.ts'

export type ProcessResources = ReturnType<typeof createProcessResources>

/** `publicUrl` returns the address at which clients reach the gateway. It is called whenever an address is made. */
export function createProcessResources(options: GatewayOptions, publicUrl: () => string, traces?: Traces) {
  const { config } = options
  const log = options.log ?? createLogger({ level: config.log.level })
  const metrics = new Metrics()
  const stores = storesFrom(options, log)
  const quota = quotaFrom(config, { stores, log })
  const rates = lazyRates(stores)
  const live = createLiveStore(stores)
  const local = new Map<string, Subgraph>()
  const localNames = subgraphNames.filter((name) => !Object.hasOwn(config.subgraph.urls, name))
  if (options.supergraph === undefined) {
    const faults = serviceHeaderFaults(config, localNames)
    if (faults.length > 0) throw new Error(faults.join('; '))
    const parts: LocalSubgraphOptions = {
      ...options,
      serviceUrls: serviceUrlsOf(options),
      publicUrl,
      observe(event) {
        metrics.upstream(event)
        quota.observe(event)
        traces?.called(event)
      },
      traceHeaders: traces?.callHeaders,
      // Calls that belong to no operation are counted one by one.
      admit: ({ units = 0 }, _credentialKey, request) =>
        request.background === true
          ? quota.calls.admit(units, request)
          : quota.allow(units, request)?.then(nothing),
      settle(event) {
        if (event.request.background === true) quota.calls.settle(event)
      },
      explain: ({ reason }, { units = 0 }, request) => quota.explain(reason, units, request),
      live,
      pollers: observePollers(metrics, traces),
      quota: quota.snapshot,
    }
    for (const name of localNames) local.set(name, localSubgraph(name, parts))
  }
  const remoteUploadUrl = config.subgraph.urls[uploadService]
  const remoteUploads =
    remoteUploadUrl === undefined
      ? undefined
      : createRemoteUploads({
          subgraph: uploadService,
          url: remoteUploadUrl,
          secret: config.subgraph.secret,
        })
  const authenticator =
    options.authenticator ?? authenticatorFrom(config, { log, stores, address: publicUrl })
  const responseCache = responseCacheFrom(config, { log, metrics })
  const outcomes = createOutcomes(stores, { mostCharacters: config.idempotency.bytes })
  let documents: DocumentStore | undefined
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
    async close(): Promise<void> {
      documents?.close()
      await responseCache?.close()
      await Promise.all([...local.values()].map((subgraph) => subgraph.close()))
      await live?.close()
      await remoteUploads?.close()
      await quota.close()
      rates.close()
      if (options.authenticator === undefined) await authenticator.close()
      outcomes.close()
      metrics.close()
    },
  }
}

/** An operation has reserved its units already. */
const nothing = (): undefined => undefined

/** Opens the parts that belong to the process, once. They outlive every generation of the graph. */
export async function openProcess(given: ReloadableOptions, listening: () => string) {
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
  const names = ownNamesOf(config)
  const addressOf = createOwnAddress({ publicUrl: configuredUrl, names, listening })
  const prefix = configuredUrl === undefined ? '' : new URL(configuredUrl).pathname.replace(/\/$/, '')
  const close = async (): Promise<void> => {
    await sent?.close()
    await resources.close()
    await traces?.close()
  }
  return { config, options, tls, traces, publicUrl, resources, addressOf, names, prefix, close }
}

export type OpenedProcess = Awaited<ReturnType<typeof openProcess>>
