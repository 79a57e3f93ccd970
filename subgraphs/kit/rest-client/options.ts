/** What the upstream client takes and gives: its options, its tuning, answers, and how a service's client reads a failure. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { Awaitable } from '../../../shared/runtime/is-promise.ts'
import type { UpstreamCall, UpstreamEvent, UpstreamState } from '../../../shared/upstream.ts'
import type { Credential } from '../credentials/index.ts'
import type { CallHeaders } from './call-headers.ts'
import type { ParseBody } from './json.ts'

/** Treat `body` as frozen: a cache may hand the same object to several callers. */
export interface UpstreamResponse<T> {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Undefined if the answer had no body (204). */
  readonly body: T
}

/** What a failed answer means. */
export interface Failure {
  readonly code: ErrorCode
  /** Only words that help the caller. */
  readonly message: string
  /** The service's own name of the fault: 'quotaExceeded'. */
  readonly reason?: string | undefined
  /** Seconds; read from the `Retry-After` header if it is not given. */
  readonly retryAfter?: number | undefined
  /** Whether a safe call may try again. */
  readonly retry: boolean
  /** Nothing is left of the call's bucket until `retryAfter` has passed: no call that takes from it is made before that. */
  readonly untilReset?: boolean | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** A failed response, as the service's client reads it. */
export interface FailedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON; undefined if it was none. */
  readonly body: unknown
  /** The beginning of a body in plain text, without the credential that was sent; undefined if it was something else. */
  readonly text?: string | undefined
  readonly call: UpstreamCall
}

/** A service's own reading of its failed responses; undefined leaves one to its status alone. */
export type FailureReader = (response: FailedResponse) => Failure | undefined

/**
 * Bounds and times of the calls to one service; each has a default, which its comment names. Times are in
 * milliseconds.
 */
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
  /** Parses the body of an answer. It must answer what the usual one does, which is taken unless it is given. */
  readonly parseBody?: ParseBody | undefined
  /** Whether compressed responses are accepted. Unless given: yes, but not over the loopback interface. */
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
  /** Off by default. Equal calls at the same moment then share one answer, too. */
  readonly cache?:
    | {
        /** How long an answer is used without asking; then it is revalidated by its ETag. */
        readonly freshMs: number
        /** Of the answers' text. 64 MiB. */
        readonly maxBytes?: number | undefined
      }
    | undefined
}

/** What the client of a service is made from. */
export interface UpstreamOptions {
  readonly service: string
  /** A path in it is kept. */
  readonly baseUrl: string
  readonly credential: Credential
  readonly failure: FailureReader
  readonly tuning?: UpstreamTuning | undefined
  readonly observe?: ((event: UpstreamEvent) => void) | undefined
  /**
   * Asked before a call is sent (not if the cache answers), and before each repetition of one that costs units;
   * throws to refuse it. What it returns was reserved for the call, and is handed to `settle`.
   */
  readonly admit?:
    | ((call: UpstreamCall, credentialKey: string, request: SubgraphRequest) => Awaitable<string | undefined>)
    | undefined
  /** Called afterwards with the outcome of every call that was admitted. */
  readonly settle?: ((event: UpstreamEvent) => void) | undefined
  /** What is to be said beside of a failure that the service answered with. */
  readonly explain?:
    | ((
        failure: Failure,
        call: UpstreamCall,
        request: SubgraphRequest,
      ) => Pick<Failure, 'retryAfter' | 'extensions'> | undefined)
    | undefined
  /** Headers that carry the trace on. Unless given: the request's own `traceparent` and `tracestate`. */
  readonly traceHeaders?:
    | ((request: SubgraphRequest, call: UpstreamCall) => Readonly<Record<string, string>> | undefined)
    | undefined
  /** Headers of the configuration for each request; part of `credentialKey`. */
  readonly callHeaders?: CallHeaders | undefined
  /** Randomness of the retries' delays. */
  readonly random?: (() => number) | undefined
}

/** The client of one service. It is made once and used by all requests. */
export interface Upstream {
  readonly service: string
  /** Resolves with an answer (2xx or `accept`); everything else rejects with an error of `tesseraError`. */
  send<T>(call: UpstreamCall, request: SubgraphRequest): Promise<UpstreamResponse<T>>
  /** Equal keys = the same upstream credential and headers of the configuration; only then may answers be shared between requests. */
  credentialKey(request: SubgraphRequest): string
  /** Parses bytes of this service as its answers are parsed. */
  readonly parseBody: ParseBody
  /** For metrics and readiness. */
  state(): UpstreamState
  /** Refuses new calls, waits for those that run, and leaves no socket and no timer. */
  close(): Promise<void>
}
