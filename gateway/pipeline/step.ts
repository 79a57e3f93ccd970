/** What a step of the pipeline is, and what steps are made from. */
import type { GatewayRequest } from '../../engine/request.ts'
import type { ErrorBehavior } from '../../shared/graphql/error-behavior.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import type { Demand } from '../costs/demand/index.ts'
import type { Limits } from '../costs/limits/index.ts'
import type { Pricing } from '../costs/pricing.ts'
import type { RateLimiter } from '../costs/rate/index.ts'
import type { Stages } from '../hooks/index.ts'
import type { reportCache } from '../response-cache/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Traces } from '../telemetry/traces/index.ts'
import type { Executors } from './executors.ts'
import type { Idempotency } from './idempotency/index.ts'
import type { InFlight } from './in-flight/index.ts'
import type { OperationContext } from './operation-context.ts'
import type { MediaType } from './operation-params.ts'
import type { Operations } from './operations.ts'
import type { DocumentReader } from './persisted/index.ts'
import type { Observing, Report } from './report.ts'
import type { HttpProfile, statusOf } from './result-status.ts'
import type { Result } from './sent.ts'

export interface PipelineOptions {
  readonly authenticator: Authenticator
  readonly documents: DocumentReader
  readonly operations: Operations
  readonly limits: Limits
  readonly timeoutMs: number
  /** Equal queries under way are executed once; each by itself by default. */
  readonly inFlight?: InFlight | undefined
  /** Mutations with an idempotency key are executed once; keys mean nothing by default. */
  readonly idempotency?: Idempotency | undefined
  /** The units that operations cost, where services sell some; without it nothing is explained. */
  readonly pricing?: Pricing | undefined
  /** What operations cost by `@cost`, if that is measured. */
  readonly demand?: Demand | undefined
  /** How much may be asked for in a time, if that is limited. */
  readonly rateLimits?: RateLimiter | undefined
  /** The hooks of the gateway's operator, if there are any. */
  readonly hooks?: Stages | undefined
  readonly metrics: Metrics
  readonly traces?: Traces | undefined
  readonly log: Logger
  /** The status of a result; what its errors say by default. */
  readonly statusOf?: typeof statusOf | undefined
  /** What becomes of an answer if a field fails and its client says nothing of it; `PROPAGATE` by default. */
  readonly onError?: ErrorBehavior | undefined
  /** The edition of GraphQL over HTTP; 2025 by default. */
  readonly httpProfile?: HttpProfile | undefined
  /** The status of an operation of which authorization leaves nothing; 401 or 403 by default. */
  readonly refusedStatus?: 'auto' | '200' | undefined
  /** Counts the operations that are under way, so that what they use is closed after them. */
  readonly underWay?: UnderWay | undefined
  /** How requests are reported to log and traces; as usual by default. */
  readonly observing?: Observing | undefined
  /** Reports requests instead of that. */
  readonly report?: Report | undefined
  /** The headers that rules take from subgraphs' answers for the client. */
  readonly answerHead?: ((request: GatewayRequest) => readonly string[] | undefined) | undefined
  /** Notes what the cache of subgraphs' answers does for a request, if there is one. */
  readonly reportCache?: typeof reportCache | undefined
}

export interface UnderWay {
  begin(): void
  end(): void
}

/** The options, with what is made of them once. */
export interface Parts extends PipelineOptions {
  readonly httpProfile: HttpProfile
  /** The status of a result by that edition. */
  readonly statusFor: (result: Result<unknown>, type: MediaType) => number
  readonly executors: Executors
  readonly report: Report
}

/** The answer, if the step makes one: the steps after it are left out, but for those that always run. */
export type StepResult = Result<unknown> | undefined

/** A step answers at once where it can, and waits only if it must. It may throw: what a client sees of that is masked. */
export interface Step {
  readonly name: string
  /** Whether it runs when there is an answer already. It throws nothing. */
  readonly always?: boolean | undefined
  run(context: OperationContext, parts: Parts): StepResult | Promise<StepResult>
}

/** What an earlier step has found out. */
export function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('A step runs before the one whose result it needs.')
  return value
}
