/** Reports each request when it is answered: to metrics, log and trace. No value of a variable is in any of them. */
import type { GraphQLError } from 'graphql'
import type { Operation } from '../auth/operation.ts'
import type { Client } from '../telemetry/clients.ts'
import { type Logger, traceField, withoutRedaction } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { RequestSpan } from '../telemetry/traces/index.ts'
import { type AccessLog, createAccessLine } from './access-line.ts'
import type { OperationRequest } from './operation-request.ts'
import { createAttributes, type OwnAttributes } from './own-attributes.ts'
import type { RequestState } from './request-state.ts'
import { createSlowOperations, sanitizedDocument } from './slow-operations.ts'

export type Report = (
  request: OperationRequest,
  state: RequestState,
  status: number,
  milliseconds: number,
  span: RequestSpan | undefined,
) => void

export interface Observing {
  /** Which fields the line of a request has; the usual ones unless given. */
  readonly accessLog?: AccessLog | undefined
  /** From how many milliseconds on an operation is logged with its plan; never unless given. */
  readonly slowMs?: number | undefined
  /** Whether spans have the names and attributes of OpenTelemetry's semantic conventions. */
  readonly conventions?: boolean | undefined
  /** What of the caller spans and metrics carry. */
  readonly attributes?: OwnAttributes | undefined
  /** Counts which client asks for which operation; nobody unless given. */
  readonly used?: ((operation: Operation, client: Client | undefined) => void) | undefined
}

export function createReport(metrics: Metrics, log: Logger, observing: Observing = {}): Report {
  const lines = withoutRedaction(log)
  const { accessLog, slowMs, conventions = false, attributes = {} } = observing
  const ofSpans = createAttributes(attributes.spans ?? {}, {
    header: 'http.request.header.',
    claim: 'tessera.claim.',
  })
  const { mostValues = 0, ...counted } = attributes.metrics ?? {}
  const ofMetrics = createAttributes(counted, { header: 'header_', claim: 'claim_' })
  const accessLine = accessLog === undefined ? undefined : createAccessLine(accessLog)
  const slow = slowMs === undefined ? undefined : createSlowOperations(slowMs, lines)
  return (request, state, status, milliseconds, span) => {
    const { id } = request
    const { operation, codes, calls, traceId, client } = state
    if (operation !== undefined) observing.used?.(operation, client)
    const operationName = operation === undefined ? 'invalid' : operation.name
    metrics.request({ operationName, status, milliseconds, codes, client, exemplar: exemplarOf(state) })
    for (const [name, value] of ofMetrics(request, state)) metrics.attributed(name, value, mostValues)
    if (span !== undefined) {
      describe(span, state, status, conventions ? request : undefined)
      span.set(Object.fromEntries(ofSpans(request, state)))
    }
    slow?.report(id, state, status, milliseconds)
    const level = status >= 500 ? 'warn' : 'info'
    if (!lines.isLevelEnabled(level)) return
    if (accessLine !== undefined) {
      const { header, method, peer } = request
      lines[level](accessLine({ id, state, status, milliseconds, header, method, peer }), 'request')
      return
    }
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
        ...(client === undefined
          ? {}
          : {
              client: client.name,
              ...(client.version === undefined ? {} : { client_version: client.version }),
            }),
      },
      'request',
    )
  }
}

export function codesOf(errors: readonly GraphQLError[]): readonly string[] {
  return [...new Set(errors.map(({ extensions }) => String(extensions.code ?? 'INTERNAL_SERVER_ERROR')))]
}

/** If a request is part of a trace, its duration leads there. */
function exemplarOf({ traceId, operation }: RequestState): Readonly<Record<string, string>> | undefined {
  if (traceId === undefined) return undefined
  return operation === undefined
    ? { trace_id: traceId }
    : { trace_id: traceId, operation_hash: operation.hash }
}

/** A document of more characters is cut. */
const longestDocument = 4000

/** `request`: given where spans follow the semantic conventions. */
function describe(
  span: RequestSpan,
  { operation, codes, client, errors, isNamed }: RequestState,
  status: number,
  request: OperationRequest | undefined,
): void {
  if (operation !== undefined) {
    const type = operation.definition.operation
    // The conventions require names of few values: the operation's own is an attribute there.
    span.rename(operation.name === undefined || request !== undefined ? type : `${type} ${operation.name}`)
    span.set({
      'graphql.operation.type': type,
      'graphql.operation.name': operation.name,
      'tessera.operation.hash': operation.hash,
    })
    if (request !== undefined)
      span.set({
        'graphql.document': sanitizedDocument(operation.text, longestDocument),
        'graphql.document.hash': `sha256:${operation.hash}`,
        'graphql.document.id': isNamed ? operation.hash : undefined,
      })
  }
  if (client !== undefined)
    span.set({ 'graphql.client.name': client.name, 'graphql.client.version': client.version })
  if (request !== undefined)
    span.set({
      'http.request.method': request.method,
      'url.path': request.url?.replace(/\?.*$/s, ''),
      'network.protocol.name': 'http',
      'graphql.error.count': errors === 0 ? undefined : errors,
    })
  span.set({ 'http.response.status_code': status })
  if (codes.length > 0) span.failed(codes)
}
