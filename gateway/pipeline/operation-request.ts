/** The pipeline's input and output, the same for every host. */
import type { GraphQLError } from 'graphql'
import type { ExecutionUpdate, ExecutionUpdates } from '../../engine/executor/incremental/index.ts'
import type { CachePolicy, GatewayRequest } from '../../engine/request.ts'
import type { ErrorBehavior } from '../../shared/graphql/error-behavior.ts'
import type { Identity } from '../../shared/identity.ts'
import type { CallRecord } from '../../shared/request.ts'
import type { ProofMaterial } from '../auth/authenticate/index.ts'
import type { Challenge } from '../auth/challenge.ts'
import type { GrantedOperation } from '../auth/granted-operation.ts'

export type MediaType = 'application/graphql-response+json' | 'application/json'

export interface OperationParams {
  /** Undefined only if a hash in `extensions.persistedQuery` stands for it. */
  readonly query: string | undefined
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown> | undefined
  readonly extensions: Record<string, unknown> | undefined
  /** The effect of a failed field on the response; by default that of the configuration. */
  readonly onError?: ErrorBehavior | undefined
}

/**
 * One operation as a client sent it over HTTP, a WebSocket, frames or MCP, with the parts of its HTTP request to which a
 * token can be bound.
 */
export interface OperationRequest<Data> extends ProofMaterial {
  /** Names the request in the log and in messages about our own faults. */
  readonly id: string
  /** All headers of the caller, by their lower-case names. */
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  /** Their names, instead of `headers`. */
  names?(): readonly string[]
  /** The caller, if the host knows it already; otherwise the `Authorization` header is read. */
  identity?(): Identity | Promise<Identity>
  /** Reads the parameters; throws a `tesseraError` if they are malformed. */
  params(): OperationParams
  /** Whether only a query may run, as for GET. */
  readonly queriesOnly: boolean
  /** Whether one field without permission refuses the whole operation before any of it runs. */
  readonly refusesParts?: boolean | undefined
  /** Refuses the operation, unless earlier requests under its idempotency keys made all of it. */
  readonly unlessRepeated?: GraphQLError | undefined
  /** Decides the status of a result. */
  readonly mediaType: MediaType
  readonly form: DataForm<Data>
  /** Whether an operation with `@defer` or `@stream` may have an incremental response. */
  readonly acceptsIncremental?: boolean | undefined
  /** Begins a subscription, each of whose events is a result. Without it subscriptions are refused. */
  readonly subscribe?: Executor<Data> | undefined
}

/** The form of the data of a result: JSON, or objects (`executors.ts` has both). */
export interface DataForm<Data> {
  readonly kind: 'json' | 'objects'
  readonly execute: Executor<Data>
  toJson(data: Data): string
  fromJson(json: string): Data
}

export interface Result<Data> {
  readonly data?: Data | null | undefined
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  readonly updates?: ExecutionUpdates | undefined
}

export interface SubsequentResult extends ExecutionUpdate {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** The results after the first one. The next is requested when the one before it is sent. `close` ends the requests. */
export interface SubsequentResults {
  readonly pending: ExecutionUpdates['pending']
  next(): Promise<SubsequentResult | undefined>
  close(): void
}

export interface OperationResponse<Data> {
  readonly status: number
  readonly result: Result<Data>
  /** The results after the first one. The operation ends with the last of them. */
  readonly subsequentResults?: SubsequentResults | undefined
  /** With status 401 or 403: the scopes that the caller may request from its authorization server. */
  readonly challenge?: Challenge | undefined
  readonly calls: readonly CallRecord[]
  /** For how long and for whom the response may be kept; undefined if it may not. */
  readonly policy?: CachePolicy | undefined
  /** Headers for the client, names and values in turn: prices, limits, what rules take from subgraphs' responses. */
  readonly head?: readonly string[] | undefined
}

export type Executor<Data> = (
  granted: GrantedOperation,
  variables: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
) => Result<Data> | Promise<Result<Data>>
