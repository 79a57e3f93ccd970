/**
 * One subgraph as an HTTP service of its own, for a gateway elsewhere, ours or another router. It answers only
 * who proves itself; health answers everybody. Operations that come again take a short way
 * (`subgraph-service/prepared.ts`); Apollo Server knows the rest.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type GraphQLError, Kind, type OperationDefinitionNode, parse } from 'graphql'
import { tesseraError } from '../subgraphs/lib/errors.ts'
import { headerOf } from '../subgraphs/lib/headers.ts'
import type { JsonText } from '../subgraphs/lib/raw-json.ts'
import { createVerifier, routerHeader, signatureHeader } from '../subgraphs/lib/signature.ts'
import type { Subgraph, UploadAnswer } from '../subgraphs/lib/subgraph.ts'
import { asWireText, jsonText, wireText } from '../subgraphs/lib/wire-text.ts'
import type { Authenticator, Identity } from './authenticate.ts'
import { guardSubgraph } from './guard-subgraph.ts'
import { acceptable, isJsonContent, type MediaType } from './http.ts'
import type { Logger } from './log.ts'
import { maskError } from './mask.ts'
import type { Measures } from './measures.ts'
import { createGatewayRequest, type GatewayRequest } from './request.ts'
import { collectBody, jsonType, sendBody } from './serve/body.ts'
import { whenDelivered } from './serve/delivery.ts'
import { closeServer, createHttpServer, ListenError, originOf } from './serve/server.ts'
import { createTraffic } from './serve/traffic.ts'
import { measureStates, type ServiceState, serviceState } from './states.ts'
import { startApollo } from './subgraph-service/apollo.ts'
import { createPrepared } from './subgraph-service/prepared.ts'
import type { Traces } from './traces.ts'
import { type UploadHandler, uploadFailure, uploadPath } from './uploads.ts'

export interface SubgraphServiceOptions {
  readonly subgraph: Subgraph
  readonly host: string
  readonly port: number
  /** What a gateway proves itself with; without one everybody is answered, which is for the sandbox alone. */
  readonly secret: string | undefined
  /** Whether `_service` answers without proof. */
  readonly introspection: boolean
  /** Checks the caller's own token against the subgraph's own rules, on top of the gateway's check. */
  readonly authenticator?: Authenticator | undefined
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  /** Documents that are kept prepared. */
  readonly keptDocuments: number
  readonly measures: Measures
  readonly traces?: Traces | undefined
  readonly log: Logger
}

export interface SubgraphService {
  readonly url: string
  /**
   * Turns `ready` false and goes on answering for `delayMs`; then lets running requests finish within
   * `graceMs`, and closes everything.
   */
  stop(graceMs: number, delayMs?: number): Promise<void>
}

/** Asks a subgraph for a trace of Apollo's kind, which Apollo Server makes. */
const traceHeader = 'apollo-federation-include-trace'

export async function startSubgraphService(options: SubgraphServiceOptions): Promise<SubgraphService> {
  const { secret, authenticator, measures, traces, log } = options
  const verify = secret === undefined ? undefined : createVerifier(secret)
  const subgraph = authenticator === undefined ? options.subgraph : guardSubgraph(options.subgraph)
  const prepared = createPrepared({ subgraph, keptDocuments: options.keptDocuments, log })
  const apollo = await startApollo(subgraph, log)

  const states = (): ServiceState[] => {
    const state = subgraph.state?.()
    return state === undefined ? [] : [serviceState(subgraph.name, state)]
  }
  measureStates(measures, states)

  let leaving = false
  let draining = false
  const traffic = createTraffic()

  const idOf = (raw: IncomingMessage): string =>
    headerOf(raw.headers, 'x-request-id') ?? nextId(subgraph.name)

  /** Whoever goes away is told to what still runs for them. */
  function requestOf(
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
    })
    whenDelivered(raw, response, (whole) => {
      if (!whole) request.cancel()
    })
    return request
  }

  /** Answers GraphQL; `body` is undefined where it is longer than what is read. */
  async function graphql(
    raw: IncomingMessage,
    response: ServerResponse,
    body: Buffer | undefined,
  ): Promise<void> {
    const { headers, method = 'POST' } = raw
    const type = acceptable(headers.accept)
    if (type === undefined) {
      send(response, 406, 'text/plain; charset=utf-8', asWireText('Not Acceptable'))
      return
    }
    const contentType = `${type}; charset=utf-8`
    const refuse = (error: GraphQLError, status: number): void =>
      send(response, status, contentType, jsonText({ errors: [error] }))
    if (method === 'POST' && !isJsonContent(headers['content-type'])) {
      refuse(tesseraError('BAD_REQUEST', 'The content type must be application/json, in UTF-8.'), 415)
      return
    }
    if (body === undefined) {
      refuse(
        tesseraError('REQUEST_TOO_LARGE', `The request body is larger than ${options.maxBodyBytes} bytes.`),
        413,
      )
      return
    }
    const search = method === 'GET' ? new URL(raw.url ?? '/', 'http://subgraph').search : ''
    const json = parsed(body)
    const proven =
      verify === undefined ||
      verify({
        signature: headerOf(headers, signatureHeader),
        router: headerOf(headers, routerHeader),
        body: method === 'GET' ? search : body,
      }) ||
      (options.introspection && isServiceQuery(json))
    if (!proven) {
      const expected = `expected ${signatureHeader} or ${routerHeader}`
      refuse(
        tesseraError(
          'UNAUTHENTICATED',
          `This subgraph answers only a gateway that proves itself (${expected}).`,
        ),
        401,
      )
      return
    }
    const id = idOf(raw)
    let identity: Identity | undefined
    try {
      const proof = authenticator?.authenticate(headers.authorization)
      identity = proof instanceof Promise ? await proof : proof
    } catch (error) {
      refuse(maskError(error, id, log), 401)
      return
    }
    const started = performance.now()
    const request = requestOf(raw, response, id, started + options.timeoutMs, identity)
    const isPlain = method === 'POST' && headers[traceHeader] === undefined
    const pending = isPlain ? prepared.answer(json, request) : undefined
    let status = 200
    if (pending !== undefined) send(response, status, contentType, await pending)
    else {
      const answer = await apollo.answer({ method, headers, search, json }, request)
      status = statusFor(answer.status, answer.text, type)
      send(response, status, answer.contentType ?? contentType, wireText(answer.text))
    }
    measures.request({ operationName: undefined, status, milliseconds: performance.now() - started })
  }

  /** Bytes of an upload: the address proves its holder, the header the gateway. */
  async function takeUpload(
    handler: UploadHandler,
    raw: IncomingMessage,
    response: ServerResponse,
    token: string,
  ): Promise<void> {
    const request = requestOf(raw, response, idOf(raw), Number.POSITIVE_INFINITY)
    let answer: UploadAnswer
    try {
      const router = headerOf(raw.headers, routerHeader)
      if (verify !== undefined && !verify({ signature: undefined, router, body: '' })) {
        throw tesseraError(
          'UNAUTHENTICATED',
          `This subgraph answers only a gateway that proves itself (expected ${routerHeader}).`,
        )
      }
      answer = await handler({ token, headers: raw.headers, body: raw }, request)
    } catch (error) {
      answer = uploadFailure(error, request.id, log)
    }
    const head = [...Object.entries(answer.headers).flat(), 'content-type', jsonType]
    sendBody(
      response,
      answer.status,
      head,
      answer.body === undefined ? asWireText('') : jsonText(answer.body),
    )
  }

  const answered: typeof graphql =
    traces === undefined
      ? graphql
      : (raw, response, body) =>
          traces.request(
            (name) => headerOf(raw.headers, name),
            async (span) => {
              span.rename(subgraph.name)
              await graphql(raw, response, body)
              span.set({ 'http.response.status_code': response.statusCode })
            },
          )

  const server = createHttpServer((raw, response) => {
    const path = (raw.url ?? '/').split('?')[0]
    if (path === '/health/live') return json(response, 200, { live: true })
    if (path === '/health/ready') {
      return json(response, leaving ? 503 : 200, { ready: !leaving, services: states() })
    }
    if (path === '/metrics') {
      measures.text().then(
        (text) => send(response, 200, measures.contentType, wireText(text)),
        () => response.destroy(),
      )
      return undefined
    }
    const upload = path?.startsWith(uploadPath) && raw.method === 'PUT' ? subgraph.upload : undefined
    if (upload === undefined && path !== '/graphql' && path !== '/')
      return json(response, 404, { errors: [{ message: 'There is nothing here.' }] })
    if (leaving) response.setHeader('connection', 'close')
    if (draining) {
      raw.resume()
      return json(response, 503, {
        errors: [tesseraError('SERVICE_STOPPING', 'This server is shutting down.')],
      })
    }
    traffic.take(raw, response)
    if (upload !== undefined) {
      void takeUpload(upload, raw, response, (path ?? '').slice(uploadPath.length))
      return undefined
    }
    collectBody(raw, options.maxBodyBytes, (body) => {
      answered(raw, response, body).catch((error: unknown) => {
        log.error({ err: error }, 'the subgraph service failed')
        if (!response.headersSent) json(response, 500, { errors: [maskError(error, subgraph.name, log)] })
        else response.destroy()
      })
    })
    return undefined
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new ListenError(options.host, options.port, cause)))
    server.listen(options.port, options.host, resolve)
  })
  return {
    url: `${originOf(server, options.host)}/graphql`,
    async stop(graceMs, delayMs = 0) {
      leaving = true
      if (delayMs > 0) await delay(delayMs)
      draining = true
      await traffic.settled(graceMs)
      await closeServer(server, () => new Promise<void>((resolve) => server.close(() => resolve())))
      await apollo.stop()
    },
  }
}

let counter = 0

function nextId(name: string): string {
  counter += 1
  return `${name}-${counter.toString(36)}`
}

/** With `application/json`, faults of the document itself are answered with 200, as GraphQL over HTTP wants it. */
function statusFor(status: number, text: string, type: MediaType): number {
  if (type !== 'application/json' || status !== 400) return status
  return /"code":"(GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT)"/.test(text) ? 200 : status
}

/** Whether this asks for nothing but the subgraph's own SDL. */
function isServiceQuery(json: unknown): boolean {
  const query = (json as { query?: unknown } | null | undefined)?.query
  if (typeof query !== 'string' || query.length > 2000) return false
  try {
    const definitions = parse(query, { maxTokens: 100 }).definitions
    return (
      definitions.length === 1 &&
      definitions.every(
        (definition) =>
          definition.kind === Kind.OPERATION_DEFINITION &&
          (definition as OperationDefinitionNode).selectionSet.selections.every(
            (selection) => selection.kind === Kind.FIELD && selection.name.value === '_service',
          ),
      )
    )
  } catch {
    return false
  }
}

function parsed(body: Buffer): unknown {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function json(response: ServerResponse, status: number, value: object): void {
  send(response, status, jsonType, jsonText(value))
}

function send(response: ServerResponse, status: number, contentType: string, body: JsonText): void {
  if (response.headersSent || response.destroyed) return
  sendBody(response, status, ['content-type', contentType], body)
}
