/** One subgraph in this process, made as the configuration says. */
import { randomBytes } from 'node:crypto'
import type { Subgraph } from '../../contract/subgraph.ts'
import type { UpstreamEvent } from '../../contract/upstream.ts'
import {
  createSubgraphByName,
  meteredService,
  type ServiceName,
  type SubgraphName,
  serviceNames,
} from '../../subgraphs/index.ts'
import type { ServiceOptions } from '../../subgraphs/kit/subgraph.ts'
import type { QuotaSnapshot } from '../budget/quota/index.ts'
import type { GatewayOptions } from './options.ts'

export interface LocalSubgraphOptions extends Pick<GatewayOptions, 'config' | 'tuning'> {
  readonly serviceUrls: Readonly<Record<ServiceName, string>>
  /** Where clients reach us; asked when an address is made. */
  readonly publicUrl: () => string
  readonly observe: (event: UpstreamEvent) => void
  readonly traceHeaders?: ServiceOptions['traceHeaders']
  readonly admit?: ServiceOptions['admit']
  readonly settle?: ServiceOptions['settle']
  /** Answers `mediaQuota`. */
  readonly quota: (credentialKey: string) => Promise<QuotaSnapshot>
}

/** Seals upload addresses where the configuration names no secret: good for one process, for as long as it runs. */
const ownUploadSecret = randomBytes(32).toString('base64url')

/** One subgraph in this process, as the configuration wants it. */
export function localSubgraph(name: SubgraphName, options: LocalSubgraphOptions): Subgraph {
  const { config, serviceUrls, publicUrl, observe } = options
  const { values } = config
  const serviceOf = (service: ServiceName): ServiceOptions => ({
    baseUrl: serviceUrls[service],
    credential: config.services[service].credential,
    share: values.TESSERA_SHARE_CALLS,
    maxIds: values.TESSERA_MAX_IDS,
    tuning: {
      timeoutMs: values.TESSERA_UPSTREAM_TIMEOUT_MS,
      ...(values.TESSERA_CACHE_SECONDS > 0 && service === 'videos'
        ? { cache: { freshMs: values.TESSERA_CACHE_SECONDS * 1000 } }
        : {}),
      ...options.tuning?.[service],
    },
    observe,
    traceHeaders: options.traceHeaders,
    ...(service === meteredService ? { admit: options.admit, settle: options.settle } : {}),
  })
  const services = Object.fromEntries(serviceNames.map((service) => [service, serviceOf(service)])) as Record<
    ServiceName,
    ServiceOptions
  >
  return createSubgraphByName(name, {
    services,
    maxIds: values.TESSERA_MAX_IDS,
    videosNamespace: values.TESSERA_VIDEOS_NAMESPACE,
    messagesVocabulary: values.TESSERA_MESSAGES_VOCABULARY,
    uploads: { secret: values.TESSERA_UPLOAD_SECRET ?? ownUploadSecret, publicUrl },
    quota: { read: options.quota },
    prices: values.TESSERA_QUOTA_PRICES,
  })
}
