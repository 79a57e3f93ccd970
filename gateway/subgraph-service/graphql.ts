/**
 * The GraphQL requests of a subgraph service: admitted, authenticated, then executed as they were prepared before
 * (`prepared.ts`) or by Apollo Server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../contract/errors.ts'
import { headerOf } from '../../contract/headers.ts'
import { asByteString, byteString, jsonText } from '../../contract/hot/byte-string.ts'
import type { Identity } from '../../contract/identity.ts'
import { earlierAttemptHeader, readEarlierAttempt } from '../../contract/request.ts'
import { routerHeader, signatureHeader } from '../../contract/signature.ts'
import type { Subgraph } from '../../contract/subgraph.ts'
import { callerContext } from '../../contract/trace-context.ts'
import type { Shown } from '../access/authenticate/index.ts'
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
import { whenDelivered } from '../http/serve/delivery.ts'
import { eventTypeOf } from '../http/subscriptions/accepted.ts'
import type { Admission, AdmittedOperation } from './admission.ts'
import { type Apollo, startApollo } from './apollo.ts'
import type { ServiceEvents } from './events/index.ts'
import type { SubgraphServiceOptions } from './options.ts'
import { createPrepared } from './prepared.ts'
import { send } from './respond.ts'

/** What a gateway's fetch nests around what its client selected: `_entities`, its representations and their type. */
const fetchNesting = 8

/** Asks a subgraph for a trace of Apollo's kind, which Apollo Server makes. */
const traceHeader = 'apollo-federation-include-trace'

export interface GraphqlRequests {
  /** Responds to one request whose body is here. */
  respond(raw: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void>
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

  async function run(raw: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const { headers, method } = raw
    const json = acceptable(headers.accept)
    const takesEvents = method === 'POST' && eventTypeOf(headers.accept) === 'sse'
    const type = json ?? (takesEvents ? 'application/graphql-response+json' : undefined)
    if (type === undefined) {
      send(response, 406, 'text/plain; charset=utf-8', asByteString('Not Acceptable'))
      return
    }
    const contentType = `${type}; charset=utf-8`
    const refuse = (error: GraphQLError, status: number): void =>
      send(response, status, contentType, jsonText({ errors: [error] }))
    if (method === 'POST' && !isJsonContent(headers['content-type'])) {
      refuse(tesseraError('BAD_REQUEST', 'The content type must be application/json, in UTF-8.'), 415)
      return
    }
    if (method === 'GET' && body.length > 0) {
      refuse(tesseraError('BAD_REQUEST', 'A GET request has no body: send the query in the URL.'), 400)
      return
    }
    const admitted = admission.admit(raw, body)
    if (admitted === undefined) {
      const message = `This subgraph executes only what a gateway proves to have sent (expected ${signatureHeader} or ${routerHeader}).`
      refuse(tesseraError('UNAUTHENTICATED', message), 401)
      return
    }
    const nested = nestingFault(admitted, options.nesting, prepared.knows)
    if (nested !== undefined) {
      refuse(nested, 400)
      return
    }
    const id = requestIdOf(raw, subgraph.name)
    let identity: Identity | undefined
    try {
      const shown: Shown = { header: (name) => headerOf(headers, name), body: () => body }
      const authenticated = authenticator?.authenticate(headers.authorization, shown)
      identity = authenticated instanceof Promise ? await authenticated : authenticated
    } catch (error) {
      refuse(maskError(error, id, log, traceIdOf(raw)), 401)
      return
    }
    const started = performance.now()
    const params = takesEvents ? paramsOf(admitted) : undefined
    if (params !== undefined && events.isFor(params)) {
      await events.respond(raw, response, id, params)
      const status = response.statusCode
      metrics.request({ operationName: undefined, status, milliseconds: performance.now() - started })
      return
    }
    if (json === undefined) {
      refuse(tesseraError('BAD_REQUEST', 'Only subscriptions are answered by server-sent events.'), 406)
      return
    }
    const request = runningRequest(raw, response, id, started + options.timeoutMs, identity)
    const isPlain = admitted.method === 'POST' && headers[traceHeader] === undefined
    const pending = isPlain ? prepared.answer(admitted.json, request) : undefined
    let status = 200
    if (pending !== undefined) send(response, status, contentType, await pending)
    else {
      const answer = await apollo.answer(
        { headers, ...admitted, json: prepared.whole(admitted.json) },
        request,
      )
      status = statusFor(answer.status, answer.text, type)
      send(response, status, answer.contentType ?? contentType, byteString(answer.text))
    }
    metrics.request({ operationName: undefined, status, milliseconds: performance.now() - started })
  }

  return {
    respond:
      traces === undefined
        ? run
        : (raw, response, body) =>
            traces.request(
              (name) => headerOf(raw.headers, name),
              async (span) => {
                span.rename(subgraph.name)
                await run(raw, response, body)
                span.set({ 'http.response.status_code': response.statusCode })
              },
            ),
    stop: () => apollo.stop(),
  }
}

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
  identity?: Identity,
): GatewayRequest {
  const request = createGatewayRequest({
    id,
    deadline,
    header: (name) => headerOf(raw.headers, name),
    identity,
    earlierAttempt: readEarlierAttempt(headerOf(raw.headers, earlierAttemptHeader)),
  })
  whenDelivered(raw, response, (whole) => {
    if (!whole) request.cancel()
  })
  return request
}

/** Of the caller's trace; for the log. */
export const traceIdOf = (raw: IncomingMessage): string | undefined =>
  callerContext(headerOf(raw.headers, 'traceparent'))?.traceId

let counter = 0

export function requestIdOf(raw: IncomingMessage, name: string): string {
  const given = headerOf(raw.headers, 'x-request-id')
  if (given !== undefined) return given
  counter += 1
  return `${name}-${counter.toString(36)}`
}

/** With `application/json`, faults of the document itself have status 200, as GraphQL over HTTP wants it. */
function statusFor(status: number, text: string, type: MediaType): number {
  if (type !== 'application/json' || status !== 400) return status
  return /"code":"(GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT)"/.test(text) ? 200 : status
}
