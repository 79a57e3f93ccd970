/**
 * The types of the upstream client: its options, its bounds, its responses, and how a service's client interprets a
 * failure.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { Awaitable } from '../../../shared/runtime/is-promise.ts'
import type { UpstreamCall, UpstreamEvent, UpstreamState } from '../../../shared/upstream.ts'
import type { Credential } from '../credentials/index.ts'
import type { ParseBody } from './json.ts'

/** Treat `body` as frozen: a cache may hand the same object to several callers. */
export interface UpstreamResponse<T> {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Undefined if the response had no body (204). */
  readonly body: T
}

/** What a failed response means. */
export interface Failure {
  readonly code: ErrorCode
  /** It contains only words that help the caller. */
  readonly message: string
  /** The service's own name of the fault, such as 'quotaExceeded'. */
  readonly reason?: string | undefined
  /** In seconds. Read from the `Retry-After` header by default. */
  readonly retryAfter?: number | undefined
  /** Whether a safe call may be sent again. */
  readonly retry: boolean
  /**
   * Nothing is left of the call's bucket until `retryAfter` has passed, so no call that takes from it is made
   * before.
   */
  readonly untilReset?: boolean | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** A failed response, as the service's client gets it. */
export interface FailedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON, also of a plain-text body that is a JSON object; undefined if the body was none. */
  readonly body: unknown
  /** The beginning of a plain-text body, without the credential that was sent; undefined for other types. */
  readonly text?: string | undefined
  readonly call: UpstreamCall
}

/** A failed response that means what this status means by itself, and the service's own name of the fault. */
export interface PlainFailure {
  readonly code?: undefined
  readonly status: number
  readonly reason?: string | undefined
}

/** How a service's client interprets its failed responses. If it returns undefined, the status alone decides. */
export type FailureReader = (response: FailedResponse) => Failure | PlainFailure | undefined

/** Bounds and times of the calls to one service, with their defaults. Times are in milliseconds. */
export interface UpstreamTuning {
  /** The longest time of one call, retries included. The default is 10,000. */
  readonly timeoutMs?: number | undefined
  /** How often a safe call is repeated. The default is 2. */
  readonly retries?: number | undefined
  /**
   * The first retry waits a random time up to this one, and each further retry up to twice as long. The default is
   * 100.
   */
  readonly retryDelayMs?: number | undefined
  /** The most calls at the same time, and connections. The default is 64. */
  readonly concurrency?: number | undefined
  /** The most calls that wait for their turn. Further calls are refused. The default is 512. */
  readonly queue?: number | undefined
  /** The size of the decompressed body. The default is 32 MiB. */
  readonly maxResponseBytes?: number | undefined
  /** Parses the body of a response. It must return the same value as the default parser. */
  readonly parseBody?: ParseBody | undefined
  /** Whether compressed responses are accepted. The default is yes, except over the loopback interface. */
  readonly gzip?: boolean | undefined
  readonly breaker?:
    | {
        /** The breaker opens after this many failures in a row. The default is 10. */
        readonly consecutive?: number | undefined
        /** The breaker opens when more than this share of the calls of the last ten seconds failed (default 0.5) … */
        readonly ratio?: number | undefined
        /** … if there were at least so many calls a second (default 5). */
        readonly minimumRps?: number | undefined
        /** The first pause before a call is tried again. It doubles up to `maxPauseMs`. The default is 1000. */
        readonly pauseMs?: number | undefined
        /** The default is 10,000. */
        readonly maxPauseMs?: number | undefined
      }
    | undefined
  /** Off by default. With a cache, equal calls at the same moment share one response, too. */
  readonly cache?:
    | {
        /** How long a response is used without asking the service. After that it is revalidated by its ETag. */
        readonly freshMs: number
        /** The size of all kept texts. The default is 64 MiB. */
        readonly maxBytes?: number | undefined
      }
    | undefined
}

/** The configured headers for a request, with names in lower case. */
export type CallHeaders = (request: SubgraphRequest) => Readonly<Record<string, string>>

/** What the client of a service is made from. */
export interface UpstreamOptions {
  readonly service: string
  /** The base URL of the service. It may have a path. */
  readonly baseUrl: string
  readonly credential: Credential
  readonly failure: FailureReader
  readonly tuning?: UpstreamTuning | undefined
  /** Called after every upstream call. */
  readonly observe?: ((event: UpstreamEvent) => void) | undefined
  /**
   * Called before a call is sent (not if the cache answers), and before each retry of a call that costs units. It
   * throws to refuse the call. Its result is what was reserved, and is passed to `settle`.
   */
  readonly admit?:
    | ((call: UpstreamCall, credentialKey: string, request: SubgraphRequest) => Awaitable<string | undefined>)
    | undefined
  /** Called with the outcome of every call that was admitted. */
  readonly settle?: ((event: UpstreamEvent) => void) | undefined
  /** Returns an error to report in addition to a failure with which the service answered. */
  readonly explain?:
    | ((
        failure: Failure,
        call: UpstreamCall,
        request: SubgraphRequest,
      ) => Pick<Failure, 'retryAfter' | 'extensions'> | undefined)
    | undefined
  /** Headers that propagate the trace. By default they are the `traceparent` and `tracestate` of the request. */
  readonly traceHeaders?:
    | ((request: SubgraphRequest, call: UpstreamCall) => Readonly<Record<string, string>> | undefined)
    | undefined
  /** Headers that the configuration adds for each request. They are part of `credentialKey`. */
  readonly callHeaders?: CallHeaders | undefined
  /** The random numbers for the delays of retries. */
  readonly random?: (() => number) | undefined
}

/** The client of one service. It is made once and used by all requests. */
export interface Upstream {
  readonly service: string
  /** Resolves with a response (2xx or `accept`). Everything else rejects with an error of `tesseraError`. */
  send<T>(call: UpstreamCall, request: SubgraphRequest): Promise<UpstreamResponse<T>>
  /**
   * Equal keys mean the same upstream credential and the same configured headers. Only then may requests share
   * responses.
   */
  credentialKey(request: SubgraphRequest): string
  /** Parses bytes of this service in the same way as its responses. */
  readonly parseBody: ParseBody
  /** For metrics and readiness. */
  state(): UpstreamState
  /** Refuses new calls, waits for those that run, and closes all sockets and timers. */
  close(): Promise<void>
}
