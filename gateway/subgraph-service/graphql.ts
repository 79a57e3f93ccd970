/**
 * The GraphQL requests of a subgraph service: admitted, authenticated, then executed as they were prepared before
 * (`prepared.ts`) or by Apollo Server.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../contract/errors.ts'
import { headerOf } from '../../contract/headers.ts'
import { byteString, jsonText } from '../../contract/json/byte-string.ts'
import type { Identity } from '../../contract/identity.ts'
import { earlierAttemptHeader, readEarlierAttempt } from '../../contract/request.ts'
import { routerHeader, signatureHeader } from '../../contract/signature.ts'
import type { Subgraph } from '../../contract/subgraph.ts'
import { callerContext } from '../../contract/trace-context.ts'
import { checkNesting, checkValue } from '../budget/limits/index.ts'
import { createGatewayRequest, type GatewayRequest } from '../engine/request.ts'
import { maskError } from '../http/mask.ts'
import {
  acceptable,
  isJsonContent,
  type MediaType,
  type OperationParams,
  paramsFrom,
  paramsFromUrl,
} from '../http/negotiation.ts'
import { Reply } from '../http/serve/reply.ts'
import { eventTypeOf } from '../http/subscriptions/accepted.ts'
import type { Admission, AdmittedOperation } from './admission.ts'
import { type Apollo, startApollo } from './apollo.ts'
import type { ServiceEvents } from './events/index.ts'
import type { SubgraphServiceOptions } from './options.ts'
import { createPrepared } from './prepared.ts'
import { type Answer, sendAnswer } from './respond.ts'

/** What a gateway's fetch nests around what its client selected: `_entities`, its representations and their type. */
const fetchNesting = 8

/** Asks a subgraph for a trace of Apollo's kind, which Apollo Server makes. */
const traceHeader = 'apollo-federation-include-trace'

/** An operation that may be executed, however it arrived. */
export interface ArrivedOperation {
  readonly operation: AdmittedOperation
  /** What its answer is. */
  readonly type: MediaType
  /** A header, by its name in lower case. */
  header(name: string): string | undefined
  /** All of them. */
  readonly headers: IncomingHttpHeaders
  /** What an assertion by the gateway is good for. */
  body(): Buffer
  /** Cancels the request as soon as its answer is not waited for. */
  follow(request: GatewayRequest): void
}

/** Who asks. */
interface Checked {
  readonly id: string
  readonly identity: Identity | undefined
}

export interface GraphqlRequests {
  /** Responds to one HTTP request whose body is here. */
  respond(raw: IncomingMessage, reply: Reply, body: Buffer): Promise<void>
  /** Answers an operation from elsewhere; rejects where the service is at fault. */
  answer(arrived: ArrivedOperation): Promise<Answer>
  stop(): Promise<void>
}

/** `subgraph` is the one to execute: guarded where the options say so. */
export async function createGraphqlRequests(
  subgraph: Subgraph,
  { admission, events }: { readonly admission: Admission; readonly events: ServiceEvents },
  options: SubgraphServiceOptions,
): Promise<GraphqlRequests> {
  const { authenticator, metrics, traces, log } = options
  const prepared = createPrepared({ subgraph, keptDocuments: options.keptDocuments, log })
  const apollo: Apollo = await startApollo(subgraph, log)

  /** Whether the operation may be executed, and for whom; the answer where it may not. */
  async function check(arrived: ArrivedOperation): Promise<Checked | Answer> {
    const contentType = contentTypeOf(arrived.type)
    const nested = nestingFault(arrived.operation, options.nesting, prepared.knows)
    if (nested !== undefined) return refusal(nested, 400, contentType)
    const id = idOf(arrived.header('x-request-id'), subgraph.name)
    try {
      const authenticated = authenticator?.authenticate(arrived.header('authorization'), arrived)
      return { id, identity: authenticated instanceof Promise ? await authenticated : authenticated }
    } catch (error) {
      return refusal(maskError(error, id, log, traceIdIn(arrived.header('traceparent'))), 401, contentType)
    }
  }

  async function execute(arrived: ArrivedOperation, before?: Checked): Promise<Answer> {
    const { operation, type } = arrived
    const contentType = contentTypeOf(type)
    const checked = before ?? (await check(arrived))
    if ('status' in checked) return checked
    const { id, identity } = checked
    const started = performance.now()
    const request = createGatewayRequest({
      id,
      deadline: started + options.timeoutMs,
      header: (name) => arrived.header(name),
      identity,
      earlierAttempt: readEarlierAttempt(arrived.header(earlierAttemptHeader)),
    })
    arrived.follow(request)
    const isPlain = operation.method === 'POST' && arrived.header(traceHeader) === undefined
    const pending = isPlain ? prepared.answer(operation.json, request) : undefined
    let answer: Answer
    if (pending !== undefined) answer = { status: 200, contentType, body: await pending }
    else {
      const { headers } = arrived
      const json = prepared.whole(operation.json)
      const other = await apollo.answer({ headers, ...operation, json }, request)
      const status = statusFor(other.status, other.text, type)
      answer = { status, contentType: other.contentType ?? contentType, body: byteString(other.text) }
    }
    const milliseconds = performance.now() - started
    metrics.request({ operationName: undefined, status: answer.status, milliseconds })
    return answer
  }

  async function run(raw: IncomingMessage, reply: Reply, body: Buffer): Promise<void> {
    const { headers, method } = raw
    const json = acceptable(headers.accept)
    const takesEvents = method === 'POST' && eventTypeOf(headers.accept) === 'sse'
    const type = json ?? (takesEvents ? 'application/graphql-response+json' : undefined)
    if (type === undefined) {
      const message =
        'The response is application/graphql-response+json or application/json; the Accept header takes neither.'
      const refused = refusal(tesseraError('BAD_REQUEST', message), 406, contentTypeOf('application/json'))
      sendAnswer(reply, refused)
      return
    }
    const refuse = (error: GraphQLError, status: number): void =>
      sendAnswer(reply, refusal(error, status, contentTypeOf(type)))
    if (method === 'POST' && !isJsonContent(headers['content-type'])) {
      refuse(tesseraError('BAD_REQUEST', 'The content type must be application/json, in UTF-8.'), 415)
      return
    }
    if (method === 'GET' && body.length > 0) {
      refuse(tesseraError('BAD_REQUEST', 'A GET request has no body: send the query in the URL.'), 400)
      return
    }
    const operation = admission.admit(raw, body)
    if (operation === undefined) {
      const message = `This subgraph executes only what a gateway proves to have sent (expected ${signatureHeader} or ${routerHeader}).`
      refuse(tesseraError('UNAUTHENTICATED', message), 401)
      return
    }
    const arrived: ArrivedOperation = {
      operation,
      type,
      headers,
      header: (name) => headerOf(headers, name),
      body: () => body,
      follow: (request) => reply.whenGone(() => request.cancel()),
    }
    let checked: Checked | undefined
    if (takesEvents) {
      const found = await check(arrived)
      if ('status' in found) {
        sendAnswer(reply, found)
        return
      }
      checked = found
      const started = performance.now()
      const params = paramsOf(operation)
      if (params !== undefined && events.isFor(params)) {
        await events.respond(raw, reply, found.id, params)
        metrics.request({
          operationName: undefined,
          status: reply.status,
          milliseconds: performance.now() - started,
        })
        return
      }
      if (json === undefined) {
        refuse(tesseraError('BAD_REQUEST', 'Only subscriptions are answered by server-sent events.'), 406)
        return
      }
    }
    sendAnswer(reply, await execute(arrived, checked))
  }

  if (traces === undefined)
    return { respond: run, answer: (arrived) => execute(arrived), stop: () => apollo.stop() }
  return {
    respond: (raw, reply, body) =>
      traces.request(
        (name) => headerOf(raw.headers, name),
        async (span) => {
          span.rename(subgraph.name)
          await run(raw, reply, body)
          span.set({ 'http.response.status_code': reply.status })
        },
      ),
    answer: (arrived) =>
      traces.request(
        (name) => arrived.header(name),
        async (span) => {
          span.rename(subgraph.name)
          const answer = await execute(arrived)
          span.set({ 'http.response.status_code': answer.status })
          return answer
        },
      ),
    stop: () => apollo.stop(),
  }
}

const contentTypeOf = (type: MediaType): string => `${type}; charset=utf-8`

const refusal = (error: GraphQLError, status: number, contentType: string): Answer => ({
  status,
  contentType,
  body: jsonText({ errors: [error] }),
})

/**
 * What nests too deep, before anything that recurses reads it. Other limits are for the gateway to hold: it sends lists
 * of representations that are longer than what a client may send.
 */
function nestingFault(
  operation: AdmittedOperation,
  nesting: number,
  isSound: (query: string) => boolean,
): GraphQLError | undefined {
  const params = paramsOf(operation)
  if (params === undefined) return undefined
  const { query = '', variables } = params
  const limits = { nesting: nesting + fetchNesting, listItems: Number.POSITIVE_INFINITY }
  return (isSound(query) ? undefined : checkNesting(query, limits)) ?? checkValue(variables, limits)
}

/** Undefined where Apollo Server says what is wrong with them. */
function paramsOf({ method, search, json }: AdmittedOperation): OperationParams | undefined {
  try {
    return method === 'GET' ? paramsFromUrl(search) : paramsFrom(json)
  } catch {
    return undefined
  }
}

/** The request as the subgraph sees it; cancelled when the client goes away. */
export function runningRequest(
  raw: IncomingMessage,
  response: ServerResponse,
  id: string,
  deadline: number,
): GatewayRequest {
  const request = createGatewayRequest({
    id,
    deadline,
    header: (name) => headerOf(raw.headers, name),
    earlierAttempt: readEarlierAttempt(headerOf(raw.headers, earlierAttemptHeader)),
  })
  new Reply(raw, response).whenGone(() => request.cancel())
  return request
}

/** Of the caller's trace; for the log. */
export const traceIdOf = (raw: IncomingMessage): string | undefined =>
  traceIdIn(headerOf(raw.headers, 'traceparent'))

export const traceIdIn = (traceparent: string | undefined): string | undefined =>
  callerContext(traceparent)?.traceId

let counter = 0

export const requestIdOf = (raw: IncomingMessage, name: string): string =>
  idOf(headerOf(raw.headers, 'x-request-id'), name)

function idOf(given: string | undefined, name: string): string {
  if (given !== undefined) return given
  counter += 1
  return `${name}-${counter.toString(36)}`
}

/** With `application/json`, faults of the document itself have status 200, as GraphQL over HTTP wants it. */
function statusFor(status: number, text: string, type: MediaType): number {
  if (type !== 'application/json' || status !== 400) return status
  return /"code":"(GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT)"/.test(text) ? 200 : status
}
