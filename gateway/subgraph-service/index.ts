/**
 * What a subgraph is served with by itself (`hosts/subgraph.ts`), for our gateway or another router. It executes only what
 * a gateway proves to have sent. It is the gateway's own server and pipeline, over an engine that executes each operation
 * whole (`engine.ts`).
 */

import type { Subgraph } from '../../shared/subgraph.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import type { StepUpRules } from '../auth/step-up-rules.ts'
import type { Gate } from '../overload/index.ts'
import type { Pipeline } from '../pipeline/index.ts'
import type { HttpProfile } from '../pipeline/result-status.ts'
import type { CompressionMode } from '../server/compression.ts'
import type { ConnectionLimits } from '../server/connections.ts'
import type { OtherProtocol, Serving } from '../server/index.ts'
import type { Tls } from '../server/tls.ts'
import type { SubscriptionSettings } from '../subscriptions/config.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Traces } from '../telemetry/traces/index.ts'
import type { Admission } from './admission.ts'

/** What another protocol than HTTP receives of a subgraph service: its requests go through the same pipeline. */
export interface FramedServiceOptions extends Serving {
  readonly name: string
  /** The secret that gateways share with the service; undefined if there is none. */
  readonly secret: string | undefined
  readonly admission: Pick<Admission, 'isProven'>
  readonly pipeline: Pipeline
  readonly gate: Gate
  readonly maxBodyBytes: number
  readonly metrics: Metrics
  readonly log: Logger
}

export type ServeFramed = (options: FramedServiceOptions) => OtherProtocol

export interface SubgraphServiceOptions {
  readonly subgraph: Subgraph
  readonly host: string
  readonly port: number
  /**
   * The secret by which a gateway proves itself; without one every request is served, which is only for the sandbox.
   */
  readonly secret: string | undefined
  /** Whether `_service` is served without proof. */
  readonly introspection: boolean
  /** Checks the caller's own token against the subgraph's rules, in addition to the gateway's check. */
  readonly authenticator?: Authenticator | undefined
  /** Requirements on the sign-in in addition to those of the subgraph's SDL, checked if callers are. */
  readonly stepUp?: StepUpRules | undefined
  readonly httpProfile?: HttpProfile | undefined
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  /** Levels of brackets and variables that a client may send to the gateway in front. */
  readonly nesting: number
  readonly connections: ConnectionLimits
  readonly tls?: Tls | undefined
  /** The longest wait of requests for each other, in milliseconds; 0 refuses none because of it. */
  readonly maxWaitMs: number
  readonly subscriptions: Omit<SubscriptionSettings, 'mostOfCaller'>
  /** Serves gateways that use frames instead of HTTP; without it all of them use HTTP. */
  readonly frames?: ServeFramed | undefined
  /** Compresses responses; off by default. */
  readonly compression?: CompressionMode | undefined
  /** Documents that are kept prepared. */
  readonly keptDocuments: number
  /** The most new operations that wait to be prepared. */
  readonly mostPreparing: number
  readonly metrics: Metrics
  readonly traces?: Traces | undefined
  readonly log: Logger
}
