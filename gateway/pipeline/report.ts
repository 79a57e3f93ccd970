/**
 * Reports each request when it is answered: to metrics, log and trace, with the attributes that the operator adds. No value
 * of a variable is in any of them.
 */
import type { GraphQLError } from 'graphql'
import type { z } from 'zod'
import type { Operation } from '../auth/granted-operation.ts'
import type { Client } from '../telemetry/clients.ts'
import { type Logger, withoutRedaction } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { type AccessLogOptions, createAccessLogLine, isLoggable } from './access-log.ts'
import type { attributes } from './config.ts'
import type { OperationContext } from './operation-context.ts'
import { createSlowOperations, sanitizedDocument } from './slow-operations.ts'

export type Report = (context: OperationContext, milliseconds: number) => void

export interface Observing {
  /** Which fields the line of a request has; the usual ones by default. */
  readonly accessLog?: AccessLogOptions | undefined
  /** From how many milliseconds on an operation is logged with its plan; never by default. */
  readonly slowMs?: number | undefined
  /** Whether spans have the names and attributes of OpenTelemetry's semantic conventions. */
  readonly conventions?: boolean | undefined
  /** What of the caller spans and metrics carry. */
  readonly attributes?: CustomAttributes | undefined
  /** Counts which client asks for which operation; nobody by default. */
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
  const accessLine = createAccessLogLine(accessLog)
  const slow = slowMs === undefined ? undefined : createSlowOperations(slowMs, lines)
  return (context, milliseconds) => {
    const { operation, status, codes, client, span } = context
    if (operation !== undefined) observing.used?.(operation, client)
    const operationName = operation === undefined ? 'invalid' : operation.name
    metrics.request({ operationName, status, milliseconds, codes, client, exemplar: exemplarOf(context) })
    for (const [name, value] of ofMetrics(context)) metrics.attributed(name, value, mostValues)
    if (span !== undefined) {
      describe(span, context, conventions)
      span.set(Object.fromEntries(ofSpans(context)))
    }
    slow?.(context, milliseconds)
    const level = status >= 500 ? 'warn' : 'info'
    if (!lines.isLevelEnabled(level)) return
    lines[level](accessLine({ context, milliseconds }), 'request')
  }
}

export function codesOf(errors: readonly GraphQLError[]): readonly string[] {
  return [...new Set(errors.map(({ extensions }) => String(extensions.code ?? 'INTERNAL_SERVER_ERROR')))]
}

/** An exemplar on the duration leads to the request's trace, if that is kept. */
function exemplarOf(context: OperationContext): Readonly<Record<string, string>> | undefined {
  const { traceId, isSampled, operation } = context
  if (traceId === undefined || !isSampled) return undefined
  return operation === undefined
    ? { trace_id: traceId }
    : { trace_id: traceId, operation_hash: operation.hash }
}

const longestDocument = 4000

/** `conventions`: whether spans follow the semantic conventions. */
function describe(
  span: NonNullable<OperationContext['span']>,
  context: OperationContext,
  conventions: boolean,
): void {
  const { operation, codes, client, errors, status } = context
  if (operation !== undefined) {
    const type = operation.normalised.kind
    // The conventions require names of few values: the operation's own is an attribute there.
    span.rename(operation.name === undefined || conventions ? type : `${type} ${operation.name}`)
    span.set({
      'graphql.operation.type': type,
      'graphql.operation.name': operation.name,
      'tessera.operation.hash': operation.hash,
    })
    if (conventions)
      span.set({
        'graphql.document': sanitizedDocument(operation.text, longestDocument),
        'graphql.document.hash': `sha256:${operation.hash}`,
        'graphql.document.id': context.isNamed ? operation.hash : undefined,
      })
  }
  if (client !== undefined)
    span.set({ 'graphql.client.name': client.name, 'graphql.client.version': client.version })
  if (conventions)
    span.set({
      'http.request.method': context.method,
      'url.path': context.url?.replace(/\?.*$/s, ''),
      'network.protocol.name': 'http',
      'graphql.error.count': errors === 0 ? undefined : errors,
    })
  span.set({ 'http.response.status_code': status })
  if (codes.length > 0) span.failed(codes)
}

type CustomAttributes = NonNullable<z.output<typeof attributes>>
type AttributeNames = NonNullable<CustomAttributes['spans']>

type Attribute = readonly [name: string, value: string]

/** Longer values are cut. */
const longestValue = 200

/** The headers are read as the client sent them, without hooks' changes. */
type Caller = Pick<OperationContext, 'identity'> & {
  readonly sent: Pick<OperationContext['sent'], 'header'>
}

type ReadAttributes = (caller: Caller) => Attribute[]

/**
 * The caller's headers and claims that the operator adds to spans and metrics, never a credential. `prefixes`: what the
 * names of headers and of claims begin with.
 */
export function createAttributes(
  { headers = [], claims = [] }: AttributeNames,
  prefixes: { readonly header: string; readonly claim: string },
): ReadAttributes {
  const readers = [
    ...headers.filter(isLoggable).map((header) => {
      const lower = header.toLowerCase()
      return {
        name: `${prefixes.header}${lower}`,
        read: ({ sent }: Caller): unknown => sent.header(lower),
      }
    }),
    ...claims.filter(isLoggable).map((claim) => ({
      name: `${prefixes.claim}${claim}`,
      read: ({ identity }: Caller): unknown =>
        identity !== undefined && Object.hasOwn(identity.claims, claim) ? identity.claims[claim] : undefined,
    })),
  ]
  return (caller) =>
    readers.flatMap(({ name, read }): Attribute[] => {
      const value = read(caller)
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return isPlain ? [[name, String(value).slice(0, longestValue)]] : []
    })
}
