/** The configuration as the rest of the gateway sees it: checked, frozen, passed inward. */
import type { ClientProof } from '../../shared/http/client-authentication.ts'
import { serviceNames } from '../../subgraphs/index.ts'
import type { MetricsSettings, TracesSettings } from '../telemetry/settings.ts'
import type { Settings } from './sections.ts'

export type IssuerKey =
  | { readonly kind: 'jwks'; readonly url: string }
  | { readonly kind: 'pem'; readonly pem: string }
  | { readonly kind: 'secret'; readonly secret: string }

/** How the tokens of one issuer are checked. */
export interface IssuerConfig {
  readonly key?: IssuerKey | undefined
  readonly introspection?:
    | {
        readonly url: string
        readonly clientId: string
        readonly proof: ClientProof
        readonly cacheSeconds: number
      }
    | undefined
  readonly issuer?: string | undefined
  readonly audience?: string | readonly string[] | undefined
  readonly algorithms?: readonly string[] | undefined
  readonly type?: string | undefined
  readonly requiredClaims?: readonly string[] | undefined
  readonly scopes?: Readonly<Record<string, readonly string[]>> | undefined
}

/** What follows from several sections together. */
interface Derived {
  /** The trusted issuers: that of `jwt` and `tokenIntrospection` first, then those of `issuers`. */
  readonly trustedIssuers: readonly IssuerConfig[]
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

/** Whether our own tokens may open anything: only if no service is real. */
export function isAllSandbox(config: Config): boolean {
  return config.trustedIssuers.length === 0 && isNothingReal(config)
}
