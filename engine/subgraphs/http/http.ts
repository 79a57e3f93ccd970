/**
 * A subgraph over HTTP: POST with JSON over persistent connections, within the request's deadline, and aborted when
 * the client goes away. The response is read as GraphQL over HTTP, up to a bounded size. Anything else becomes one
 * error with a code. A query on a connection that was being closed is sent once more; a mutation never is.
 */
import { type ErrorBehavior, onErrorHeader } from '../../../shared/graphql/error-behavior.ts'
import { refusalOfHash } from '../../../shared/graphql/persisted-operation.ts'
import { CancelledError } from '../../../shared/http/cancellation.ts'
import { createHttpClient, type HttpRequest, type HttpResult } from '../../../shared/http/client.ts'
import { acceptedCodings } from '../../../shared/http/codings.ts'
import { repeat } from '../../../shared/runtime/repeat.ts'
import type { UpstreamState } from '../../../shared/upstream.ts'
import { createGatewayRequest, type GatewayRequest } from '../../request.ts'
import { RemoteEvents } from '../events/index.ts'
import {
  type FetchExtras,
  type SubgraphEvents,
  type SubgraphFetch,
  type SubgraphOperation,
  type SubgraphResult,
  type Transport,
  withFetches,
} from '../subgraph-fetch.ts'
import { bodyOf, createPersistedQuery, SentDocument, type SentFetch } from './document.ts'
import type { FramedLink } from './framed.ts'
import { Guard } from './guard.ts'
import { inFrames, type SentHeaders } from './headers.ts'
import { createInFlightFetches, headerPart } from './in-flight.ts'
import { failed, lost, resultOf, unsendableMessage } from './read-response.ts'
import {
  type ErrorReader,
  type ErrorRules,
  maskedErrors,
  readErrorsOf,
  shownErrors,
} from './subgraph-errors.ts'
import type { HttpTransportOptions } from './transport-options.ts'

const noHeaders: SentHeaders = {}
const defaultTimeoutMs = 30_000
const defaultMaxBytes = 64 * 1024 * 1024
const defaultConnections = 64
const defaultConnectionMs = 60_000

/** A request that the gateway makes on its own behalf. */
const gatewayRequest = (id: string, deadline = Number.POSITIVE_INFINITY): GatewayRequest =>
  createGatewayRequest({ id, deadline, header: () => undefined })

/** Makes a transport over HTTP. Throws if the address is not an http or https URL. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const transport = new HttpTransport(options)
  // An object with own properties, because code that wraps a transport spreads it.
  return withFetches(transport, (operation) => transport.prepare(operation))
}

class HttpTransport {
  readonly #options: HttpTransportOptions
  readonly name: string
  readonly #path
  readonly #timeoutMs
  readonly #maxBytes
  readonly #client
  readonly #common = ['accept', 'application/graphql-response+json, application/json']
  readonly #posted
  readonly #frames
  readonly #guard
  readonly callerHeaders: readonly string[] | undefined
  readonly callerPart: HttpTransportOptions['callerPart']
  readonly #inFlight
  readonly #errorReaderFor
  reachable: boolean | undefined
  readonly #events
  readonly #closing = new AbortController()
  readonly subscribe: ((operation: SubgraphOperation) => SubgraphEvents) | undefined

  constructor(options: HttpTransportOptions) {
    this.#options = options
    const { name } = options
    this.name = name
    if (!URL.canParse(options.url)) {
      throw new Error(`The subgraph ${this.name} has no address: expected an http or https URL.`)
    }
    const url = new URL(options.url)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new Error(`The subgraph ${this.name} has an address that is not http or https.`)
    }
    if (url.username !== '' || url.password !== '') {
      throw new Error(
        `The subgraph ${this.name} has an address with a user: send its credential in a header.`,
      )
    }
    this.#path = `${url.pathname}${url.search}`
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    this.#maxBytes = options.maxResponseBytes ?? defaultMaxBytes
    this.#client = createHttpClient(url, {
      connectTimeoutMs: Math.min(5000, this.#timeoutMs),
      connections: options.connections ?? defaultConnections,
      idleMs: options.keepAliveMs,
      lifeMs: options.connectionMs ?? defaultConnectionMs,
      http2: options.http2,
      tls: options.tls,
    })
    if (options.compressed === true) this.#common.push('accept-encoding', acceptedCodings)
    this.#posted = ['content-type', 'application/json', ...this.#common]
    this.#frames =
      options.frames === undefined || options.persisted === true || options.http2 === true
        ? undefined
        : options.frames.open({
            url,
            tls: options.tls,
            timeoutMs: Math.min(5000, this.#timeoutMs),
            headers: () =>
              options.headers?.(gatewayRequest('frames'), '', { method: 'GET', path: this.#path }) ??
              noHeaders,
            secret: options.frames.secret,
            maxBytes: this.#maxBytes,
            connections: options.connections ?? defaultConnections,
            connectionMs: options.connectionMs ?? defaultConnectionMs,
            keepAliveMs: options.keepAliveMs ?? defaultConnectionMs,
            writeTimeoutMs: options.frames.writeTimeoutMs ?? defaultTimeoutMs,
          })
    this.#guard = options.guard === undefined ? undefined : new Guard(this.name, options.guard)
    const { callerHeaders = options.headers === undefined ? [] : undefined } = options
    this.callerHeaders = callerHeaders
    this.callerPart = options.callerPart
    this.#inFlight =
      options.share === undefined || callerHeaders === undefined
        ? undefined
        : createInFlightFetches(options.share.joined)
    this.#errorReaderFor = readErrorsOf(this.name, errorRulesOf(options.passErrors))
    this.#events = new RemoteEvents(options, {
      guard: this.#guard,
      errorFrom: this.#errorReaderFor(),
      onErrorOf: this.#onErrorOf,
      reached: (reached) => {
        this.reachable = reached
      },
    })
    if (options.probeMs !== undefined) void this.#probe(options.probeMs)
    this.subscribe = (operation) => this.#events.subscribe(operation)
  }

  prepare({ text, name, kind }: SubgraphOperation): SubgraphFetch {
    // Frames know the document by its identity.
    const named = { text, name }
    const isQuery = kind === 'query'
    const byGet = this.#options.persisted === true && isQuery
    const document = new SentDocument(named, this.#options.hashes === true && isQuery && !byGet)
    const post = (head: string, fetch: SentFetch): Promise<HttpResult> => this.#post(head, fetch)
    const get = (path: string, fetch: SentFetch): Promise<HttpResult> => this.#get(path, fetch)
    const persisted = byGet ? createPersistedQuery({ ...named, path: this.#path, post, get }) : undefined
    /** Sends the query by its hash if the subgraph has it, otherwise with the document. */
    const sendByHttp = async (fetch: SentFetch): Promise<HttpResult> => {
      const { head, whole } = document
      const once = (from: string) => (): Promise<HttpResult> => persisted?.(fetch) ?? post(from, fetch)
      const exchanged = await this.#withRetry(isQuery, fetch, once(head))
      if (head !== whole && refusalOfHash(exchanged) === 'PERSISTED_QUERY_NOT_FOUND') {
        document.unknown()
        return this.#withRetry(isQuery, fetch, once(whole))
      }
      if (exchanged.status === 200) document.sent()
      return exchanged
    }
    const sendInFrames = (link: FramedLink, fetch: SentFetch): Promise<HttpResult> => {
      const { variables, onError, request, deadline, extra } = fetch
      const sendWith = (made: SentHeaders): Promise<HttpResult> => {
        const withOnError = onError === undefined ? made : { ...made, [onErrorHeader]: onError }
        const headers = extra === undefined ? withOnError : { ...withOnError, ...extra }
        const exchanged = link.exchange(named, variables, headers, request, deadline)
        // The request does not fit, or the connection is closed: it is sent by HTTP.
        if (exchanged === undefined) return post(document.whole, fetch)
        this.#options.sent?.('frames')
        return exchanged
      }
      const once = (): Promise<HttpResult> => {
        const made = this.#options.headers?.(request, text + variables, inFrames) ?? noHeaders
        return made instanceof Promise ? made.then(sendWith) : sendWith(made)
      }
      return this.#withRetry(isQuery, fetch, once, () => post(document.whole, fetch))
    }
    const send = (fetch: SentFetch): Promise<HttpResult> => {
      const sendOn = (link: FramedLink | undefined): Promise<HttpResult> =>
        link === undefined ? sendByHttp(fetch) : sendInFrames(link, fetch)
      const link = this.#frames?.link()
      return link instanceof Promise ? link.then(sendOn) : sendOn(link)
    }
    const prepared = { send, key: document.key, isQuery, byGet, errorFrom: this.#errorReaderFor(text) }
    return (variables, request, extras) => this.#fetch(prepared, variables, request, extras)
  }

  get guarded(): UpstreamState | undefined {
    return this.#guard?.state
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#events.close()
    this.#frames?.close()
    await this.#client.close()
  }

  /** Asks for `{ __typename }` at an interval. Failures are ignored. */
  async #probe(everyMs: number): Promise<void> {
    const ask = async (): Promise<void> => {
      const deadline = performance.now() + this.#timeoutMs
      const request = gatewayRequest('probe', deadline)
      const fetch = { variables: '{}', onError: undefined, request, deadline, extra: undefined }
      const { loss, status } = await this.#post('{"query":"{ __typename }"', fetch)
      this.reachable = loss === undefined && status < 500
    }
    const probe = (): Promise<void> => ask().catch(() => {})
    await probe()
    await repeat(everyMs, this.#closing.signal, probe)
  }

  #post(head: string, fetch: SentFetch): Promise<HttpResult> {
    const body = bodyOf(head, fetch)
    const made = this.#options.headers?.(fetch.request, body) ?? noHeaders
    const post = { method: 'POST', path: this.#path, body } as const
    const send = (own: SentHeaders) => this.#exchange(post, this.#posted, own, fetch)
    // Functions are asynchronous only if necessary: each adds several promises to every fetch.
    return made instanceof Promise ? made.then(send) : send(made)
  }

  async #get(path: string, fetch: SentFetch): Promise<HttpResult> {
    // Servers with CSRF prevention require a header that foreign pages cannot send.
    const common = [...this.#common, 'apollo-require-preflight', 'true']
    const made = (await this.#options.headers?.(fetch.request, '', { method: 'GET', path })) ?? noHeaders
    return this.#exchange({ method: 'GET', path, body: undefined }, common, made, fetch)
  }

  #exchange(
    { method, path, body }: Pick<HttpRequest, 'method' | 'path' | 'body'>,
    common: readonly string[],
    made: SentHeaders,
    { request, deadline, extra }: SentFetch,
  ): Promise<HttpResult> {
    const more = extra === undefined ? made : { ...made, ...extra }
    const headers = [...common]
    for (const key of Object.keys(more)) headers.push(key, more[key] ?? '')
    this.#options.sent?.('http')
    return this.#client.send({ method, path, headers, body, maxBytes: this.#maxBytes }, deadline, request)
  }

  /** Sends it, and once more (`again`) if a connection was being closed, or as often as the guard allows. */
  #withRetry(
    isQuery: boolean,
    fetch: SentFetch,
    once: () => Promise<HttpResult>,
    again = once,
  ): Promise<HttpResult> {
    if (this.#guard !== undefined)
      return this.#guard.run(isQuery, fetch.request, fetch.deadline, once).then(this.#noteReachable)
    return once().then((exchanged) =>
      exchanged.loss === 'connection' && isQuery && exchanged.wasSent
        ? again().then(this.#noteReachable)
        : this.#noteReachable(exchanged),
    )
  }

  readonly #noteReachable = (exchanged: HttpResult): HttpResult => {
    // A cancellation or timeout of the caller says nothing about the subgraph.
    if (exchanged.loss !== 'cancelled' && exchanged.loss !== 'timeout')
      this.reachable = exchanged.loss !== 'connection'
    return exchanged
  }

  /** Fetches once, or joins an equal fetch that is under way. Never rejects. */
  async #fetch(
    { send, key, isQuery, byGet, errorFrom }: PreparedRequest,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
    extras: FetchExtras | undefined,
  ): Promise<SubgraphResult> {
    try {
      const fetch: SentFetch = {
        variables: JSON.stringify(variables),
        onError: this.#onErrorOf(request),
        request,
        deadline: Math.min(request.deadline, performance.now() + this.#timeoutMs),
        extra: headersOf(extras, byGet),
      }
      const isShared = isQuery && fetch.extra === undefined
      const end = await (this.#inFlight === undefined || !isShared
        ? send(fetch)
        : this.#inFlight(this.#keyOf(bodyOf(key, fetch), request), request, fetch.deadline, () =>
            send(fetch),
          ))
      if (end.loss === undefined) {
        this.#options.answered?.(request, end.headers)
        if (end.status === 304 && byGet && extras?.validators !== undefined)
          return { answered: { status: 304, headers: end.headers } }
      }
      return resultOf(this.name, end, errorFrom)
    } catch (cause) {
      if (cause instanceof CancelledError) return lost(this.name, cause.why)
      return failed(this.name, 'INTERNAL_SERVER_ERROR', unsendableMessage, { cause })
    }
  }

  #keyOf(body: string, request: GatewayRequest): string {
    let key = body
    for (const header of this.callerHeaders ?? []) key += headerPart(request.header(header))
    return key
  }

  /** Undefined if the subgraph does not get it. */
  readonly #onErrorOf = ({ onError }: GatewayRequest): ErrorBehavior | undefined =>
    this.#options.takesOnError === true && onError !== 'PROPAGATE' ? onError : undefined
}

interface PreparedRequest {
  readonly send: (fetch: SentFetch) => Promise<HttpResult>
  /** Equal for equal documents. */
  readonly key: string
  readonly isQuery: boolean
  readonly byGet: boolean
  readonly errorFrom: ErrorReader
}

/** Conditional headers are only for requests by GET. */
function headersOf(extras: FetchExtras | undefined, byGet: boolean): SentHeaders | undefined {
  const { etag, lastModified } = extras?.validators ?? {}
  if (!byGet || (etag === undefined && lastModified === undefined)) return extras?.headers
  return {
    ...extras?.headers,
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  }
}

const errorRulesOf = (pass: boolean | ErrorRules | undefined): ErrorRules =>
  typeof pass === 'object' ? pass : pass === true ? shownErrors : maskedErrors
