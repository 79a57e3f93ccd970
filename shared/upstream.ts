/**
 * A call to a service as the rest of the product sees it: its description, the event that reports its outcome (for
 * logs, metrics, traces and the quota), and the state of the client.
 */
import type { ErrorCode } from './errors.ts'
import type { CallOutcome, SubgraphRequest } from './request.ts'
import type { ServiceOperation } from './service-calls.ts'

/** A call to a service. Paths are encoded, and bodies serialized. */
export interface UpstreamCall
  extends Pick<ServiceOperation, 'method' | 'safe' | 'units' | 'bucket' | 'cacheable'> {
  readonly operation: string
  /** The encoded path below the base URL, with its query: '/media/v3/videos?part=snippet&id=a'. */
  readonly path: string
  readonly body?: string | undefined
  /** `application/json` by default, if there is a body. */
  readonly contentType?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** 'text' returns the JSON unparsed, 'bytes' undecoded as a Buffer. 'json' by default. */
  readonly as?: 'json' | 'text' | 'bytes' | undefined
  /** Statuses other than 2xx that are no failure. */
  readonly accept?: readonly number[] | undefined
  readonly timeoutMs?: number | undefined
}

/** The event of one call, successful or not. */
export interface UpstreamEvent {
  readonly service: string
  readonly call: UpstreamCall
  readonly operation: string
  readonly method: UpstreamCall['method']
  readonly safe: boolean
  readonly outcome: CallOutcome
  /** The status of the last response. Undefined if there was none. */
  readonly status: number | undefined
  readonly milliseconds: number
  /** The most that the provider charged: the call's units for every attempt that was sent. */
  readonly units: number
  /** How often the call was sent. 0 if it was cached, shared or refused. */
  readonly attempts: number
  /** The reservations of an admitted call: before its first attempt, and before each retry that costs units. */
  readonly reservations: readonly string[]
  /** The code and reason of the caller's error. */
  readonly code: ErrorCode | undefined
  readonly reason: string | undefined
  readonly retryAfter: number | undefined
  readonly credentialKey: string
  /** The request that the call was made for. */
  readonly request: SubgraphRequest
}

/** The state of a client: its circuit breaker, the calls under way, and the waiting ones. */
export interface UpstreamState {
  readonly breaker: 'closed' | 'open' | 'half-open'
  readonly active: number
  readonly waiting: number
}
