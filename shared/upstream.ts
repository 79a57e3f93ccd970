/**
 * What is known of a call to a service outside of the upstream client: the call as its caller describes it, the
 * event that reports its outcome (for logs, metrics, traces and the quota), and the state of the client.
 */
import type { ErrorCode } from './errors.ts'
import type { CallOutcome, SubgraphRequest } from './request.ts'

/** One call to a service, as its client describes it. Paths are already encoded, bodies already serialized. */
export interface UpstreamCall {
  /** 'videos.list': for metrics, logs and prices. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base URL, encoded, with its query: '/media/v3/videos?part=snippet&id=a'. */
  readonly path: string
  /** Already serialized. */
  readonly body?: string | undefined
  /** `application/json` by default, if there is a body. */
  readonly contentType?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A read: may be repeated. Writes never are. */
  readonly safe: boolean
  /** What the provider charges for it, in its own units. */
  readonly units?: number | undefined
  /** The allowance that it takes from, where several operations share one; one of its own by default. */
  readonly bucket?: string | undefined
  /** May be answered from the cache (GET only), which is keyed by credential. */
  readonly cacheable?: boolean | undefined
  /** 'text' hands the JSON over unparsed, 'bytes' also undecoded, as a Buffer. 'json' by default. */
  readonly as?: 'json' | 'text' | 'bytes' | undefined
  /** Statuses beside 2xx that are an answer and not a failure. */
  readonly accept?: readonly number[] | undefined
  readonly timeoutMs?: number | undefined
}

/** One event a call, whatever came of it. */
export interface UpstreamEvent {
  readonly service: string
  readonly call: UpstreamCall
  readonly operation: string
  readonly method: UpstreamCall['method']
  readonly safe: boolean
  readonly outcome: CallOutcome
  /** The status of the last answer; undefined if none came. */
  readonly status: number | undefined
  readonly milliseconds: number
  /** What the provider charged, at most: the call's units for every attempt that left. */
  readonly units: number
  /** How often the call left for the service; 0 when it was cached, shared or refused. */
  readonly attempts: number
  /** What was reserved for it if it was admitted: before its first attempt, and before each repetition that costs units. */
  readonly reservations: readonly string[]
  /** The code and reason of the error that the caller got. */
  readonly code: ErrorCode | undefined
  readonly reason: string | undefined
  readonly retryAfter: number | undefined
  readonly credentialKey: string
  /** The request that the call was made for. */
  readonly request: SubgraphRequest
}

/** The state of a client: its circuit breaker, the calls under way, and those that wait for their turn. */
export interface UpstreamState {
  readonly breaker: 'closed' | 'open' | 'half-open'
  readonly active: number
  readonly waiting: number
}
