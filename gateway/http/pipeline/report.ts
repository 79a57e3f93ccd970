/** Reports each request when it is answered: to metrics, log and trace. No value of a variable is in any of them. */
import type { GraphQLError } from 'graphql'
import type { Identity } from '../../../contract/identity.ts'
import type { CallRecord } from '../../../contract/request.ts'
import type { Operation } from '../../access/operation.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { type Logger, traceField, withoutRedaction } from '../../observe/log.ts'
import type { Metrics } from '../../observe/metrics/index.ts'
import type { RequestSpan } from '../../observe/traces/index.ts'

/** What is known of a request while it runs. */
export interface RequestState {
  operation: Operation | undefined
  /** Who asks; undefined until that is known. */
  identity: Identity | undefined
  /** Of the errors in the response. */
  codes: readonly string[]
  readonly calls: CallRecord[]
  /** Of its trace: our own where traces are kept, else the caller's. */
  readonly traceId: string | undefined
  /** Undefined until it is executed. */
  running: GatewayRequest | undefined
  /** Settles what pieces cost that come after the result; resolves with extensions of the last one. */
  later: (() => Promise<Readonly<Record<string, unknown>> | undefined>) | undefined
  /** Headers of the response, names and values in turn; undefined where there are none. */
  head: string[] | undefined
}

/** `headers`: names and values in turn. */
export function addHead(state: RequestState, ...headers: readonly string[]): void {
  if (headers.length === 0) return
  state.head ??= []
  state.head.push(...headers)
}

export type Report = (
  id: string,
  state: RequestState,
  status: number,
  milliseconds: number,
  span: RequestSpan | undefined,
) => void

export function createReport(metrics: Metrics, log: Logger): Report {
  const lines = withoutRedaction(log)
  return (id, state, status, milliseconds, span) => {
    const { operation, codes, calls, traceId } = state
    const operationName = operation === undefined ? 'invalid' : operation.name
    metrics.request({ operationName, status, milliseconds, codes })
    if (span !== undefined) describe(span, state, status)
    const level = status >= 500 ? 'warn' : 'info'
    if (!lines.isLevelEnabled(level)) return
    lines[level](
      {
        request: id,
        ...traceField(traceId),
        operation: operation?.name,
        type: operation?.definition.operation,
        hash: operation?.hash,
        status,
        ms: Math.round(milliseconds * 10) / 10,
        ...(codes.length === 0 ? {} : { codes }),
        ...(calls.length === 0
          ? {}
          : { calls: calls.length, units: calls.reduce((sum, { units }) => sum + units, 0) }),
      },
      'request',
    )
  }
}

export function codesOf(errors: readonly GraphQLError[]): readonly string[] {
  return [...new Set(errors.map(({ extensions }) => String(extensions.code ?? 'INTERNAL_SERVER_ERROR')))]
}

function describe(span: RequestSpan, { operation, codes }: RequestState, status: number): void {
  if (operation !== undefined) {
    const type = operation.definition.operation
    span.rename(operation.name === undefined ? type : `${type} ${operation.name}`)
    span.set({
      'graphql.operation.type': type,
      'graphql.operation.name': operation.name,
      'tessera.operation.hash': operation.hash,
    })
  }
  span.set({ 'http.response.status_code': status })
  if (codes.length > 0) span.failed(codes)
}
