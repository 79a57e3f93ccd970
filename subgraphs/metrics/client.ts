/**
 * The endpoints of the metrics service, one function each: path, parameters, encoding, and what comes
 * back. It knows nothing of GraphQL beyond the errors that it throws.
 *
 * An answer whose status is `error` and which holds data all the same is a reply with both.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../contract/errors.ts'
import type { SubgraphRequest } from '../../contract/request.ts'
import type { ServiceOperation } from '../../contract/service-calls.ts'
import type { UpstreamCall, UpstreamState } from '../../contract/upstream.ts'
import { callOf } from '../kit/operation.ts'
import { createServiceUpstream, type ServiceOptions } from '../kit/subgraph.ts'
import type { FailedAnswer, Failure } from '../kit/upstream/index.ts'
import { type Answer, answerFrom, badResponse, type Envelope, envelopeFrom } from './envelope.ts'
import { failureFrom } from './failure.ts'
import { operations } from './operations.ts'

export type Parameters = readonly [name: string, value: string][]

export interface QueryCall {
  readonly operation: typeof operations.query | typeof operations.queryRange
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

  const tuning = {
    ...options.tuning,
    maxResponseBytes: options.tuning?.maxResponseBytes ?? maxResponseBytes,
  }
  const readFailure = ({ status, body, call }: FailedAnswer): Failure | undefined => {
    const failure = failureFrom(status, body)
    const envelope = envelopeFrom(body)
    if (failure === undefined || envelope?.data == null) return failure
    withData.set(call, { status, envelope })
    return { ...failure, retry: false }
  }
  const upstream = createServiceUpstream('metrics', { ...options, tuning }, readFailure)

  /** Sends the call; a failed answer that holds data is an answer. */
  async function send(
    call: UpstreamCall & { readonly as: 'bytes' },
    request: SubgraphRequest,
  ): Promise<{ readonly status: number; readonly answer: Answer }> {
    try {
      const { status, body } = await upstream.send<Buffer | undefined>(call, request)
      return { status, answer: answerFrom(body ?? noBytes, upstream.parseBody) }
    } catch (error) {
      const failed = withData.get(call)
      if (failed === undefined) throw error
      const whole = (): Envelope => failed.envelope
      return { status: failed.status, answer: { parsed: whole, split: whole, sparse: whole } }
    }
  }

  async function get(
    operation: ServiceOperation,
    request: SubgraphRequest,
    form = '',
  ): Promise<Reply<unknown>> {
    const path = form === '' ? operation.path : `${operation.path}?${form}`
    const { status, answer } = await send({ ...callOf(operation, path), as: 'bytes' }, request)
    return replyFrom(status, answer.parsed())
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
      const { status, answer } = await send({ ...call, as: 'bytes', timeoutMs }, request)
      return {
        parsed: () => replyFrom(status, answer.parsed()),
        unparsed: () => replyFrom(status, answer.split() ?? answer.parsed()),
        sparse: () => replyFrom(status, answer.sparse() ?? answer.parsed()),
      }
    },

    rules: (parameters, request) => get(operations.rules, request, encode(parameters)),
    alerts: (request) => get(operations.alerts, request),
    buildInfo: (request) => get(operations.buildInfo, request),

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
