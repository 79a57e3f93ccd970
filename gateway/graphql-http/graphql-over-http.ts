/**
 * GraphQL over HTTP without a server: from the parts of one HTTP request to those of its response. It negotiates the
 * media type, reads the parameters from URL or body, runs each operation through the pipeline, and writes the result.
 */
import type { ServerResponse } from 'node:http'
import type { GraphQLError } from 'graphql'
import { responseBody } from '../../engine/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { statusOfError, tesseraError } from '../../shared/errors.ts'
import { headerOf } from '../../shared/http/headers.ts'
import { asByteString, jsonText } from '../../shared/json/byte-string.ts'
import { type JsonText, stringifyRaw } from '../../shared/json/raw.ts'
import type { Challenge } from '../auth/challenge.ts'
import { serverTiming } from '../costs/pricing.ts'
import { SharedResult } from '../pipeline/in-flight.ts'
import {
  dataOf,
  OperationContext,
  type OperationResponse,
  type Pipeline,
  type Result,
} from '../pipeline/index.ts'
import { maskError } from '../pipeline/mask.ts'
import type { MediaType, OperationParams } from '../pipeline/operation-request.ts'
import {
  type HttpProfile,
  mediaTypeOf,
  partialSuccess,
  retryAfterOf,
  statusOf,
} from '../pipeline/result-status.ts'
import type { Logger } from '../telemetry/log.ts'
import { cachingHead, etagOf, namesTag } from './caching-headers.ts'
import { type HttpData, HttpOperation, type HttpRequest } from './http-operation.ts'
import {
  acceptedIncrementalType,
  type IncrementalResponse,
  type IncrementalType,
  type InitialResult,
  sendIncrementalResponse,
} from './incremental/index.ts'
import { acceptable, namesHtml, paramsFrom, paramsFromUrl, readPost } from './negotiation.ts'

export interface HttpResponse {
  readonly status: number
  /** Headers: names and values in turn, with lower-case names. */
  readonly head: readonly string[]
  /** A string, or a list of strings and bytes. */
  readonly body: JsonText
  /**
   * Writes a streamed response instead of `body`: with these headers (names and values in turn, without
   * `cache-control`) and its own. The response may be over when it is called.
   */
  readonly stream?: ((response: ServerResponse, head: readonly string[]) => Promise<void> | void) | undefined
  /** Why no operation was read: the pipeline has not reported this request. */
  readonly unread?: GraphQLError | undefined
}

export interface GraphqlOverHttpOptions {
  readonly pipeline: Pipeline
  /** The most operations of one HTTP request; 0 accepts no batches. */
  readonly maxBatch: number
  /** Whether a page for browsers is served at the path above this one. A browser that comes here is sent there. */
  readonly page: boolean
  /** The nonce for the next DPoP proof, if proofs need one. */
  readonly nonce?: (() => string) | undefined
  /** The header of a challenge, name and value, for a client that used this `Host`. */
  readonly challengeHead: (challenge: Challenge, host: string | undefined) => readonly string[]
  readonly log: Logger
  /** The caller's headers on which responses may depend, in lower case; none by default. */
  readonly callerHeaders?: readonly string[] | undefined
  /** Parses JSON; by default, numbers that JSON would round are refused. */
  readonly parse?: ((text: string) => unknown) | undefined
  /** The edition of GraphQL over HTTP; 2025 by default. */
  readonly httpProfile?: HttpProfile | undefined
  /** The most bytes of an incremental response; undefined if every response is whole. */
  readonly mostIncrementalBytes?: number | undefined
  /** How subscriptions are answered; without it they are refused. */
  readonly events?: EventResponses | undefined
}

/**
 * Responds to one request; `watch` receives each running operation, so that it can be cancelled when the client goes
 * away.
 */
export type GraphqlOverHttp = (
  http: HttpRequest,
  watch: (running: GatewayRequest) => void,
) => Promise<HttpResponse> | HttpResponse

/** Streamed responses, for requests that ask for them. */
export interface EventResponses {
  /** The methods that it answers in addition to GET and POST. */
  readonly methods: readonly string[]
  /** Undefined if the request gets a whole response. */
  respond(
    http: HttpRequest,
    watch: (running: GatewayRequest) => void,
  ): Promise<HttpResponse> | HttpResponse | undefined
}

export function createGraphqlOverHttp(options: GraphqlOverHttpOptions): GraphqlOverHttp {
  const { page, events, maxBatch, mostIncrementalBytes, httpProfile, parse, log } = options
  const respondToOne = createResponder(options)
  return (http, watch) => {
    if (httpProfile === '2026' && http.url.length > mostUrlCharacters)
      return refusal(longUrl, 'application/graphql-response+json', httpProfile, 414)
    if (page && http.method === 'GET' && isVisit(http)) return visitResponse(http)
    const eventual = events?.respond(http, watch)
    if (eventual !== undefined) return eventual
    const accepted = acceptedBy(http.headers.accept, mostIncrementalBytes)
    if (accepted === undefined) return notAcceptable
    if (http.method === 'GET')
      return respondToOne(http, () => paramsFromUrl(http.url, parse), accepted, watch)
    if (http.method !== 'POST')
      return withoutBody(405, ['allow', ['GET', 'POST', ...(events?.methods ?? [])].join(', ')])
    const { type } = accepted
    let body: unknown
    try {
      body = readPost(http, parse)
    } catch (error) {
      const refused = maskError(error, http.id, log)
      return refusal(refused, type, httpProfile, statusOfError(refused))
    }
    if (!Array.isArray(body) || maxBatch === 0)
      return respondToOne(http, () => paramsFrom(body), accepted, watch)
    if (body.length > 0 && body.length <= maxBatch) return batch(options, http, body, type, watch)
    const found = `A batch must have 1 to ${maxBatch} operations, not ${body.length}.`
    return refusal(tesseraError('OPERATION_TOO_LARGE', found), type, httpProfile)
  }
}

/** What the client accepts. */
interface Accepted {
  /** The media type of a whole response; the usual one if the client accepts none. */
  readonly type: MediaType
  /** How results are sent one after the other; undefined if the client accepts no such response. */
  readonly incremental: { readonly type: IncrementalType; readonly mostBytes: number } | undefined
  /** Whether it accepts only that, so that even a single result is sent so. */
  readonly isOnlyIncremental: boolean
}

/** Undefined if the client accepts no response that there is. */
function acceptedBy(accept: string | undefined, mostBytes: number | undefined): Accepted | undefined {
  const type = acceptable(accept)
  const incrementalType = mostBytes === undefined ? undefined : acceptedIncrementalType(accept)
  const incremental =
    mostBytes === undefined || incrementalType === undefined
      ? undefined
      : { type: incrementalType, mostBytes }
  if (type !== undefined) return { type, incremental, isOnlyIncremental: false }
  if (incremental === undefined) return undefined
  return { type: 'application/graphql-response+json', incremental, isOnlyIncremental: true }
}

/** Makes the function that runs one operation of a request, and answers with its result. */
function createResponder(options: GraphqlOverHttpOptions) {
  const { pipeline, httpProfile, callerHeaders = [] } = options
  const headOf = createResponseHead(options)
  return async (
    http: HttpRequest,
    params: () => OperationParams,
    { type, incremental, isOnlyIncremental }: Accepted,
    watch: (running: GatewayRequest) => void,
  ): Promise<HttpResponse> => {
    const sent = new HttpOperation(http, params, type, incremental !== undefined)
    const context = new OperationContext<HttpData>(sent)
    watch(context)
    const response = await pipeline(context)
    const own = headOf(response, http)
    if (incremental !== undefined && (response.subsequentResults !== undefined || isOnlyIncremental))
      return incrementalResponse(response, own, { ...incremental, cancel: () => context.cancel() })
    const { status, result, policy } = response
    const head = [...typeHead(mediaTypeOf(status, type, httpProfile)), ...own]
    const body = bodyOf(result)
    if (policy === undefined || status !== 200) return { status, head, body }
    head.push(...cachingHead(policy, callerHeaders))
    return http.method === 'GET' ? revalidated(http, head, body) : { status, head, body }
  }
}

/** The results are written as they are made. */
function incrementalResponse(
  { status, result, subsequentResults }: OperationResponse<HttpData>,
  head: readonly string[],
  sending: Pick<IncrementalResponse, 'type' | 'mostBytes' | 'cancel'>,
): HttpResponse {
  const answer: IncrementalResponse = {
    ...sending,
    // The media types of incremental responses do not say what 294 means.
    status: status === partialSuccess ? 200 : status,
    ...(subsequentResults === undefined
      ? { whole: bodyOf(result) }
      : { subsequentResults, first: firstOf(result) }),
  }
  const stream: HttpResponse['stream'] = (out, all) => sendIncrementalResponse(out, all, answer)
  return { status: answer.status, head, body: noBody, stream }
}

/** A response that the client may keep, or only its headers if the client has it already. `head` begins with its type. */
function revalidated(http: HttpRequest, head: string[], body: JsonText): HttpResponse {
  const etag = etagOf(body)
  head.push('etag', etag)
  return namesTag(headerOf(http.headers, 'if-none-match'), etag)
    ? withoutBody(304, head.slice(2))
    : { status: 200, head, body }
}

/** Answers the operations of one request at the same time, as a list of responses. */
async function batch(
  { pipeline, nonce }: Pick<GraphqlOverHttpOptions, 'pipeline' | 'nonce'>,
  http: HttpRequest,
  entries: readonly unknown[],
  type: MediaType,
  watch: (running: GatewayRequest) => void,
): Promise<HttpResponse> {
  const usedProofs: HttpOperation['usedProofs'] = new Map()
  const responses = await Promise.all(
    entries.map((entry) => {
      const sent = new HttpOperation(http, () => paramsFrom(entry), type, false, usedProofs)
      const context = new OperationContext<HttpData>(sent)
      watch(context)
      return pipeline(context)
    }),
  )
  const parts = responses.flatMap(({ result }) => {
    const body = bodyOf(result)
    return [comma, ...(typeof body === 'string' ? [body] : body)]
  })
  return {
    status: 200,
    head: [...typeHead(type), ...(nonce === undefined ? [] : ['dpop-nonce', nonce()])],
    body: [asByteString('['), ...parts.slice(1), asByteString(']')],
  }
}

const isJson = (data: HttpData): data is JsonText => typeof data === 'string' || Array.isArray(data)

export function bodyOf(result: Result<HttpData>): JsonText {
  if (result instanceof SharedResult && result.isPlain) return result.body
  const { data } = result
  return responseBody({ ...result, data: data == null || isJson(data) ? data : stringifyRaw(data) })
}

/** The first payload: its data are written once, with the announcement of the others. */
function firstOf({ data, errors, extensions }: Result<HttpData>): InitialResult {
  return {
    ...(errors === undefined ? {} : { errors }),
    ...(extensions === undefined ? {} : { extensions }),
    data: data === undefined ? null : dataOf(data),
  }
}

const mediaTypes = 'application/graphql-response+json, application/json'
const nothingAcceptable = tesseraError(
  'BAD_REQUEST',
  `The media type of a response is one of ${mediaTypes}; the Accept header allows none of them.`,
)
const notAcceptable: HttpResponse = {
  status: 406,
  head: ['content-type', 'application/json; charset=utf-8', 'accept', mediaTypes],
  body: jsonText({ errors: [nothingAcceptable] }),
  unread: nothingAcceptable,
}

/** To the page for browsers. The address is relative, because a proxy may have added a path in front. */
const visitResponse = ({ url }: HttpRequest): HttpResponse =>
  withoutBody(302, ['location', /^[^?]*\/(\?|$)/.test(url) ? '../' : './', 'vary', 'accept'])

/** Whether a browser opens the address itself: it asks for HTML, and names no operation. */
const isVisit = ({ headers, url }: HttpRequest): boolean =>
  namesHtml(headers.accept) && !/[?&](query|extensions)=/.test(url)

/** A bound of the edition of 2026. If the whole head is too long for the server, the response was 431 already. */
const mostUrlCharacters = 32_768
const longUrl = tesseraError(
  'REQUEST_TOO_LARGE',
  `The URL has more than ${mostUrlCharacters} characters: send the operation by POST.`,
)

const comma = asByteString(',')

export const noBody = asByteString('')

function withoutBody(status: number, head: readonly string[]): HttpResponse {
  return { status, head, body: noBody }
}

export const typeHead = (type: MediaType): string[] => ['content-type', `${type}; charset=utf-8`]

/** The response to a request of which nothing is executed; by default with the status of the error. */
export function refusal(
  error: GraphQLError,
  type: MediaType,
  httpProfile: HttpProfile | undefined,
  status?: number,
): HttpResponse {
  const errors = [error]
  const own = status ?? statusOf({ errors }, type, httpProfile)
  const head = typeHead(mediaTypeOf(own, type, httpProfile))
  return { status: own, head, body: jsonText({ errors }), unread: error }
}

export type ResponseHead = (response: OperationResponse<unknown>, http: HttpRequest) => string[]

/** The headers that add to the body of a response. */
export function createResponseHead({
  nonce,
  challengeHead,
}: Pick<GraphqlOverHttpOptions, 'nonce' | 'challengeHead'>): ResponseHead {
  return ({ status, result, challenge, calls, head: more }, { headers }) => {
    const head: string[] = []
    const timing = serverTiming(calls)
    if (timing !== undefined) head.push('server-timing', timing)
    if (status >= 400) head.push(...headersFor(status, result.errors ?? []))
    if (challenge !== undefined) head.push(...challengeHead(challenge, headers.host))
    if (nonce !== undefined && (challenge !== undefined || headers.dpop !== undefined))
      head.push('dpop-nonce', nonce())
    if (more !== undefined) head.push(...more)
    return head
  }
}

function headersFor(status: number, errors: readonly GraphQLError[]): readonly string[] {
  if (status === 405) return ['allow', 'POST']
  if (status !== 429 && status !== 503) return []
  const seconds = retryAfterOf(errors)
  return seconds === undefined ? [] : ['retry-after', String(seconds)]
}
