/**
 * How one fetch of a plan reaches one subgraph: a function made once for each operation, called once a
 * request. Whether the subgraph runs in this process or elsewhere shows nowhere else. It never throws and
 * never rejects: whatever goes wrong is a result with errors.
 */
import type { DocumentNode } from 'graphql'
import type { GatewayRequest } from './request.ts'

export { createHttpTransport, type HttpTransportOptions } from './transport/http.ts'
export { createInProcessTransport, type InProcessTransportOptions } from './transport/in-process.ts'
export { UnreadResult } from './transport/unread.ts'

/** One operation of one plan, for one subgraph. */
export interface SubgraphOperation {
  readonly text: string
  readonly document: DocumentNode
  readonly name: string | undefined
  readonly kind: 'query' | 'mutation'
  readonly variableNames: readonly string[]
}

export interface SubgraphError {
  readonly message: string
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  /** What was really thrown, for the log; never sent to a client. */
  readonly originalError?: Error | null | undefined
}

export interface SubgraphResult {
  /** Belongs to whoever receives it, who may change it. */
  readonly data?: Record<string, unknown> | null | undefined
  readonly errors?: readonly SubgraphError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** A compiled way to send ONE operation to ONE subgraph. May answer synchronously. */
export type SubgraphFetch = (
  variables: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
) => SubgraphResult | Promise<SubgraphResult>

export interface Transport {
  readonly name: string
  prepare(operation: SubgraphOperation): SubgraphFetch
  /** Whether the last fetch reached it; undefined where it was not asked yet, or is here. */
  readonly reachable?: boolean | undefined
  close(): Promise<void>
}
