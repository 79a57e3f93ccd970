/**
 * The endpoints of the metrics service, one function each: path, parameters, encoding, and what comes
 * back. It knows nothing of GraphQL beyond the errors that it throws.
 *
 * An answer whose status is `error` and which holds data all the same is a reply with both.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../lib/errors.ts'
import type { SubgraphRequest } from '../lib/request.ts'
import type { ServiceOptions } from '../lib/subgraph.ts'
import { createUpstream, type Failure, type UpstreamCall, type UpstreamState } from '../lib/upstream.ts'
import { type Answer, answerFrom, badResponse, type Envelope, envelopeFrom } from './envelope.ts'
import { failureFrom } from './failure.ts'

export type Parameters = readonly [name: string, value: string][]

export interface QueryCall {
  readonly endpoint: 'query' | 'query_range'
  readonly parameters: Parameters
  /** The `timeout` among the parameters, if there is one. */
  readonly timeoutSeconds: number | undefined
}

/** Data, and the error that came with it. */
export interface Reply<Data> {
  readonly envelope: Envelope<Data>
  readonly error: GraphQLError | undefined
}

/** An answer to a query, read as whoever asks needs it; throws what the service reported in place of data. */
export interface QueryReply {
  /** Parsed whole. */
  parsed(): Reply<unknown>
  /** With `data` unparsed where that can be, else as `parsed`. */
  unparsed(): Reply<unknown>
  /** With the `values` of each series unparsed where that can be, else as `parsed`. */
  sparse(): Reply<unknown>
}

export interface MetricsClient {
  query(call: QueryCall, request: SubgraphRequest): Promise<QueryReply>
  rules(parameters: Parameters, request: SubgraphRequest): Promise<Reply<unknown>>
  alerts(request: SubgraphRequest): Promise<Reply<unknown>>
  buildInfo(request: SubgraphRequest): Promise<Reply<unknown>>
  state(): UpstreamState
  close(): Promise<void>
}

/** Longer ones go by POST: servers read more, but proxies between may not. */
const longestUrl = 2000

/** How much longer than the service's own timeout we wait, so that its answer is the one that is seen. */
const graceMs = 2000
const defaultTimeoutMs = 10_000

const noBytes = Buffer.alloc(0)

/** Results are large: a thousand series over a day of minutes are 40 MB. */
const maxResponseBytes = 128 * 1024 * 1024

export function createMetricsClient(options: ServiceOptions): MetricsClient {
  /** Failed answers that hold data, for the call that they answer. */
  const withData = new WeakMap<UpstreamCall, { readonly status: number; readonly envelope: Envelope }>()
  const usualTimeoutMs = options.tuning?.timeoutMs ?? defaultTimeoutMs

  const upstream = createUpstream({
    service: 'metrics',
    baseUrl: options.baseUrl,
    credential: options.credential,
    tuning: { ...options.tuning, maxResponseBytes: options.tuning?.maxResponseBytes ?? maxResponseBytes },
    observe: options.observe,
    traceHeaders: options.traceHeaders,
    failure({ status, body, call }): Failure | undefined {
      const failure = failureFrom(status, body)
      const envelope = envelopeFrom(body)
      if (failure === undefined || envelope?.data == null) return failure
      withData.set(call, { status, envelope })
      return { ...failure, retry: false }
    },
  })

  /** Sends the call; a failed answer that holds data is an answer. */
  async function send(
    call: UpstreamCall & { readonly as: 'bytes' },
    request: SubgraphRequest,
  ): Promise<{ readonly status: number; readonly answer: Answer }> {
    try {
      const { status, body } = await upstream.send<Buffer | undefined>(call, request)
      return { status, answer: answerFrom(body ?? noBytes) }
    } catch (error) {
      const failed = withData.get(call)
      if (failed === undefined) throw error
      const whole = (): Envelope => failed.envelope
      return { status: failed.status, answer: { parsed: whole, split: whole, sparse: whole } }
    }
  }

  async function get(operation: string, path: string, request: SubgraphRequest): Promise<Reply<unknown>> {
    const { status, answer } = await send(
      { operation, method: 'GET', path, safe: true, as: 'bytes' },
      request,
    )
    return replyFrom(status, answer.parsed())
  }

  return {
    async query({ endpoint, parameters, timeoutSeconds }, request) {
      const operation = endpoint === 'query' ? 'metrics.query' : 'metrics.queryRange'
      const form = encode(parameters)
      const path = `/api/v1/${endpoint}`
      const timeoutMs =
        timeoutSeconds === undefined
          ? undefined
          : Math.max(usualTimeoutMs, Math.ceil(timeoutSeconds * 1000) + graceMs)
      const how = { operation, safe: true, as: 'bytes', timeoutMs } as const
      const { status, answer } = await send(
        path.length + form.length < longestUrl
          ? { ...how, method: 'GET', path: `${path}?${form}` }
          : { ...how, method: 'POST', path, body: form, contentType: 'application/x-www-form-urlencoded' },
        request,
      )
      return {
        parsed: () => replyFrom(status, answer.parsed()),
        unparsed: () => replyFrom(status, answer.split() ?? answer.parsed()),
        sparse: () => replyFrom(status, answer.sparse() ?? answer.parsed()),
      }
    },

    rules(parameters, request) {
      const form = encode(parameters)
      return get('metrics.rules', form === '' ? '/api/v1/rules' : `/api/v1/rules?${form}`, request)
    },

    alerts: (request) => get('metrics.alerts', '/api/v1/alerts', request),

    buildInfo: (request) => get('metrics.buildInfo', '/api/v1/status/buildinfo', request),

    state: upstream.state,
    close: () => upstream.close(),
  }
}

function encode(parameters: Parameters): string {
  return new URLSearchParams(parameters as [string, string][]).toString()
}

function replyFrom<Data>(status: number, envelope: Envelope<Data>): Reply<Data> {
  if (envelope.status === 'success') {
    if (envelope.data === undefined) throw badResponse('with data')
    return { envelope, error: undefined }
  }
  const failure = failureFrom(status, { ...envelope, data: null })
  const error = tesseraError(
    failure?.code ?? 'UPSTREAM_UNAVAILABLE',
    failure?.message ?? 'The metrics service failed.',
    { service: 'metrics', upstream: { status, reason: failure?.reason ?? envelope.errorType } },
  )
  if (envelope.data == null) throw error
  return { envelope, error }
}
