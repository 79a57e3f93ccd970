/** One subgraph in this process, made as the configuration says, and where its service is reached. */
import { randomBytes } from 'node:crypto'
import type { LiveObserver, LiveStore } from '../../shared/polling.ts'
import type { ReadQuota } from '../../shared/quota.ts'
import type { ClosingStack } from '../../shared/runtime/closing-stack.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import type { UpstreamEvent } from '../../shared/upstream.ts'
import {
  createSubgraphByName,
  forEachService,
  type ServiceName,
  type SubgraphName,
  serviceNamed,
  serviceNames,
} from '../../subgraphs/index.ts'
import { accountOf } from '../../subgraphs/kit/rest-client/headers.ts'
import type { ServiceOptions } from '../../subgraphs/kit/subgraph.ts'
import { type Config, ownSettingsOf } from '../config/index.ts'
import type { Quota } from '../costs/quota/index.ts'
import { fastParts } from '../fast.ts'
import type { GatewayOptions } from '../options.ts'
import type { Stores } from '../stores/index.ts'
import { createLiveStore } from '../stores/polls/index.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { observePollers } from '../telemetry/pollers.ts'
import type { Traces } from '../telemetry/traces/index.ts'
import { callHeadersOf, serviceForwarding } from './service-headers.ts'

export interface LocalSubgraphOptions extends Pick<GatewayOptions, 'config' | 'tuning' | 'shared' | 'fast'> {
  readonly serviceUrls: Readonly<Record<ServiceName, string>>
  /** Where clients reach us; asked when an address is made. */
  readonly publicUrl: () => string
  readonly observe: (event: UpstreamEvent) => void
  readonly traceHeaders?: ServiceOptions['traceHeaders']
  readonly admit?: ServiceOptions['admit']
  readonly settle?: ServiceOptions['settle']
  readonly explain?: ServiceOptions['explain']
  /** Lets the pollers of several processes work as one. */
  readonly live?: LiveStore | undefined
  readonly pollers?: LiveObserver | undefined
  /** Intervals of pollers instead of the fields' own. */
  readonly pace?: NonNullable<ServiceOptions['live']>['pace']
  /** Answers `mediaQuota`. */
  readonly quota: ReadQuota
}

/** What learns of the calls and polls of subgraphs in this process. */
export interface SubgraphReporting {
  readonly stores: Stores
  readonly metrics: Metrics
  readonly quota: Quota
  readonly traces: Traces | undefined
}

/** How subgraphs in this process report their calls and polls, whoever serves them. */
export function reportsOf(
  { stores, metrics, quota, traces }: SubgraphReporting,
  closing: ClosingStack,
): Pick<LocalSubgraphOptions, 'observe' | 'traceHeaders' | 'explain' | 'live' | 'pollers' | 'quota'> {
  const live = createLiveStore(stores)
  closing.add(() => live?.close())
  return {
    observe(event) {
      metrics.upstream(event)
      quota.observe(event)
      traces?.called(event)
    },
    traceHeaders: traces?.callHeaders,
    explain: ({ reason }, { units = 0 }, request) => quota.explain(reason, units, request),
    live,
    pollers: observePollers(metrics, traces),
    quota: quota.snapshot,
  }
}

/** Seals upload addresses if the configuration names no secret: good for one process, for as long as it runs. */
const ownUploadSecret = randomBytes(32).toString('base64url')

/**
 * The headers of the caller on which answers of a subgraph in this process can depend; undefined if rules make them
 * depend on more than headers by name.
 */
export function callerHeadersOfService(config: Config, name: string): readonly string[] | undefined {
  const forwarding = serviceForwarding(config, name)
  const ruled = forwarding === undefined ? [] : forwarding.callerHeaders
  if (ruled === undefined) return undefined
  const { services } = config
  const credential = Object.hasOwn(services, name) ? services[name as ServiceName].credential : undefined
  const own =
    credential?.kind === 'exchange'
      ? ['authorization']
      : credential?.kind === 'forward'
        ? [credential.header]
        : []
  return [...new Set([...own, ...ruled])]
}

export function localSubgraph(name: SubgraphName, options: LocalSubgraphOptions): Subgraph {
  const {
    config,
    fast = fastParts,
    serviceUrls,
    publicUrl,
    observe,
    traceHeaders,
    admit,
    settle,
    explain,
  } = options
  /** Units are counted by the credential, whatever headers go along. */
  const counted = (note: (event: UpstreamEvent) => void, headers: unknown): typeof note =>
    headers === undefined
      ? note
      : (event) => note({ ...event, credentialKey: accountOf(event.credentialKey) })
  const serviceOptions = (service: ServiceName): ServiceOptions => {
    const { isMetered, isCached } = serviceNamed(service)
    const freshMs = isCached === true ? config.calls.cacheSeconds * 1000 : 0
    // With answers kept in front of it, what the service said is only asked about by its ETag.
    const isHeld = freshMs > 0 || (isCached === true && config.cache.bytes > 0)
    const callHeaders = callHeadersOf(serviceForwarding(config, service))
    return {
      baseUrl: serviceUrls[service],
      credential: config.services[service].credential,
      isSandbox: config.services[service].url === undefined,
      share: config.calls.shareCalls && { mostWaitMs: config.calls.shareWaitMs },
      maxIds: config.limits.ids,
      live: {
        store: options.live,
        share: config.live.share,
        everySeconds: config.live[service].everySeconds,
        pace: options.pace,
        observer: options.pollers,
      },
      tuning: {
        timeoutMs: config.calls.upstreamTimeoutMs,
        parseBody: fast.parseBody,
        ...(isHeld ? { cache: { freshMs } } : {}),
        ...options.tuning?.[service],
      },
      observe: counted(observe, callHeaders),
      traceHeaders,
      callHeaders,
      ...(isMetered === true ? { admit, settle: settle && counted(settle, callHeaders), explain } : {}),
    }
  }
  return createSubgraphByName(name, {
    services: forEachService(serviceOptions),
    settings: ownSettingsOf(config.services),
    maxIds: config.limits.ids,
    host: {
      publicUrl,
      secret: config.server.uploadSecret ?? options.shared?.uploadSecret ?? ownUploadSecret,
      readQuota: (credentialKey) => options.quota(accountOf(credentialKey)),
      prices: config.quota.prices,
    },
  })
}

/**
 * Where each service is reached: as the configuration says, or else as the caller of the assembly does. Throws if a
 * service that this process calls has no URL.
 */
export function serviceUrlsOf({
  config,
  serviceUrls,
  supergraph,
}: GatewayOptions): Readonly<Record<ServiceName, string>> {
  const urls = forEachService((name) => serviceUrls?.[name] ?? config.services[name].url)
  const missing = serviceNames.filter(
    (name) => urls[name] === undefined && config.subgraph.urls[name] === undefined,
  )
  if (supergraph === undefined && missing.length > 0) {
    throw new Error(
      `There is no URL for: ${missing.join(', ')}. Name it in the configuration (TESSERA_<SERVICE>_URL) or in serviceUrls, or give a supergraph.`,
    )
  }
  return forEachService((name) => urls[name] ?? '')
}
