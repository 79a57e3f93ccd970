/**
 * The only module that calls an upstream. It hides HTTP: the address, credentials, deadlines, retries,
 * the circuit breaker, the queue, the cache and what a failed answer means.
 *
 * It promises that every call ends by its deadline, that a write leaves at most once, that an answer is
 * the JSON that was promised, and that no secret, address or foreign text reaches an error's message.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Credential } from './credential.ts'
import type { ErrorCode } from './errors.ts'
import type { CallOutcome, SubgraphRequest } from './request.ts'
import { createSender } from './upstream/sender.ts'

export interface UpstreamCall {
  /** 'videos.list': for metrics, logs and prices. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base URL, encoded, with its query: '/media/v3/videos?part=snippet&id=a'. */
  readonly path: string
  /** Already serialized. */
  readonly body?: string | undefined
  /** `application/json` unless said, where there is a body. */
  readonly contentType?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A read: may be repeated. Writes never are. */
  readonly safe: boolean
  /** What the provider charges for it, in its own units. */
  readonly units?: number | undefined
  /** May be answered from the cache (GET only), which is keyed by credential. */
  readonly cacheable?: boolean | undefined
  /** 'text' hands the JSON over unparsed, 'bytes' also undecoded, as a Buffer. 'json' unless said. */
  readonly as?: 'json' | 'text' | 'bytes' | undefined
  /** Statuses beside 2xx that are an answer and not a failure. */
  readonly accept?: readonly number[] | undefined
  readonly timeoutMs?: number | undefined
}

/** Treat `body` as frozen: a cache may hand the same object to several callers. */
export interface UpstreamResponse<T> {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Undefined where the answer had no body (204). */
  readonly body: T
}

/** What a failed answer means. */
export interface Failure {
  readonly code: ErrorCode
  /** Only words that help the caller. */
  readonly message: string
  /** The service's own name of the fault: 'quotaExceeded'. */
  readonly reason?: string | undefined
  /** Seconds; read from the `Retry-After` header where it is not given. */
  readonly retryAfter?: number | undefined
  /** Whether a safe call may try again. */
  readonly retry: boolean
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** A failed answer, as the service's client reads it. */
export interface FailedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON; undefined where it was none. */
  readonly body: unknown
  readonly call: UpstreamCall
}

/** One event a call, whatever came of it. */
export interface UpstreamEvent {
  readonly service: string
  readonly call: UpstreamCall
  readonly operation: string
  readonly method: UpstreamCall['method']
  readonly safe: boolean
  readonly outcome: CallOutcome
  /** The status of the last answer; undefined where none came. */
  readonly status: number | undefined
  readonly milliseconds: number
  /** What the provider charged, at most: the call's units for every attempt that left. */
  readonly units: number
  /** How often the call left for the service; 0 when it was cached, shared or refused. */
  readonly attempts: number
  /** The code and reason of the error that the caller got. */
  readonly code: ErrorCode | undefined
  readonly reason: string | undefined
  readonly retryAfter: number | undefined
  readonly credentialKey: string
  /** The request that the call was made for. */
  readonly request: SubgraphRequest
}

export interface UpstreamTuning {
  /** The most that one call may take, retries included. 10 000. */
  readonly timeoutMs?: number | undefined
  /** How often a safe call is repeated. 2. */
  readonly retries?: number | undefined
  /** The first retry waits a random time up to this; it doubles each time. 100. */
  readonly retryDelayMs?: number | undefined
  /** Calls at the same time, and connections. 64. */
  readonly concurrency?: number | undefined
  /** Calls that may wait for their turn; more are refused at once. 512. */
  readonly queue?: number | undefined
  /** Of the decompressed body. 32 MiB. */
  readonly maxResponseBytes?: number | undefined
  /** Whether answers are asked for compressed. Unless said: yes, but not over the loopback. */
  readonly gzip?: boolean | undefined
  readonly breaker?:
    | {
        /** Opens after this many failures in a row. 10. */
        readonly consecutive?: number | undefined
        /** Opens when more than this share of the calls of the last ten seconds failed … 0.5. */
        readonly ratio?: number | undefined
        /** … of at least so many calls a second. 5. */
        readonly minimumRps?: number | undefined
        /** The first pause before a call is tried again; it doubles up to `maxPauseMs`. 1000. */
        readonly pauseMs?: number | undefined
        /** 10 000. */
        readonly maxPauseMs?: number | undefined
      }
    | undefined
  /** Off unless given. Equal calls at the same moment then share one answer, too. */
  readonly cache?:
    | {
        /** How long an answer is used without asking; then it is revalidated by its ETag. */
        readonly freshMs: number
        /** Of the answers' text. 64 MiB. */
        readonly maxBytes?: number | undefined
      }
    | undefined
}

export interface UpstreamOptions {
  readonly service: string
  /** A path in it is kept. */
  readonly baseUrl: string
  readonly credential: Credential
  /** The service's own reading of a failed answer; undefined leaves it to the status alone. */
  readonly failure: (answer: FailedAnswer) => Failure | undefined
  readonly tuning?: UpstreamTuning | undefined
  readonly observe?: ((event: UpstreamEvent) => void) | undefined
  /** Asked before a call is sent (not where the cache answers); throws to refuse it. */
  readonly admit?:
    | ((call: UpstreamCall, credentialKey: string, request: SubgraphRequest) => void | Promise<void>)
    | undefined
  /** Told afterwards of every call that was admitted. */
  readonly settle?: ((event: UpstreamEvent) => void) | undefined
  /** Headers that carry the trace on. Unless given: the request's own `traceparent` and `tracestate`. */
  readonly traceHeaders?:
    | ((request: SubgraphRequest, call: UpstreamCall) => Readonly<Record<string, string>> | undefined)
    | undefined
  /** Randomness of the retries' delays. */
  readonly random?: (() => number) | undefined
}

export interface UpstreamState {
  readonly breaker: 'closed' | 'open' | 'half-open'
  readonly active: number
  readonly waiting: number
}

export interface Upstream {
  readonly service: string
  /** Resolves with an answer (2xx or `accept`); everything else rejects with an error of `tesseraError`. */
  send<T>(call: UpstreamCall, request: SubgraphRequest): Promise<UpstreamResponse<T>>
  /** Equal keys = the same upstream credential; only then may answers be shared between requests. */
  credentialKey(request: SubgraphRequest): string
  /** For metrics and readiness. */
  state(): UpstreamState
  /** Refuses new calls, waits for those that run, and leaves no socket and no timer. */
  close(): Promise<void>
}

/** Throws an Error where the base URL or the credential is wrong. */
export function createUpstream(options: UpstreamOptions): Upstream {
  return createSender(options)
}
