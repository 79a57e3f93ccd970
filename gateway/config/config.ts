/** The configuration as the rest of the gateway sees it: checked, frozen, passed inward. */
import type { ClientProof } from '../../shared/http/client-authentication.ts'
import type { MetricsSettings } from '../telemetry/metrics/settings.ts'
import type { TracesSettings } from '../telemetry/traces/settings.ts'
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

export type ConfigResult =
  | { readonly config: Config; readonly faults?: undefined }
  | { readonly config?: undefined; readonly faults: readonly string[] }
