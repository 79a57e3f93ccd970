/**
 * HTTP requests that are answered by events: GraphQL over SSE in both of its modes, and Apollo's multipart subscription
 * protocol. What goes wrong before the first event has the status and the body that it has everywhere.
 */
import type { GraphQLError } from 'graphql'
import { responseBody } from '../../engine/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { tesseraError } from '../../shared/errors.ts'
import { asByteString, jsonText } from '../../shared/json/byte-string.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import {
  type EventResponses,
  type HttpRequest,
  type HttpResponse,
  type ResponseHead,
  refusal,
} from '../graphql-http/graphql-over-http.ts'
import {
  acceptable,
  isJsonContent,
  paramsFrom,
  paramsFromUrl,
  readBody,
} from '../graphql-http/negotiation.ts'
import type { OperationResponse } from '../pipeline/index.ts'
import { maskError } from '../pipeline/mask.ts'
import type { MediaType, OperationParams } from '../pipeline/operation-params.ts'
import type { DocumentReader } from '../pipeline/persisted/index.ts'
import { type HttpProfile, mediaTypeOf } from '../pipeline/result-status.ts'
import type { Logger } from '../telemetry/log.ts'
import { type EventType, eventTypeOf } from './accepted.ts'
import type { Begin } from './begin.ts'
import { Caller, HttpConnectionHeaders, Subscriber } from './index.ts'
import { lastEventIdIn } from './resume.ts'
import { type EventStreams, streamTokenHeader } from './single-connection.ts'
import { type StreamSettings, streamResult, streamSubscription } from './streamed.ts'

export interface EventResponsesOptions {
  readonly begin: Begin
  /** What is open for clients with one stream for all of their operations; undefined if there is no such thing. */
  readonly streams?: EventStreams | undefined
  readonly settings: StreamSettings
  readonly authenticator: Authenticator
  readonly headOf: ResponseHead
  readonly log: Logger
  /** The edition of GraphQL over HTTP; 2025 unless given. */
  readonly httpProfile?: HttpProfile | undefined
  /** The text of a document, if it is at hand. */
  readonly documents: Pick<DocumentReader, 'known'>
}

type Watch = (running: GatewayRequest) => void

export function createEventResponses(options: EventResponsesOptions): EventResponses {
  const { begin, streams, settings, authenticator, headOf, log, httpProfile } = options
  const refused = (error: GraphQLError): HttpResponse => refusal(error, refusalType, { httpProfile })

  const callerOf = ({ headers, socket }: HttpRequest): Caller =>
    new Caller(authenticator, new HttpConnectionHeaders(headers, socket))

  /** The parameters of a POST. Throws what is to be said of them. */
  function posted({ headers, body }: HttpRequest): OperationParams {
    if (!isJsonContent(headers['content-type']))
      throw tesseraError('BAD_REQUEST', 'The content type must be application/json, in UTF-8.', {
        status: 415,
      })
    return paramsFrom(readBody(body))
  }

  /** Whether it may ask for a subscription: other operations are answered by those who answer all of them. */
  function mayHaveEvents(http: HttpRequest): boolean {
    try {
      const text = options.documents.known(http.method === 'GET' ? paramsFromUrl(http.url) : posted(http))
      return text === undefined || /\bsubscription\b/.test(text)
    } catch {
      return false
    }
  }

  async function answer(http: HttpRequest, type: EventType, watch: Watch): Promise<HttpResponse> {
    const json = acceptable(http.headers.accept)
    const mediaType = json ?? 'application/graphql-response+json'
    const isGet = http.method === 'GET'
    const response = await begin({
      id: http.id,
      method: http.method,
      url: http.url,
      caller: callerOf(http),
      body: () => (typeof http.body === 'string' ? Buffer.from(http.body) : http.body),
      params: () => (isGet ? paramsFromUrl(http.url) : posted(http)),
      mediaType,
      queriesOnly: isGet,
      connection: undefined,
      lastEventId: lastEventIdIn(http.headers),
      started: watch,
    })
    const { data } = response.result
    const head = headOf(response, http)
    if (data instanceof Subscriber)
      return { status: 200, head, body: noBody, stream: streamSubscription(type, data, settings) }
    const body = bodyOf(response)
    if (json === undefined && response.status === 200 && type === 'sse')
      return { status: 200, head, body, stream: streamResult(body, settings) }
    const sent = mediaTypeOf(response.status, mediaType, httpProfile)
    return { status: response.status, head: [...typeHead(sent), ...head], body }
  }

  /** One operation, whose results come on a stream that is open. */
  async function operate(streams: EventStreams, http: HttpRequest, token: string): Promise<HttpResponse> {
    const stream = streams.get(token)
    if (stream === undefined) return noStream
    let params: OperationParams
    try {
      params = posted(http)
    } catch (error) {
      return refused(maskError(error, http.id, log))
    }
    const operationId = params.extensions?.operationId
    if (typeof operationId !== 'string' || operationId === '' || operationId.length > 200)
      return refused(
        tesseraError('BAD_REQUEST', '`extensions.operationId` must be text of 1 to 200 characters.'),
      )
    if (!stream.take(operationId))
      return refused(
        tesseraError('TOO_MANY_SUBSCRIPTIONS', 'The stream has this operation, or as many as it may have.', {
          status: 409,
        }),
      )
    void begin({
      id: http.id,
      method: http.method,
      url: http.url,
      caller: callerOf(http),
      params: () => params,
      mediaType: 'application/graphql-response+json',
      queriesOnly: false,
      connection: stream,
      lastEventId: params.extensions?.lastEventId,
    }).then((response) => {
      const { data } = response.result
      if (data instanceof Subscriber) stream.attach(operationId, data)
      else stream.answer(operationId, bodyOf(response))
    })
    return { status: 202, head: [], body: noBody }
  }

  function streamed(
    streams: EventStreams,
    http: HttpRequest,
    token: string,
    operationId: string | null,
  ): HttpResponse | Promise<HttpResponse> {
    switch (http.method) {
      case 'GET': {
        const stream = streams.open(token)
        if (stream === 'taken')
          return refused(tesseraError('CONFLICT', 'The stream is open already.', { status: 409 }))
        if (stream === 'full')
          return refused(tesseraError('SERVICE_BUSY', 'There are too many streams.', { retryAfter: 1 }))
        return stream === undefined ? noStream : { status: 200, head: [], body: noBody, stream }
      }
      case 'POST':
        return operate(streams, http, token)
      case 'DELETE': {
        const isStopped = operationId !== null && streams.get(token)?.stop(operationId) === true
        return isStopped ? { status: 200, head: [], body: noBody } : noStream
      }
      default:
        return { status: 405, head: ['allow', 'GET, POST, PUT, DELETE'], body: noBody }
    }
  }

  /** A request of a client with one stream for all of its operations; undefined for any other. */
  function ofStream(
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
    return token === null ? undefined : streamed(streams, http, token, search.get('operationId'))
  }

  return {
    respond(http, watch) {
      const { method, headers } = http
      const type = eventTypeOf(headers.accept)
      const ofOne = streams === undefined ? undefined : ofStream(streams, http, type)
      if (ofOne !== undefined) return ofOne
      if (type === undefined || (method !== 'GET' && method !== 'POST')) return undefined
      return mayHaveEvents(http) ? answer(http, type, watch) : undefined
    },
  }
}

function bodyOf({ result }: OperationResponse<JsonText | Subscriber>): JsonText {
  const { data, errors, extensions } = result
  return responseBody({ data: data instanceof Subscriber ? undefined : data, errors, extensions })
}

const noBody = asByteString('')
const typeHead = (type: MediaType): string[] => ['content-type', `${type}; charset=utf-8`]

const noStream: HttpResponse = {
  status: 404,
  head: typeHead('application/json'),
  body: jsonText({
    errors: [tesseraError('NOT_FOUND', 'There is no such stream or operation: reserve one by PUT.')],
  }),
}

const refusalType = 'application/graphql-response+json'
