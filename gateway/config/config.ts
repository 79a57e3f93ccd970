/** The configuration as the rest of the gateway sees it: checked, frozen, passed inward. */
import { serviceNames } from '../../subgraphs/index.ts'
import type { IssuerOptions } from '../auth/authenticate/index.ts'
import type { MetricsSettings, TracesSettings } from '../telemetry/settings.ts'
import type { Settings } from './sections.ts'

/** Values that follow from several sections. */
interface Derived {
  /** The trusted issuers: that of `jwt` and `tokenIntrospection` first, then those of `issuers`. */
  readonly trustedIssuers: readonly IssuerOptions[]
  readonly traces: TracesSettings
  readonly metrics: MetricsSettings
}

/** Every setting by its section and its name, as the file has them: `config.server.port`. */
export type Config = Settings & Derived

/** The configuration, or all of its faults. Each fault begins with the name of its setting. */
export type ConfigResult =
  | { readonly config: Config; readonly faults?: undefined }
  | { readonly config?: undefined; readonly faults: readonly string[] }

/** Whether no service and no subgraph is real, and the graph is our own. */
export function isNothingReal({ services, subgraph, supergraph }: Config): boolean {
  return (
    supergraph.places === undefined &&
    serviceNames.every((name) => services[name].url === undefined) &&
    Object.keys(subgraph.urls).length === 0
  )
}

/** Whether our own tokens may give access, which they do only if no service is real. */
export function isAllSandbox(config: Config): boolean {
  return config.trustedIssuers.length === 0 && isNothingReal(config)
}
