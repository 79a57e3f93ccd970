/** The configuration as the rest of the gateway sees it: checked, frozen, passed inward. */
import type { z } from 'zod'
import type { ClientProof } from '../../shared/http/client-authentication.ts'
import type { ServiceName } from '../../subgraphs/index.ts'
import type { Credential } from '../../subgraphs/kit/credentials/index.ts'
import type { MetricsSettings } from '../telemetry/metrics/settings.ts'
import type { TracesSettings } from '../telemetry/traces/settings.ts'
import type { Sections } from './sections/index.ts'
import type { variables } from './variables/index.ts'

export interface ServiceConfig {
  /** The service's `{base_url}`; undefined means the sandbox. */
  readonly url: string | undefined
  readonly credential: Credential
  /** The interval of polls for subscriptions, if it is not each field's own. */
  readonly liveEverySeconds: number | undefined
  /** The service's own settings, as texts. */
  readonly settings: Readonly<Record<string, string>>
}

/** How the tokens of one issuer are checked. */
export interface IssuerConfig {
  readonly key?: JwtConfig['key'] | undefined
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

export interface JwtConfig {
  readonly key:
    | { readonly kind: 'jwks'; readonly url: string }
    | { readonly kind: 'pem'; readonly pem: string }
    | { readonly kind: 'secret'; readonly secret: string }
  readonly issuer: string | undefined
  readonly audience: string | undefined
  readonly algorithms: readonly string[] | undefined
}

/** The value of each variable, by its name. */
export type Values = Readonly<z.output<z.ZodObject<typeof variables>>>

export interface Config {
  readonly host: string
  readonly port: number
  readonly services: Readonly<Record<ServiceName, ServiceConfig>>
  /** Addresses of remote subgraphs by name; others run in the process. */
  readonly remoteSubgraphs: Readonly<Record<string, string>>
  readonly jwt: JwtConfig | undefined
  /** The trusted issuers: that of the variables first, then those of the file. */
  readonly issuers: readonly IssuerConfig[]
  readonly traces: TracesSettings
  readonly metrics: MetricsSettings
  /** Every variable as it was read, by name. */
  readonly values: Values
  /** The sections of the file. */
  readonly sections: Sections
}

export type ConfigResult =
  | { readonly config: Config; readonly faults?: undefined }
  | { readonly config?: undefined; readonly faults: readonly string[] }
