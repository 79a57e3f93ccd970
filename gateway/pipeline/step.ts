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
import type { InFlight } from './in-flight.ts'
import type { OperationContext } from './operation-context.ts'
import type { MediaType, Result } from './operation-request.ts'
import type { Operations } from './operations.ts'
import type { DocumentReader } from './persisted/index.ts'
import type { Observing, Report } from './report.ts'
import type { HttpProfile, statusOf } from './result-status.ts'

export interface PipelineOptions {
  readonly authenticator: Authenticator
  readonly documents: DocumentReader
  readonly operations: Operations
  readonly limits: Limits
  readonly timeoutMs: number
  /** Executes equal queries at the same time once; without it each is executed. */
  readonly inFlight?: InFlight | undefined
  /** Executes mutations with an idempotency key once; without it keys mean nothing. */
  readonly idempotency?: Idempotency | undefined
  /** Prices operations in the units of services that have them; without it nothing can be explained. */
  readonly pricing?: Pricing | undefined
  /** What operations cost by `@cost`, if that is measured. */
  readonly demand?: Demand | undefined
  readonly rateLimits?: RateLimiter | undefined
  readonly hooks?: Stages | undefined
  readonly metrics: Metrics
  readonly traces?: Traces | undefined
  readonly log: Logger
  /** Decides the status of a result; by default its errors do. */
  readonly statusOf?: typeof statusOf | undefined
  /** How a failed field affects the answer if the client sends no `onError`; `PROPAGATE` by default. */
  readonly onError?: ErrorBehavior | undefined
  /** The edition of GraphQL over HTTP; 2025 by default. */
  readonly httpProfile?: HttpProfile | undefined
  /** The status if authorization leaves nothing of an operation; 401 or 403 by default. */
  readonly refusedStatus?: 'auto' | '200' | undefined
  /** Counts the operations under way, so that their resources are closed after the last of them. */
  readonly underWay?: { begin(): void; end(): void } | undefined
  /** Options of the usual report to log and traces. */
  readonly observing?: Observing | undefined
  /** Replaces the usual report. */
  readonly report?: Report | undefined
  /** The headers that rules take from subgraphs' answers for the client. */
  readonly answerHead?: ((request: GatewayRequest) => readonly string[] | undefined) | undefined
  /** Notes what the response cache does for a request, if there is a cache. */
  readonly reportCache?: typeof reportCache | undefined
}

/** The options, and the parts that are made from them once. */
export interface PipelineComponents extends PipelineOptions {
  readonly httpProfile: HttpProfile
  /** The status of a result by that edition. */
  readonly statusFor: (result: Result<unknown>, type: MediaType) => number
  readonly executors: Executors
  readonly report: Report
}

/** The answer, if the step makes one. Later steps are skipped, except those that always run. */
export type StepResult = Result<unknown> | undefined

/** A step returns a promise only if it must wait. It may throw; the error is masked before a client sees it. */
export interface Step {
  readonly name: string
  /** Whether the step runs even if there is an answer already. Such a step must not throw. */
  readonly always?: boolean | undefined
  run(context: OperationContext, components: PipelineComponents): StepResult | Promise<StepResult>
}

/** A value that an earlier step has set. */
export function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('A step runs before the one whose result it needs.')
  return value
}
