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
import { objectOf } from '../kit/json.ts'
import { callOf } from '../kit/operation.ts'
import type { Upstream } from '../kit/rest-client/index.ts'
import { wordOf } from '../kit/service-message.ts'
import type { Time } from './arguments.ts'
import { badResponse, bodyFrom, type Envelope } from './envelope.ts'
import { failureFrom, type PartialResponse } from './failure.ts'
import { operations } from './operations.ts'
import type { KindFor, ServerKind } from './server-kind.ts'

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
  parsed(): MetricsResponse<unknown>
  /** Leaves `data` unparsed if possible. Otherwise it does the same as `parsed`. */
  unparsed(): MetricsResponse<unknown>
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

/** How late samples arrive. VictoriaMetrics hides the last 30 seconds. */
const delays: Readonly<Record<ServerKind, number>> = { prometheus: 2000, victoriametrics: 32_000 }

const noBytes = Buffer.alloc(0)

interface MetricsClientOptions {
  /** Returns the failed response to a call if it contains data. */
  readonly partialOf: (call: UpstreamCall) => PartialResponse | undefined
  readonly timeoutMs: number | undefined
  readonly kindFor: KindFor
  /** Replaces the delay of the server's kind. */
  readonly delayMs: number | undefined
}

export class MetricsClient {
  readonly #upstream: Upstream
  readonly #options: MetricsClientOptions
  readonly #getOnly = new LRUCache<string, true>(withoutPost)

  constructor(upstream: Upstream, options: MetricsClientOptions) {
    this.#upstream = upstream
    this.#options = options
  }

  async query(
    { operation, parameters, times, timeoutSeconds }: QueryCall,
    request: SubgraphRequest,
  ): Promise<QueryResponse> {
    const kind = this.#options.kindFor(request)
    const server = typeof kind === 'string' ? kind : await kind
    const form = encode(server === 'victoriametrics' ? forVictoria(parameters, times ?? {}) : parameters)
    const timeoutMs =
      timeoutSeconds === undefined
        ? undefined
        : Math.max(this.#options.timeoutMs ?? defaultTimeoutMs, Math.ceil(timeoutSeconds * 1000) + graceMs)
    return this.#sendForm(operation, form, timeoutMs, request)
  }

  /** How long after its time a step can be evaluated, in milliseconds. */
  async delayMs(request: SubgraphRequest): Promise<number> {
    return this.#options.delayMs ?? delays[await this.#options.kindFor(request)]
  }

  rules(parameters: Parameters, request: SubgraphRequest): Promise<MetricsResponse<unknown>> {
    return this.#get(operations.rules, request, encode(parameters))
  }

  alerts(request: SubgraphRequest): Promise<MetricsResponse<unknown>> {
    return this.#get(operations.alerts, request)
  }

  buildInfo(request: SubgraphRequest): Promise<MetricsResponse<unknown>> {
    return this.#get(operations.buildInfo, request)
  }

  /** Sends the call. A failed response that contains data counts as a response. */
  async #send(
    call: UpstreamCall & { readonly as: 'bytes' },
    request: SubgraphRequest,
  ): Promise<QueryResponse> {
    try {
      const { status, body } = await this.#upstream.send<Buffer | undefined>(call, request)
      const read = bodyFrom(body ?? noBytes, this.#upstream.parseBody)
      return {
        parsed: () => responseFrom(status, read.parsed()),
        unparsed: () => responseFrom(status, read.split() ?? read.parsed()),
      }
    } catch (error) {
      const failed = this.#options.partialOf(call)
      if (failed === undefined) throw error
      const whole = () => responseFrom(failed.status, failed.envelope)
      return { parsed: whole, unparsed: whole }
    }
  }

  /** Sends a long query by POST, or by GET if POST is refused. */
  async #sendForm(
    operation: ServiceOperation,
    form: string,
    timeoutMs: number | undefined,
    request: SubgraphRequest,
  ): Promise<QueryResponse> {
    const { path } = operation
    const more = { as: 'bytes', timeoutMs } as const
    const byGet = () => this.#send({ ...callOf(operation, `${path}?${form}`), ...more }, request)
    if (path.length + form.length < longestUrl) return byGet()
    const credential = this.#upstream.credentialKey(request)
    const fits = path.length + form.length < longestGet
    if (fits && this.#getOnly.has(credential)) return byGet()
    const post = { method: 'POST', body: form, contentType: 'application/x-www-form-urlencoded' } as const
    try {
      return await this.#send({ ...callOf(operation, path, post), ...more }, request)
    } catch (error) {
      const upstream = error instanceof GraphQLError ? error.extensions.upstream : undefined
      if (!fits || !refusesMethod.has(objectOf(upstream).status)) throw error
      const response = await byGet()
      this.#getOnly.set(credential, true)
      return response
    }
  }

  async #get(
    operation: ServiceOperation,
    request: SubgraphRequest,
    form = '',
  ): Promise<MetricsResponse<unknown>> {
    const path = form === '' ? operation.path : `${operation.path}?${form}`
    return (await this.#send({ ...callOf(operation, path), as: 'bytes' }, request)).parsed()
  }
}

/**
 * The parameters as VictoriaMetrics reads them. It takes numbers for milliseconds if they are large, or small with a
 * fraction, so times are sent as dates. Times before 1970 would be evaluated as if they were in that year. The look-back
 * has another name.
 */
function forVictoria(parameters: Parameters, times: Readonly<Record<string, Time>>): Parameters {
  const read = parameters.map(([name, value]): [string, string] => {
    const time = times[name]
    if (time === undefined) return [name === 'lookback_delta' ? 'max_lookback' : name, value]
    if (time.seconds < 0)
      throw badInput(
        `${name}: expected a time not before 1970, because the metrics service supports no earlier one.`,
        { service: 'metrics' },
      )
    return [name, new Date(Math.round(time.seconds * 1000)).toISOString()]
  })
  return [...read, ['nocache', '1']]
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
