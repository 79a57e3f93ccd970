/**
 * HTTP requests that are answered by events: GraphQL over SSE in both of its modes, and Apollo's multipart subscription
 * protocol. A failure before the first event has the usual status and body.
 */
import { type GraphQLError, Lexer, Source, TokenKind } from 'graphql'
import { responseBody } from '../../engine/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { tesseraError } from '../../shared/errors.ts'
import { asByteString, jsonText } from '../../shared/json/byte-string.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import {
  type EventResponses,
  type HttpResponse,
  noBody,
  type ResponseHead,
  refusal,
  typeHead,
} from '../graphql-http/graphql-over-http.ts'
import type { HttpRequest } from '../graphql-http/http-operation.ts'
import { acceptable, paramsFrom, paramsFromUrl, readPost } from '../graphql-http/negotiation.ts'
import type { OperationResponse } from '../pipeline/index.ts'
import { maskError } from '../pipeline/mask.ts'
import type { OperationParams } from '../pipeline/operation-request.ts'
import type { DocumentReader } from '../pipeline/persisted/index.ts'
import { type HttpProfile, mediaTypeOf } from '../pipeline/result-status.ts'
import type { Logger } from '../telemetry/log.ts'
import { acceptedEventType, type EventType } from './accepted-event-type.ts'
import type { SubscriptionSettings } from './config.ts'
import { Caller, Subscriber } from './index.ts'
import { type EventStreams, streamTokenHeader } from './single-connection.ts'
import { lastEventIdIn, type StartOperation } from './start-operation.ts'
import { streamResult, streamSubscription } from './streamed.ts'

interface EventResponsesOptions {
  readonly startOperation: StartOperation
  /** The streams of clients that use one stream for all operations; undefined if that mode is not served. */
  readonly streams?: EventStreams | undefined
  readonly settings: SubscriptionSettings
  readonly authenticator: Authenticator
  readonly headOf: ResponseHead
  readonly log: Logger
  /** The edition of GraphQL over HTTP; 2025 by default. */
  readonly httpProfile?: HttpProfile | undefined
  /** As that of `GraphqlOverHttpOptions`. */
  readonly parse?: ((text: string) => unknown) | undefined
  /** Whether this client is told of a refusal by an event with status 200, as graphql-sse has it. */
  readonly refusesByEvent?: ((http: HttpRequest) => boolean) | undefined
  /** The text of a document, if it is at hand. */
  readonly documents: Pick<DocumentReader, 'known'>
}

type Watch = (running: GatewayRequest) => void

export class SubscriptionResponses implements EventResponses {
  readonly methods: readonly string[]
  readonly #options: EventResponsesOptions

  constructor(options: EventResponsesOptions) {
    this.methods = options.streams === undefined ? [] : ['PUT', 'DELETE']
    this.#options = options
  }

  respond(http: HttpRequest, watch: Watch): Promise<HttpResponse> | HttpResponse | undefined {
    const { method, headers } = http
    const type = acceptedEventType(headers.accept)
    const { streams } = this.#options
    const ofOne = streams === undefined ? undefined : this.#ofStream(streams, http, type)
    if (ofOne !== undefined) return ofOne
    if (type === undefined || (method !== 'GET' && method !== 'POST')) return undefined
    const params = this.#subscriptionParams(http)
    return params && this.#answer(http, type, params, watch)
  }

  #refused(error: GraphQLError): HttpResponse {
    return refusal(error, 'application/graphql-response+json', this.#options.httpProfile)
  }

  /**
   * The parameters of an operation that may be a subscription. Undefined for any other, and if they are malformed: it gets
   * the usual response.
   */
  #subscriptionParams(http: HttpRequest): OperationParams | undefined {
    const { documents, parse } = this.#options
    try {
      const params =
        http.method === 'GET' ? paramsFromUrl(http.url, parse) : paramsFrom(readPost(http, parse))
      const text = documents.known(params)
      return text === undefined || mayHaveSubscription(text) ? params : undefined
    } catch {
      return undefined
    }
  }

  async #answer(
    http: HttpRequest,
    type: EventType,
    params: OperationParams,
    watch: Watch,
  ): Promise<HttpResponse> {
    const { startOperation, headOf, settings, httpProfile, authenticator, refusesByEvent } = this.#options
    const json = acceptable(http.headers.accept)
    const mediaType = json ?? 'application/graphql-response+json'
    const response = await startOperation({
      id: http.id,
      method: http.method,
      url: http.url,
      caller: new Caller(authenticator, http),
      body: () => (typeof http.body === 'string' ? Buffer.from(http.body) : http.body),
      params: () => params,
      mediaType,
      queriesOnly: http.method === 'GET',
      connection: undefined,
      lastEventId: lastEventIdIn(http.headers),
      started: watch,
    })
    const { data } = response.result
    const head = headOf(response, http)
    if (data instanceof Subscriber)
      return { status: 200, head, body: noBody, stream: streamSubscription(type, data, settings) }
    const body = bodyOf(response)
    const { status } = response
    // By 429 and 5xx a client knows that it may ask again.
    const isEvent = status === 200 || (status < 500 && status !== 429 && refusesByEvent?.(http) === true)
    if (json === undefined && isEvent)
      return { status: 200, head, body, stream: streamResult(type, body, settings) }
    return { status, head: [...typeHead(mediaTypeOf(status, mediaType, httpProfile)), ...head], body }
  }

  /** One operation whose results are sent on an open stream. */
  async #operate(streams: EventStreams, http: HttpRequest, token: string): Promise<HttpResponse> {
    const { startOperation, log, authenticator, parse } = this.#options
    const stream = streams.get(token)
    if (stream === undefined) return noStream
    let params: OperationParams
    try {
      params = paramsFrom(readPost(http, parse))
    } catch (error) {
      return this.#refused(maskError(error, http.id, log))
    }
    const operationId = params.extensions?.operationId
    if (typeof operationId !== 'string' || operationId === '' || operationId.length > 200)
      return this.#refused(
        tesseraError('BAD_REQUEST', '`extensions.operationId` must be text of 1 to 200 characters.'),
      )
    const operation = stream.take(operationId)
    if (operation === undefined)
      return this.#refused(
        tesseraError(
          'TOO_MANY_SUBSCRIPTIONS',
          'The stream already has this operation, or the maximum number of operations.',
          { status: 409 },
        ),
      )
    void startOperation({
      id: http.id,
      method: http.method,
      url: http.url,
      caller: new Caller(authenticator, http),
      params: () => params,
      mediaType: 'application/graphql-response+json',
      queriesOnly: false,
      connection: stream,
      started: (request) => stream.started(operation, request),
    }).then((response) => {
      const { data } = response.result
      if (data instanceof Subscriber) stream.attach(operation, data)
      else stream.answer(operation, bodyOf(response), data !== undefined)
    })
    return { status: 202, head: [], body: noBody }
  }

  #streamed(
    streams: EventStreams,
    http: HttpRequest,
    token: string,
    operationId: string | null,
  ): HttpResponse | Promise<HttpResponse> | undefined {
    switch (http.method) {
      case 'GET': {
        const stream = streams.open(token)
        if (stream === 'taken')
          return this.#refused(tesseraError('CONFLICT', 'The stream is open already.', { status: 409 }))
        if (stream === 'full')
          return this.#refused(tesseraError('SERVICE_BUSY', 'There are too many streams.', { retryAfter: 1 }))
        return stream === undefined ? noStream : { status: 200, head: [], body: noBody, stream }
      }
      case 'POST':
        return this.#operate(streams, http, token)
      case 'DELETE': {
        const isStopped = operationId !== null && streams.get(token)?.stop(operationId) === true
        return isStopped ? { status: 200, head: [], body: noBody } : noStream
      }
      default:
        return undefined
    }
  }

  /** A request of a client that uses one stream for all operations; undefined for any other. */
  #ofStream(
    streams: EventStreams,
    http: HttpRequest,
    type: EventType | undefined,
  ): HttpResponse | Promise<HttpResponse> | undefined {
    const { method, headers, url } = http
    if (method === 'PUT') {
      const body = asByteString(streams.reserve())
      return { status: 201, head: ['content-type', 'text/plain; charset=utf-8'], body }
    }
    const header = headers[streamTokenHeader]
    if (header === undefined && type === undefined && method !== 'DELETE') return undefined
    const search = new URLSearchParams(url.slice(url.indexOf('?') + 1))
    const token = typeof header === 'string' ? header : search.get('token')
    if (token === null) return method === 'DELETE' ? noStream : undefined
    return this.#streamed(streams, http, token, search.get('operationId'))
  }
}

/** Whether a document has a subscription, as far as its tokens say. Fields may have that name, too. */
function mayHaveSubscription(text: string): boolean {
  if (!/\bsubscription\b/.test(text)) return false
  const lexer = new Lexer(new Source(text))
  let depth = 0
  for (let { kind, value } = lexer.advance(); kind !== TokenKind.EOF; { kind, value } = lexer.advance()) {
    if (kind === TokenKind.BRACE_L) depth += 1
    else if (kind === TokenKind.BRACE_R) depth -= 1
    else if (depth === 0 && value === 'subscription') return true
  }
  return false
}

function bodyOf({ result }: OperationResponse<JsonText | Subscriber>): JsonText {
  const { data, errors, extensions } = result
  return responseBody({ data: data instanceof Subscriber ? undefined : data, errors, extensions })
}

const noStream: HttpResponse = {
  status: 404,
  head: typeHead('application/json'),
  body: jsonText({
    errors: [tesseraError('NOT_FOUND', 'There is no such stream or operation: reserve one by PUT.')],
  }),
}
