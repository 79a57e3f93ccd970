/**
 * The endpoints of the metrics service, one function each: path, parameters, encoding and result. It knows nothing
 * of GraphQL beyond the errors that it throws.
 *
 * A body whose status is `error` may still contain data. It becomes a response with both.
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
  /** Times among the parameters, by the names of their arguments. Times that are computed here need no check. */
  readonly times?: Readonly<Record<string, Time>> | undefined
  /** The `timeout` among the parameters, if there is one. */
  readonly timeoutSeconds: number | undefined
}

/** Data, and the error that came with them. */
export interface MetricsResponse<Data> {
  readonly envelope: Envelope<Data>
  readonly error: GraphQLError | undefined
}

/**
 * The response to a query, which can be read in two ways. Each throws what the service reported if there are no
 * data.
 */
export interface QueryResponse {
  /** Parses the whole response. */
  parsed(): MetricsResponse<unknown>
  /** Leaves `data` unparsed if possible. Otherwise it does the same as `parsed`. */
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

/** Longer URLs are sent by POST, because proxies may not accept them. */
const longestUrl = 2000

/** How much longer than the service's own timeout we wait, so that the caller sees the service's error. */
const graceMs = 2000
const defaultTimeoutMs = 10_000

/** If POST is refused, a long query goes by GET up to this length. Most servers refuse far shorter URLs. */
const longestGet = 128 * 1024
/** Statuses that may concern the method alone, from proxies that allow only reads. */
const refusesMethod: ReadonlySet<unknown> = new Set([403, 405, 501])
/** How long it is remembered that POST is refused, and for how many credentials. */
const withoutPost = { max: 1000, ttl: 600_000 }

/**
 * How late samples arrive. Scraped ones arrive a little after their time, and VictoriaMetrics hides the last 30
 * seconds.
 */
const delays: Readonly<Record<ServerKind, number>> = { prometheus: 2000, victoriametrics: 32_000 }

const noBytes = Buffer.alloc(0)

/** `partialOf` returns the failed response to a call if it contains data. `timeoutMs` bounds a call. */
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
    /** Replaces the delay of the server's kind. */
    readonly delayMs: number | undefined
  },
): MetricsClient {
  const getOnly = new LRUCache<string, true>(withoutPost)

  /** Sends the call. A failed response that contains data counts as a response. */
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

  /** Sends a long query by POST, or by GET if POST is refused. */
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

/** VictoriaMetrics evaluates times before 1970 as if they were in that year. */
function refuseEarly(name: string, { seconds }: Time): void {
  if (seconds < 0)
    throw badInput(
      `${name}: expected a time not before 1970, because the metrics service supports no earlier one.`,
      {
        service: 'metrics',
      },
    )
}

/** The status of the service's response; undefined if there was none. */
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
