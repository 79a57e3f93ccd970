/**
 * How one fetch of a plan reaches one subgraph: a function made once for each operation, called once a request.
 * Whether the subgraph runs in this process or elsewhere shows nowhere else. It never throws and never rejects:
 * whatever goes wrong is a result with errors.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { DocumentNode } from 'graphql'
import type { UpstreamState } from '../../shared/upstream.ts'
import type { LaterFields, LaterResults } from '../executor/later-results.ts'
import type { NoteKept } from '../kept-memory.ts'
import type { GatewayRequest } from '../request.ts'

/** One operation of one plan, for one subgraph. */
export interface SubgraphOperation {
  readonly text: string
  readonly document: DocumentNode
  readonly name: string | undefined
  readonly kind: 'query' | 'mutation' | 'subscription'
  readonly variableNames: readonly string[]
  /**
   * Where lists may be answered with their first items, and fields later than the rest. A transport that knows nothing
   * of it answers all of it at once.
   */
  readonly later?: ReadonlyMap<string, LaterFields> | undefined
  /** Gets the weight of what the transport makes for the operation and keeps. */
  readonly noteKept?: NoteKept | undefined
}

export interface SubgraphError {
  readonly message: string
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  /** What was really thrown, for the log; never sent to a client. */
  readonly originalError?: Error | null | undefined
}

export interface SubgraphResult {
  /** Belongs to the receiver, which may change it. */
  readonly data?: Record<string, unknown> | null | undefined
  readonly errors?: readonly SubgraphError[] | undefined
  /** Whether there were more errors than are listed. */
  readonly moreErrors?: boolean | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  /** What comes after `data`; undefined if that is whole. */
  readonly later?: LaterResults<SubgraphError> | undefined
  /** The HTTP answer that it came in; undefined of a subgraph in this process, and if none came. */
  readonly answered?: Answered | undefined
}

/** What an HTTP answer says beside its body. Status 304, with neither data nor errors, answers conditions alone. */
export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** What is known already, so that the subgraph need not send it again; for requests by GET. */
export interface CacheValidators {
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

/** Of one fetch over HTTP, for what stands around a transport. Such a fetch is shared with no other request. */
export interface FetchExtras {
  /** More headers, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** For who has an answer already. Left out if the subgraph is asked by POST. */
  readonly validators?: CacheValidators | undefined
  /** Gets status and headers of the answer, if one came. */
  readonly answered?: ((status: number, headers: IncomingHttpHeaders) => void) | undefined
}

/** A prepared way to send one operation to one subgraph. May answer synchronously. */
export type SubgraphFetch = (
  variables: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
  extras?: FetchExtras,
) => SubgraphResult | Promise<SubgraphResult>

/** One event of a subgraph's subscription, before anything of it is executed. */
export interface SourceEvent {
  /** What `SubgraphEvents.result` makes the result of. */
  readonly payload: unknown
  /** An event that was not delivered yet is replaced by a later one of the same key; without it none is left out. */
  readonly key?: string | undefined
  /** Where a client may resume after this event. */
  readonly id?: string | undefined
  /** Beside the data of its result. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** A prepared way to get the events of one subscription of one subgraph. */
export interface SubgraphEvents {
  /** Equal where equal variables lead to the same events, whatever is selected of them: from the same address. */
  readonly source: string
  /** The variables that decide on the events, in a fixed order. */
  readonly sourceVariables: readonly string[]
  /** Whether events come on where the transport is closed. */
  readonly outlivesTransport: boolean
  /**
   * Begins a subscription, which lasts until the iterator's `return` or the request is cancelled. Rejects, as the
   * iterator's `next` does, with an error that says why.
   */
  open(
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
  ): Promise<AsyncIterator<SourceEvent, unknown, undefined>>
  /** The result of one event, for a request of its own. Never throws and never rejects. */
  result(
    event: SourceEvent,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
  ): SubgraphResult | Promise<SubgraphResult>
}

export interface Transport {
  readonly name: string
  /**
   * The headers of the caller, in lower case, on which its answers can depend. Undefined: unknown, so that what
   * it answers one caller is shared with no other.
   */
  readonly callerHeaders?: readonly string[] | undefined
  /**
   * What the subgraph gets of a caller and on which its answers can depend: headers by the names that they are sent
   * with, in lower case. Undefined: as `callerHeaders` says.
   */
  readonly callerPart?: ((request: GatewayRequest) => Readonly<Record<string, string>>) | undefined
  prepare(operation: SubgraphOperation): SubgraphFetch
  /** For a subscription. Without it the subgraph has none that can be asked for. */
  subscribe?: ((operation: SubgraphOperation) => SubgraphEvents) | undefined
  /** Whether the last fetch reached the subgraph; undefined before the first, and for one in this process. */
  readonly reachable?: boolean | undefined
  /** Of its circuit breaker and its limit on concurrency, if it has them. */
  readonly guarded?: UpstreamState | undefined
  close(): Promise<void>
}
