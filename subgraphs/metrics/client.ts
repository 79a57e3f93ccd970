/**
 * The endpoints of the metrics service, one function each: path, parameters, encoding, and what comes
 * back. It knows nothing of GraphQL beyond the errors that it throws.
 *
 * A body whose status is `error` and which holds data all the same becomes a response with both.
 */
import { GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { badInput, tesseraError } from '../../shared/errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { ServiceOperation } from '../../shared/service-calls.ts'
import type { UpstreamCall } from '../../shared/upstream.ts'
import { isObject } from '../kit/json.ts'
import { callOf } from '../kit/operation.ts'
import type { Upstream } from '../kit/rest-client/index.ts'
import type { Time } from './arguments.ts'
import { badResponse, bodyFrom, type Envelope, type ResponseBody } from './envelope.ts'
import { failureFrom, type PartialResponse, wordOf } from './failure.ts'
import { operations } from './operations.ts'
import type { ServerKind, Servers } from './server.ts'

export type Parameters = readonly (readonly [name: string, value: string])[]

export interface QueryCall {
  readonly operation: typeof operations.query | typeof operations.queryRange
  readonly parameters: Parameters
  /** The times among the parameters, by the names of their arguments; those that are made here need no check. */
  readonly times?: Readonly<Record<string, Time>> | undefined
  /** The `timeout` among the parameters, if there is one. */
  readonly timeoutSeconds: number | undefined
}

/** Data, and the error that came with it. */
export interface MetricsResponse<Data> {
  readonly envelope: Envelope<Data>
  readonly error: GraphQLError | undefined
}

/** The response to a query, in several ways of reading it; each throws what the service reported instead of data. */
export interface QueryResponse {
  /** Parsed whole. */
  parsed(): MetricsResponse<unknown>
  /** With `data` unparsed if that can be, else as `parsed`. */
  unparsed(): MetricsResponse<unknown>
}

export interface MetricsClient {
  query(call: QueryCall, request: SubgraphRequest): Promise<QueryResponse>
  /** How long after its time a step can be evaluated, in milliseconds. */
  delayMs(request: SubgraphRequest): Promise<number>
  rules(parameters: Parameters, request: SubgraphRequest): Promise<MetricsResponse<unknown>>
  alerts(request: SubgraphRequest): Promise<MetricsResponse<unknown>>
  buildInfo(request: SubgraphRequest): Promise<MetricsResponse<unknown>>
}

/** Longer ones go by POST: servers read more, but proxies between may not. */
const longestUrl = 2000

/** How much longer than the service's own timeout we wait, so that its own error is the one that is seen. */
const graceMs = 2000
const defaultTimeoutMs = 10_000

/** A long query that may not go by POST goes by GET up to this length: most servers refuse far shorter addresses. */
const longestGet = 128 * 1024
/** Statuses that may be about the method alone, as proxies answer that let nothing but reads through. */
const refusesMethod: ReadonlySet<unknown> = new Set([403, 405, 501])
/** How long and for how many credentials it is known that POST is refused. */
const withoutPost = { max: 1000, ttl: 600_000 }

/** How late samples arrive: those of scrapes a little after their time; VictoriaMetrics hides the last 30 seconds. */
const delays: Readonly<Record<ServerKind, number>> = { prometheus: 2000, victoriametrics: 32_000 }

const noBytes = Buffer.alloc(0)

/** `partialOf`: the failed response to a call, if it holds data; `timeoutMs`: how long a call may take. */
export function createMetricsClient(
  upstream: Upstream,
  {
    partialOf,
    timeoutMs: usualTimeoutMs = defaultTimeoutMs,
    servers,
    delayMs,
  }: {
    readonly partialOf: (call: UpstreamCall) => PartialResponse | undefined
    readonly timeoutMs: number | undefined
    readonly servers: Servers
    /** Instead of what follows from the kind of server. */
    readonly delayMs: number | undefined
  },
): MetricsClient {
  const getOnly = new LRUCache<string, true>(withoutPost)

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
      return { status: failed.status, body: { parsed: whole, split: whole } }
    }
  }

  /** A long query by POST, and by GET where POST is refused. */
  async function sendForm(
    operation: ServiceOperation,
    form: string,
    timeoutMs: number | undefined,
    request: SubgraphRequest,
  ): Promise<{ readonly status: number; readonly body: ResponseBody }> {
    const { path } = operation
    const more = { as: 'bytes', timeoutMs } as const
    const byGet = () => send({ ...callOf(operation, `${path}?${form}`), ...more }, request)
    if (path.length + form.length < longestUrl) return byGet()
    const credential = upstream.credentialKey(request)
    const fits = path.length + form.length < longestGet
    if (fits && getOnly.has(credential)) return byGet()
    const post = { method: 'POST', body: form, contentType: 'application/x-www-form-urlencoded' } as const
    try {
      return await send({ ...callOf(operation, path, post), ...more }, request)
    } catch (error) {
      if (!fits || !refusesMethod.has(statusOf(error))) throw error
      const answer = await byGet()
      getOnly.set(credential, true)
      return answer
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
    async query({ operation, parameters, times, timeoutSeconds }, request) {
      const kind = servers.kindFor(request)
      const server = typeof kind === 'string' ? kind : await kind
      if (server === 'victoriametrics')
        for (const [name, time] of Object.entries(times ?? {})) refuseEarly(name, time)
      const form = encode(server === 'victoriametrics' ? [...parameters, ['nocache', '1']] : parameters)
      const timeoutMs =
        timeoutSeconds === undefined
          ? undefined
          : Math.max(usualTimeoutMs, Math.ceil(timeoutSeconds * 1000) + graceMs)
      const { status, body } = await sendForm(operation, form, timeoutMs, request)
      return {
        parsed: () => responseFrom(status, body.parsed()),
        unparsed: () => responseFrom(status, body.split() ?? body.parsed()),
      }
    },

    delayMs: async (request) => delayMs ?? delays[await servers.kindFor(request)],

    rules: (parameters, request) => get(operations.rules, request, encode(parameters)),
    alerts: (request) => get(operations.alerts, request),
    buildInfo: (request) => get(operations.buildInfo, request),
  }
}

/** VictoriaMetrics takes the year 1970 for all that lies before. */
function refuseEarly(name: string, { seconds }: Time): void {
  if (seconds < 0)
    throw badInput(`${name}: expected a time that is not before 1970, as the metrics service knows none.`, {
      service: 'metrics',
    })
}

/** The status that the service answered with; undefined if it did not. */
function statusOf(error: unknown): unknown {
  const upstream = error instanceof GraphQLError ? error.extensions.upstream : undefined
  return isObject(upstream) ? upstream.status : undefined
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
