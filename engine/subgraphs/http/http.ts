/**
 * A subgraph over HTTP: POST with JSON over persistent connections, within the request's deadline, and aborted when
 * the client goes away. The response is read as GraphQL over HTTP, up to a bounded size. Anything else becomes one
 * error with a code. A query on a connection that was being closed is sent once more; a mutation never is.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type ErrorBehavior, onErrorHeader } from '../../../shared/graphql/error-behavior.ts'
import { refusalOfHash } from '../../../shared/graphql/persisted-operation.ts'
import { CancelledError } from '../../../shared/http/cancellation.ts'
import { createHttpClient, type Exchanged, type TlsOptions } from '../../../shared/http/client.ts'
import { acceptedCodings } from '../../../shared/http/codings.ts'
import type { UpstreamState } from '../../../shared/upstream.ts'
import { createGatewayRequest, type GatewayRequest } from '../../request.ts'
import { RemoteEvents, type RemoteEventsNote, type RemoteEventsSettings } from '../events/index.ts'
import {
  type FetchExtras,
  type SubgraphEvents,
  type SubgraphFetch,
  type SubgraphOperation,
  type SubgraphResult,
  type Transport,
  withFetches,
} from '../subgraph-fetch.ts'
import { failed, lost, resultOf, unsendableMessage } from './answer.ts'
import { bodyOf, SentDocument, type SentFetch } from './document.ts'
import type { FramedLink, OpenFramedConnections } from './framed.ts'
import { Guard, type GuardOptions } from './guard.ts'
import { inFrames, type MakeHeaders, type SentHeaders } from './headers.ts'
import { createInFlightFetches, headerPart } from './in-flight.ts'
import { createPersistedQuery } from './persisted-query.ts'
import { startProbes } from './probes.ts'
import { type ErrorRules, maskedErrors, readErrorsOf, shownErrors } from './subgraph-errors.ts'

/** How a subgraph is called over HTTP. Times are in milliseconds. */
export interface HttpTransportOptions {
  /** The subgraph's name, for errors. */
  readonly name: string
  /** An http or https address, with its path. */
  readonly url: string
  /** Makes the headers of each request. By default only those of the protocol are sent. */
  readonly headers?: MakeHeaders | undefined
  /**
   * The caller's headers that `headers` reads and on which responses can depend, in lower case. If it is absent and
   * `headers` is given, they are unknown, and requests share nothing.
   */
  readonly callerHeaders?: readonly string[] | undefined
  /** The caller's headers as they are sent to the subgraph, for caches. By default as `callerHeaders`. */
  readonly callerPart?: Transport['callerPart']
  /** Whether equal concurrent queries with equal `callerHeaders` are sent once. Off by default. */
  readonly share?: { readonly joined?: (() => void) | undefined } | undefined
  /** Receives the headers of each response, for each request that it answers. */
  readonly answered?: ((request: GatewayRequest, headers: IncomingHttpHeaders) => void) | undefined
  /** The timeout of one fetch, in addition to the request's deadline. 30,000 by default. */
  readonly timeoutMs?: number | undefined
  /** Whether clients see the messages and extensions of its errors. Otherwise they see only codes. */
  readonly passErrors?: boolean | ErrorRules | undefined
  /**
   * Whether it accepts the SHA-256 of a document instead of the document (`extensions.persistedQuery`), as our
   * services do. Then a query is sent with its document once, and again if its hash is unknown. Off by default.
   */
  readonly hashes?: boolean | undefined
  /** Whether it accepts the request parameter `onError`. Without it each subgraph uses its own default. */
  readonly takesOnError?: boolean | undefined
  /**
   * Opens connections for frames to one of our services, which may use them instead of HTTP. Without it everything is
   * sent by HTTP.
   */
  readonly frames?:
    | {
        readonly open: OpenFramedConnections
        readonly secret: string | undefined
        readonly writeTimeoutMs?: number | undefined
      }
    | undefined
  /** Called for each request with its protocol. */
  readonly sent?: ((protocol: SubgraphProtocol) => void) | undefined
  /** The most bytes of a response, decompressed. 64 MiB by default. */
  readonly maxResponseBytes?: number | undefined
  /** The most connections. 64 by default. */
  readonly connections?: number | undefined
  /** How long a connection is used. A new one may lead to a new replica. */
  readonly connectionMs?: number | undefined
  /** How long an idle connection is kept. */
  readonly keepAliveMs?: number | undefined
  /** Whether to use HTTP/2, with many requests on one connection. TLS negotiates it; without TLS it is assumed. */
  readonly http2?: boolean | undefined
  /** The authorities for the server's certificate, and our own certificate. PEM. */
  readonly tls?: TlsOptions | undefined
  /** Whether to request compressed responses. */
  readonly compressed?: boolean | undefined
  /** Retries, circuit breaker and concurrency limit. None by default. */
  readonly guard?: GuardOptions | undefined
  /** Whether to send queries by GET with the hash of their document, and the document only on request. */
  readonly persisted?: boolean | undefined
  /** Settings for subscriptions. */
  readonly events?: RemoteEventsSettings | undefined
  /** Whether extensions of its events are passed to clients, as those of our own services are. Off by default. */
  readonly passExtensions?: boolean | undefined
  /** Receives the events of subscriptions, for metrics. */
  readonly noted?: ((what: RemoteEventsNote) => void) | undefined
  /** The interval at which `{ __typename }` is queried, so that health knows a subgraph without requests. */
  readonly probeMs?: number | undefined
}

export type SubgraphProtocol = 'http' | 'frames'

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
  readonly #errorReader
  reachable: boolean | undefined
  readonly #events
  readonly #stopProbes
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
    this.#errorReader = readErrorsOf(this.name, errorRulesOf(options.passErrors))
    this.#events = new RemoteEvents({
      name: this.name,
      url: options.url,
      settings: options.events ?? {},
      headers: options.headers,
      tls: options.tls,
      guard: this.#guard,
      errorFrom: this.#errorReader,
      passExtensions: options.passExtensions === true,
      onErrorOf: this.#onErrorOf,
      takesOnError: options.takesOnError === true,
      reached: (reached) => {
        this.reachable = reached
      },
      noted: options.noted,
    })
    this.#stopProbes =
      options.probeMs === undefined
        ? undefined
        : startProbes(options.probeMs, async () => {
            const deadline = performance.now() + this.#timeoutMs
            const request = gatewayRequest('probe', deadline)
            const fetch = { variables: '{}', onError: undefined, request, deadline, extra: undefined }
            const { loss, status } = await this.#post('{"query":"{ __typename }"', fetch)
            this.reachable = loss === undefined && status < 500
          })
    this.subscribe = (operation) => this.#events.subscribe(operation)
  }

  prepare({ text, name: operationName, kind }: SubgraphOperation): SubgraphFetch {
    const isQuery = kind === 'query'
    const byGet = this.#options.persisted === true && isQuery
    const document = new SentDocument(
      { text, operationName },
      this.#options.hashes === true && isQuery && !byGet,
    )
    const post = (head: string, fetch: SentFetch): Promise<Exchanged> => this.#post(head, fetch)
    const get = (path: string, fetch: SentFetch): Promise<Exchanged> => this.#get(path, fetch)
    const persisted = byGet
      ? createPersistedQuery({ text, operationName, path: this.#path, post, get })
      : undefined
    /** Sends the query by its hash if the subgraph has it, otherwise with the document. */
    const sendByHttp = async (fetch: SentFetch): Promise<Exchanged> => {
      const { head, whole } = document
      const once = (from: string) => (): Promise<Exchanged> => persisted?.(fetch) ?? post(from, fetch)
      const exchanged = await this.#withRetry(isQuery, fetch, once(head))
      if (head !== whole && refusalOfHash(exchanged) === 'PERSISTED_QUERY_NOT_FOUND') {
        document.unknown()
        return this.#withRetry(isQuery, fetch, once(whole))
      }
      if (exchanged.status === 200) document.sent()
      return exchanged
    }
    const framed = { text, name: operationName }
    const sendInFrames = (link: FramedLink, fetch: SentFetch): Promise<Exchanged> => {
      const { variables, onError, request, deadline, extra } = fetch
      const sendWith = (made: SentHeaders): Promise<Exchanged> => {
        const withOnError = onError === undefined ? made : { ...made, [onErrorHeader]: onError }
        const headers = extra === undefined ? withOnError : { ...withOnError, ...extra }
        const exchanged = link.exchange(framed, variables, headers, request, deadline)
        // The request does not fit, or the connection is closed: it is sent by HTTP.
        if (exchanged === undefined) return post(document.whole, fetch)
        this.#options.sent?.('frames')
        return exchanged
      }
      const once = (): Promise<Exchanged> => {
        const made = this.#options.headers?.(request, text + variables, inFrames) ?? noHeaders
        return made instanceof Promise ? made.then(sendWith) : sendWith(made)
      }
      return this.#withRetry(isQuery, fetch, once, () => post(document.whole, fetch))
    }
    const send = (fetch: SentFetch): Promise<Exchanged> => {
      const sendOn = (link: FramedLink | undefined): Promise<Exchanged> =>
        link === undefined ? sendByHttp(fetch) : sendInFrames(link, fetch)
      const link = this.#frames?.link()
      return link instanceof Promise ? link.then(sendOn) : sendOn(link)
    }
    const prepared = { send, key: document.key, isQuery, byGet }
    return (variables, request, extras) => this.#fetch(prepared, variables, request, extras)
  }

  get guarded(): UpstreamState | undefined {
    return this.#guard?.state
  }

  async close(): Promise<void> {
    this.#stopProbes?.()
    await this.#events.close()
    this.#frames?.close()
    await this.#client.close()
  }

  #post(head: string, fetch: SentFetch): Promise<Exchanged> {
    const body = bodyOf(head, fetch)
    const made = this.#options.headers?.(fetch.request, body) ?? noHeaders
    const send = (own: SentHeaders) => this.#exchange('POST', this.#path, this.#posted, own, body, fetch)
    // Functions are asynchronous only if necessary: each adds several promises to every fetch.
    return made instanceof Promise ? made.then(send) : send(made)
  }

  async #get(path: string, fetch: SentFetch): Promise<Exchanged> {
    // Servers with CSRF prevention require a header that foreign pages cannot send.
    const common = [...this.#common, 'apollo-require-preflight', 'true']
    const made = (await this.#options.headers?.(fetch.request, '', { method: 'GET', path })) ?? noHeaders
    return this.#exchange('GET', path, common, made, undefined, fetch)
  }

  #exchange(
    method: 'GET' | 'POST',
    path: string,
    common: readonly string[],
    made: SentHeaders,
    body: string | undefined,
    { request, deadline, extra }: SentFetch,
  ): Promise<Exchanged> {
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
    once: () => Promise<Exchanged>,
    again = once,
  ): Promise<Exchanged> {
    if (this.#guard !== undefined)
      return this.#guard.run(isQuery, fetch.request, fetch.deadline, once).then(this.#noteReachable)
    return once().then((exchanged) =>
      exchanged.loss === 'connection' && isQuery && exchanged.left
        ? again().then(this.#noteReachable)
        : this.#noteReachable(exchanged),
    )
  }

  readonly #noteReachable = (exchanged: Exchanged): Exchanged => {
    // A cancellation or timeout of the caller says nothing about the subgraph.
    if (exchanged.loss !== 'cancelled' && exchanged.loss !== 'timeout')
      this.reachable = exchanged.loss !== 'connection'
    return exchanged
  }

  /** Fetches once, or joins an equal fetch that is under way. Never rejects. */
  async #fetch(
    { send, key, isQuery, byGet }: PreparedRequest,
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
      const isShared = isQuery && fetch.extra === undefined && extras?.answered === undefined
      const end = await (this.#inFlight === undefined || !isShared
        ? send(fetch)
        : this.#inFlight(this.#keyOf(bodyOf(key, fetch), request), request, fetch.deadline, () =>
            send(fetch),
          ))
      if (end.loss === undefined) {
        this.#options.answered?.(request, end.headers)
        extras?.answered?.(end.status, end.headers)
        if (end.status === 304 && byGet && extras?.validators !== undefined)
          return { answered: { status: 304, headers: end.headers } }
      }
      return resultOf(this.name, end, this.#errorReader)
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
  readonly send: (fetch: SentFetch) => Promise<Exchanged>
  /** Equal for equal documents. */
  readonly key: string
  readonly isQuery: boolean
  readonly byGet: boolean
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
