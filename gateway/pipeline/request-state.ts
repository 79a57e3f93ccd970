/** What is known of a request while it runs, for those who report it. */

import type { Batch } from '../../engine/executor/incremental/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import type { Identity } from '../../shared/identity.ts'
import type { CallRecord } from '../../shared/request.ts'
import type { GrantedOperation, Operation } from '../auth/operation.ts'
import type { Client } from '../telemetry/clients.ts'

export interface RequestState {
  operation: Operation | undefined
  /** Who asks; undefined until that is known. */
  identity: Identity | undefined
  /** Of the errors in the response. */
  codes: readonly string[]
  /** How many errors the response has. */
  errors: number
  /** Whether the client named the document by its hash alone. */
  isNamed: boolean
  readonly calls: CallRecord[]
  /** Of its trace: our own where traces are kept, else the caller's. */
  readonly traceId: string | undefined
  /** Undefined until it is executed. */
  running: GatewayRequest | undefined
  /** Of a result that comes in pieces. */
  later: LaterPrice | undefined
  /** The operation as the caller may run it; undefined until that is known. */
  granted: GrantedOperation | undefined
  /** The program that asks; undefined if it does not say. */
  readonly client: Client | undefined
  /** Headers of the response, names and values in turn; undefined if there are none. */
  head: string[] | undefined
}

/** `headers`: names and values in turn. */
export function addHead(state: Pick<RequestState, 'head'>, ...headers: readonly string[]): void {
  if (headers.length === 0) return
  state.head ??= []
  state.head.push(...headers)
}

/** What an answer in pieces costs is known with its last piece. */
export interface LaterPrice {
  /** Gets each batch of pieces as it is. */
  took(batch: Batch): void
  /** Settles it; resolves with extensions of the last piece. */
  settle(): Promise<Readonly<Record<string, unknown>> | undefined>
}
