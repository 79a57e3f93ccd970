/**
 * The endpoints of the metrics service, one function each: path, parameters, encoding, and what comes
 * back. It knows nothing of GraphQL beyond the errors that it throws.
 *
 * A body whose status is `error` and which holds data all the same becomes a response with both.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../contract/errors.ts'
import type { SubgraphRequest } from '../../contract/request.ts'
import type { ServiceOperation } from '../../contract/service-calls.ts'
import type { UpstreamCall } from '../../contract/upstream.ts'
import { callOf } from '../kit/operation.ts'
import type { Upstream } from '../kit/upstream/index.ts'
import { badResponse, bodyFrom, type Envelope, type ResponseBody } from './envelope.ts'
import { failureFrom, type PartialResponse, wordOf } from './failure.ts'
import { operations } from './operations.ts'

export type Parameters = readonly (readonly [name: string, value: string])[]

export interface QueryCall {
  readonly operation: typeof operations.query | typeof operations.queryRange
  readonly parameters: Parameters
  /** The `timeout` among the parameters, if there is one. */
  readonly timeoutSeconds: number | undefined
}

/** Data, and the error that came with it. */
export interface MetricsResponse<Data> {
  readonly envelope: Envelope<Data>
  readonly error: GraphQLError | undefined
}

/** The response to a query, in several ways of reading it; each throws what the service reported in place of data. */
export interface QueryResponse {
  /** Parsed whole. */
  parsed(): MetricsResponse<unknown>
  /** With `data` unparsed where that can be, else as `parsed`. */
  unparsed(): MetricsResponse<unknown>
  /** With the `values` of each series unparsed where that can be, else as `parsed`. */
  sparse(): MetricsResponse<unknown>
}

export interface MetricsClient {
  query(call: QueryCall, request: SubgraphRequest): Promise<QueryResponse>
  rules(parameters: Parameters, request: SubgraphRequest): Promise<MetricsResponse<unknown>>
  alerts(request: SubgraphRequest): Promise<MetricsResponse<unknown>>
  buildInfo(request: SubgraphRequest): Promise<MetricsResponse<unknown>>
}

/** Longer ones go by POST: servers read more, but proxies between may not. */
const longestUrl = 2000

/** How much longer than the service's own timeout we wait, so that its own error is the one that is seen. */
const graceMs = 2000
const defaultTimeoutMs = 10_000

const noBytes = Buffer.alloc(0)

/** `partialOf`: the failed response to a call, where it holds data; `timeoutMs`: how long a call may take. */
export function createMetricsClient(
  upstream: Upstream,
  {
    partialOf,
    timeoutMs: usualTimeoutMs = defaultTimeoutMs,
  }: {
    readonly partialOf: (call: UpstreamCall) => PartialResponse | undefined
    readonly timeoutMs: number | undefined
  },
): MetricsClient {
  /** Sends the call; a failed response that holds data is a response. */
  async function send(
    call: UpstreamCall & { readonly as: 'bytes' },
    request: SubgraphRequest,
  ): Promise<{ readonly status: number; readonly body: ResponseBody }> {
    try {
      const { status, body } = await upstream.send<Buffer | undefined>(call, request)
      return { status, body: bodyFrom(body ?? noBytes, upstream.parseBody) }
    } catch (error) {
      const failed = partialOf(call)
      if (failed === undefined) throw error
      const whole = (): Envelope => failed.envelope
      return { status: failed.status, body: { parsed: whole, split: whole, sparse: whole } }
    }
  }

  async function get(
    operation: ServiceOperation,
    request: SubgraphRequest,
    form = '',
  ): Promise<MetricsResponse<unknown>> {
    const path = form === '' ? operation.path : `${operation.path}?${form}`
    const { status, body } = await send({ ...callOf(operation, path), as: 'bytes' }, request)
    return responseFrom(status, body.parsed())
  }

  return {
    async query({ operation, parameters, timeoutSeconds }, request) {
      const form = encode(parameters)
      const { path } = operation
      const timeoutMs =
        timeoutSeconds === undefined
          ? undefined
          : Math.max(usualTimeoutMs, Math.ceil(timeoutSeconds * 1000) + graceMs)
      const call =
        path.length + form.length < longestUrl
          ? callOf(operation, `${path}?${form}`)
          : callOf(operation, path, {
              method: 'POST',
              body: form,
              contentType: 'application/x-www-form-urlencoded',
            })
      const { status, body } = await send({ ...call, as: 'bytes', timeoutMs }, request)
      return {
        parsed: () => responseFrom(status, body.parsed()),
        unparsed: () => responseFrom(status, body.split() ?? body.parsed()),
        sparse: () => responseFrom(status, body.sparse() ?? body.parsed()),
      }
    },

    rules: (parameters, request) => get(operations.rules, request, encode(parameters)),
    alerts: (request) => get(operations.alerts, request),
    buildInfo: (request) => get(operations.buildInfo, request),
  }
}

function encode(parameters: Parameters): string {
  return new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString()
}

function responseFrom<Data>(status: number, envelope: Envelope<Data>): MetricsResponse<Data> {
  if (envelope.status === 'success') {
    if (envelope.data === undefined) throw badResponse('with data')
    return { envelope, error: undefined }
  }
  const failure = failureFrom(status, { ...envelope, data: null })
  const error = tesseraError(
    failure?.code ?? 'UPSTREAM_UNAVAILABLE',
    failure?.message ?? 'The metrics service failed.',
    { service: 'metrics', upstream: { status, reason: failure?.reason ?? wordOf(envelope.errorType) } },
  )
  if (envelope.data == null) throw error
  return { envelope, error }
}
