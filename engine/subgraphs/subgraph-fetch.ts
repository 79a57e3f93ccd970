/**
 * How a fetch reaches its subgraph: a function that is made once for each operation and called once for each request.
 * It hides whether the subgraph is in this process. It never throws or rejects: every failure is a result with
 * errors.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { DocumentNode } from 'graphql'
import type { LiveEvent } from '../../shared/polling.ts'
import type { UpstreamState } from '../../shared/upstream.ts'
import type { NoteBytes } from '../cache-memory.ts'
import type { LaterFields, LaterResults } from '../executor/later-results.ts'
import type { GatewayRequest } from '../request.ts'

/** An operation of a plan, for one subgraph. */
export interface SubgraphOperation {
  readonly text: string
  readonly document: DocumentNode
  readonly name: string | undefined
  readonly kind: 'query' | 'mutation' | 'subscription'
  readonly variableNames: readonly string[]
  /**
   * The lists that may be returned with their first items, and the fields that may come later. A transport without
   * support returns everything at once.
   */
  readonly later?: ReadonlyMap<string, LaterFields> | undefined
  /** Receives the estimated bytes of what the transport keeps for the operation. */
  readonly noteBytes?: NoteBytes | undefined
}

export interface SubgraphError {
  readonly message: string
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  /** The original error, for the log. Never sent to a client. */
  readonly originalError?: Error | null | undefined
}

/** A subgraph's result of one fetch. */
export interface SubgraphResult {
  /** Belongs to the receiver, which may modify it. */
  readonly data?: Record<string, unknown> | null | undefined
  readonly errors?: readonly SubgraphError[] | undefined
  /** Whether errors were omitted. */
  readonly moreErrors?: boolean | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  /** The results that follow `data`. Undefined if it is complete. */
  readonly later?: LaterResults<SubgraphError> | undefined
  /** The HTTP response. Undefined for a subgraph in this process, and if there was none. */
  readonly answered?: Answered | undefined
}

/** Status and headers of an HTTP response. Status 304, which has neither data nor errors, confirms validators. */
interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** Validators of a stored response for a conditional GET. */
export interface CacheValidators {
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

/** Additional options of a fetch over HTTP, for code that wraps a transport. */
export interface FetchExtras {
  /** Names in lower case. A fetch with this object, even an empty one, is not shared between requests. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The validators of a stored response. Ignored for POST. */
  readonly validators?: CacheValidators | undefined
}

/**
 * Sends one prepared operation to one subgraph. May return synchronously. A failure is an error in the result: if it
 * throws or rejects, the whole operation fails as an internal error.
 */
export type SubgraphFetch = (
  variables: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
  extras?: FetchExtras,
) => SubgraphResult | Promise<SubgraphResult>

/** An event of a subgraph's subscription, before its result is executed. */
export interface SourceEvent extends Omit<LiveEvent, 'value'> {
  /** The input of `SubgraphEvents.result`. */
  readonly payload: unknown
}

/** The events of one prepared subscription of one subgraph. */
export interface SubgraphEvents {
  /** Equal for subscriptions that have the same events if the variables are equal, whatever they select. */
  readonly source: string
  /** The variables that decide on the events, in a fixed order. */
  readonly sourceVariables: readonly string[]
  /** Whether events continue after the transport is closed. */
  readonly outlivesTransport: boolean
  /**
   * Begins a subscription. It lasts until `return` of the iterator is called or the request is cancelled. Rejects
   * with an error that says why, as `next` of the iterator does.
   */
  open(
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
  ): Promise<AsyncIterator<SourceEvent, unknown, undefined>>
  /** The result of one event, with its own request. Never throws or rejects. */
  result(
    event: SourceEvent,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
  ): SubgraphResult | Promise<SubgraphResult>
}

/** How one subgraph is reached. `prepare` is called once for each fetch of a plan. */
export interface Transport {
  readonly name: string
  /**
   * The caller's headers on which responses can depend, in lower case. Undefined: unknown, so responses for one
   * caller are never shared with another.
   */
  readonly callerHeaders?: readonly string[] | undefined
  /**
   * The caller's headers that the subgraph receives and on which responses can depend, by the lower-case names under
   * which they are sent. Undefined: as `callerHeaders`.
   */
  readonly callerPart?: ((request: GatewayRequest) => Readonly<Record<string, string>>) | undefined
  prepare(operation: SubgraphOperation): SubgraphFetch
  /** Prepares a subscription. Absent if the subgraph has none. */
  subscribe?: ((operation: SubgraphOperation) => SubgraphEvents) | undefined
  /** Whether the last fetch reached the subgraph. Undefined before, and within this process. */
  readonly reachable?: boolean | undefined
  /** The state of its circuit breaker and concurrency limit, if it has them. */
  readonly guarded?: UpstreamState | undefined
  close(): Promise<void>
}

/** The same transport with other fetches. The result of an event is made without a fetch of its own. */
export function withFetches(transport: Transport, prepare: Transport['prepare']): Transport {
  const { name, callerHeaders } = transport
  return {
    name,
    callerHeaders,
    callerPart: transport.callerPart?.bind(transport),
    subscribe: transport.subscribe?.bind(transport),
    get reachable() {
      return transport.reachable
    },
    get guarded() {
      return transport.guarded
    },
    close: () => transport.close(),
    prepare,
  }
}
