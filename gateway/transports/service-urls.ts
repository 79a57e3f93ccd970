/** Where each service is reached: as the configuration says, or else as the caller of the assembly does. */
import { forEachService, type ServiceName, serviceNames } from '../../subgraphs/index.ts'
import type { GatewayOptions } from '../options.ts'

/** Throws if a service that this process calls has no URL. */
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
