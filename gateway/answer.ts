/**
 * From one HTTP request to one HTTP answer, with no framework in it: who asks, what, whether they may, and
 * the result as text. Everything that fails on the way becomes a GraphQL answer with a code and a status.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { GraphQLError } from 'graphql'
import { tesseraError } from '../subgraphs/lib/errors.ts'
import { headerOf } from '../subgraphs/lib/headers.ts'
import type { JsonText } from '../subgraphs/lib/raw-json.ts'
import type { CallRecord } from '../subgraphs/lib/request.ts'
import { asWireText, jsonText } from '../subgraphs/lib/wire-text.ts'
import type { Authenticator, Identity } from './authenticate.ts'
import { type JsonResult, responseBody } from './engine.ts'
import {
  acceptable,
  isJsonContent,
  type MediaType,
  type OperationParams,
  paramsFrom,
  paramsFromUrl,
  readBody,
  statusOf,
} from './http.ts'
import { checkValue, type Limits } from './limits.ts'
import { type Logger, withoutRedaction } from './log.ts'
import { maskError } from './mask.ts'
import type { Measures } from './measures.ts'
import { isRefused, type Operation, type Operations } from './operations.ts'
import type { DocumentReader } from './persisted.ts'
import { explainHeader, type Pricing, quotaHeader, serverTiming } from './pricing.ts'
import { createGatewayRequest, type GatewayRequest } from './request.ts'
import type { RequestSpan, Traces } from './traces.ts'

export interface HttpRequest {
  readonly id: string
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Empty for GET. */
  readonly body: string | Buffer
}

export interface HttpAnswer {
  readonly status: number
  /** Headers: names and values in turn, names in lower case. */
  readonly head: readonly string[]
  /** Text, or pieces of it and of bytes. */
  readonly body: JsonText
}

export interface AnswererOptions {
  readonly authenticator: Authenticator
  readonly readDocument: DocumentReader
  readonly operations: Operations
  readonly limits: Limits
  /** The most operations of one HTTP request; 0 takes no batches. */
  readonly maxBatch: number
  readonly timeoutMs: number
  readonly pricing: Pricing
  readonly measures: Measures
  readonly traces?: Traces | undefined
  readonly log: Logger
}

/** Answers one request; `watch` is handed each running request, so that it can be cancelled when the client goes away. */
export type Answerer = (
  http: HttpRequest,
  watch: (request: GatewayRequest) => void,
) => Promise<HttpAnswer> | HttpAnswer

const noAnswer = (status: number, head: readonly string[]): HttpAnswer => ({
  status,
  head,
  body: asWireText(''),
})

/** What is known of an operation when it is told of: to the measures, the log, the trace. */
interface Course {
  operation: Operation | undefined
  /** Of the errors in the answer. */
  codes: readonly string[]
  readonly calls: CallRecord[]
}

export function createAnswerer(options: AnswererOptions): Answerer {
  const { authenticator, readDocument, operations, limits, maxBatch, timeoutMs, pricing, measures, log } =
    options
  const { traces } = options
  const lines = withoutRedaction(log)

  function failure(errors: readonly GraphQLError[], type: MediaType, course?: Course): HttpAnswer {
    if (course !== undefined) course.codes = codesOf(errors)
    return answerOf(statusOf({ errors }, type), type, jsonText({ errors }))
  }

  async function run(
    http: HttpRequest,
    params: OperationParams,
    identity: Identity,
    type: MediaType,
    watch: (request: GatewayRequest) => void,
    course: Course,
  ): Promise<HttpAnswer> {
    const read = readDocument(params)
    const operation = operations.get(typeof read === 'string' ? read : await read, params.operationName)
    if (isRefused(operation)) return failure(operation, type, course)
    course.operation = operation
    if (http.method === 'GET' && operation.definition.operation !== 'query') {
      throw tesseraError('BAD_REQUEST', 'A GET request can only be a query; send a mutation by POST.', {
        extensions: { http: { status: 405 } },
      })
    }
    const long = checkValue(params.variables, limits)
    if (long !== undefined) throw long
    const permission = operation.grantedTo(identity)
    const granted = permission instanceof Promise ? await permission : permission
    if (isRefused(granted)) return failure(granted, type, course)
    const { calls } = course
    const request = createGatewayRequest({
      meter: { call: (record) => calls.push(record) },
      id: http.id,
      deadline: performance.now() + timeoutMs,
      header: (name) => headerOf(http.headers, name),
      identity,
    })
    watch(request)
    const variables = params.variables ?? {}
    if (http.headers[explainHeader] !== undefined) {
      const explain = await pricing.explain(granted, variables)
      return answerOf(200, type, jsonText({ extensions: { explain } }))
    }
    const pricedOrNot = pricing.before(granted, variables, request)
    const priced = pricedOrNot instanceof Promise ? await pricedOrNot : pricedOrNot
    if (priced instanceof GraphQLError) return failure([priced], type, course)
    let result: JsonResult
    try {
      result = await granted.compiled.executeToJson(variables, request)
    } finally {
      const booked = pricing.after(priced, request, calls)
      if (booked !== undefined) await booked
    }
    const quota =
      http.headers[quotaHeader] === undefined ? undefined : await pricing.told(priced, request, calls)
    const timing = serverTiming(calls)
    if (result.errors === undefined && granted.report === undefined) {
      const body = responseBody(quota === undefined ? result : { ...result, extensions: { quota } })
      return answerOf(200, type, body, timing)
    }
    const errors = [
      ...(result.errors ?? []).map((error) => maskError(error, http.id, log)),
      ...(granted.report ?? []),
    ]
    course.codes = codesOf(errors)
    const answer = { ...result, errors, ...(quota === undefined ? {} : { extensions: { quota } }) }
    return answerOf(statusOf(answer, type), type, responseBody(answer), timing)
  }

  async function runGuarded(
    http: HttpRequest,
    params: () => OperationParams,
    type: MediaType,
    watch: (request: GatewayRequest) => void,
    span?: RequestSpan,
  ): Promise<HttpAnswer> {
    const started = performance.now()
    const course: Course = { operation: undefined, codes: noCodes, calls: [] }
    let answer: HttpAnswer
    try {
      const proof = authenticator.authenticate(http.headers.authorization)
      const identity = proof instanceof Promise ? await proof : proof
      answer = await run(http, params(), identity, type, watch, course)
    } catch (error) {
      answer = failure([maskError(error, http.id, log)], type, course)
    }
    tell(http, course, answer.status, performance.now() - started)
    if (span !== undefined) describe(span, course, answer.status)
    return answer
  }

  /** To the measures and the log. No variable is told, and of the document its hash alone. */
  function tell(http: HttpRequest, course: Course, status: number, milliseconds: number): void {
    const { operation, codes, calls } = course
    const operationName = operation === undefined ? 'invalid' : operation.name
    measures.request({ operationName, status, milliseconds, codes })
    const level = status >= 500 ? 'warn' : 'info'
    if (!lines.isLevelEnabled(level)) return
    lines[level](
      {
        request: http.id,
        operation: operation?.name,
        type: operation?.definition.operation,
        hash: operation?.hash,
        status,
        ms: Math.round(milliseconds * 10) / 10,
        ...(codes.length === 0 ? {} : { codes }),
        ...(calls.length === 0
          ? {}
          : { calls: calls.length, units: calls.reduce((sum, { units }) => sum + units, 0) }),
      },
      'request',
    )
  }

  const runWatched: typeof runGuarded =
    traces === undefined
      ? runGuarded
      : (http, params, type, watch) =>
          traces.request(
            (name) => headerOf(http.headers, name),
            (span) => runGuarded(http, params, type, watch, span),
          )

  async function batch(
    http: HttpRequest,
    entries: readonly unknown[],
    type: MediaType,
    watch: (request: GatewayRequest) => void,
  ): Promise<HttpAnswer> {
    const answers = await Promise.all(
      entries.map((entry) => runWatched(http, () => paramsFrom(entry), type, watch)),
    )
    const pieces = answers.flatMap(({ body }) => [comma, ...(typeof body === 'string' ? [body] : body)])
    return answerOf(200, type, [asWireText('['), ...pieces.slice(1), asWireText(']')])
  }

  return (http, watch) => {
    const type = acceptable(http.headers.accept)
    if (type === undefined) {
      return noAnswer(406, ['accept', 'application/graphql-response+json, application/json'])
    }
    if (http.method === 'GET') {
      return runWatched(http, () => paramsFromUrl(http.url), type, watch).then((answer) =>
        answer.status === 405 ? { ...answer, head: [...answer.head, 'allow', 'POST'] } : answer,
      )
    }
    if (http.method !== 'POST') return noAnswer(405, ['allow', 'GET, POST'])
    if (!isJsonContent(http.headers['content-type'])) {
      const expected = tesseraError('BAD_REQUEST', 'The content type must be application/json, in UTF-8.')
      return answerOf(415, type, jsonText({ errors: [expected] }))
    }
    let body: unknown
    try {
      body = readBody(http.body)
    } catch (error) {
      return failure([maskError(error, http.id, log)], type)
    }
    if (!Array.isArray(body) || maxBatch === 0) return runWatched(http, () => paramsFrom(body), type, watch)
    if (body.length > 0 && body.length <= maxBatch) return batch(http, body, type, watch)
    const refused = tesseraError(
      'OPERATION_TOO_LARGE',
      `A batch takes 1 to ${maxBatch} operations, not ${body.length}.`,
    )
    return failure([refused], type)
  }
}

const comma = asWireText(',')
const noCodes: readonly string[] = []

function codesOf(errors: readonly GraphQLError[]): readonly string[] {
  return [...new Set(errors.map(({ extensions }) => String(extensions.code ?? 'INTERNAL_SERVER_ERROR')))]
}

function describe(span: RequestSpan, { operation, codes }: Course, status: number): void {
  if (operation !== undefined) {
    const type = operation.definition.operation
    span.rename(operation.name === undefined ? type : `${type} ${operation.name}`)
    span.set({
      'graphql.operation.type': type,
      'graphql.operation.name': operation.name,
      'tessera.operation.hash': operation.hash,
    })
  }
  span.set({ 'http.response.status_code': status })
  if (codes.length > 0) span.failed(codes)
}

function answerOf(status: number, type: MediaType, body: JsonText, timing?: string): HttpAnswer {
  const head = ['content-type', `${type}; charset=utf-8`]
  if (timing !== undefined) head.push('server-timing', timing)
  return { status, head, body }
}
