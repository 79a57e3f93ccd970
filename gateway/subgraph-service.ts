/**
 * One subgraph as an HTTP service of its own, on Apollo Server: for a gateway elsewhere, ours or another
 * router. It answers only who proves itself; health answers everybody.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ApolloServer, HeaderMap } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import { GraphQLError, type GraphQLFormattedError, Kind, type OperationDefinitionNode, parse } from 'graphql'
import { tesseraError } from '../subgraphs/lib/errors.ts'
import { headerOf } from '../subgraphs/lib/headers.ts'
import { takePartialErrors } from '../subgraphs/lib/partial-errors.ts'
import { createVerifier, routerHeader, signatureHeader } from '../subgraphs/lib/signature.ts'
import type { Subgraph, UploadAnswer } from '../subgraphs/lib/subgraph.ts'
import { type Authenticator, anonymous, type Identity } from './authenticate.ts'
import { guardSubgraph } from './guard-subgraph.ts'
import { acceptable, isJsonContent, type MediaType } from './http.ts'
import type { Logger } from './log.ts'
import { maskError } from './mask.ts'
import type { Measures } from './measures.ts'
import { createGatewayRequest } from './request.ts'
import { createTraffic } from './serve/traffic.ts'
import { ListenError } from './serve.ts'
import { measureStates, type ServiceState, serviceState } from './states.ts'
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

/** Apollo Server clones contexts: what belongs to one is a property of it. */
const callerOf = Symbol('caller')
interface Carrier {
  [callerOf]?: Identity
}

export async function startSubgraphService(options: SubgraphServiceOptions): Promise<SubgraphService> {
  const { subgraph, secret, authenticator, measures, traces, log } = options
  const verify = secret === undefined ? undefined : createVerifier(secret)
  if (authenticator !== undefined) {
    guardSubgraph(subgraph, (context) => (context as Carrier)[callerOf] ?? anonymous)
  }
  const apollo = new ApolloServer<object>({
    schema: subgraph.schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    logger: log,
    formatError: (formatted, error) => formatFor(formatted, error, log),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      {
        async requestDidStart() {
          return {
            async willSendResponse({ contextValue, response }) {
              const partial = takePartialErrors(contextValue)
              if (partial.length === 0 || response.body.kind !== 'single') return
              const { singleResult } = response.body
              singleResult.errors = [
                ...(singleResult.errors ?? []),
                ...partial.map((error) => error.toJSON()),
              ]
            },
          }
        },
      },
    ],
  })
  await apollo.start()

  const states = (): ServiceState[] => {
    const state = subgraph.state?.()
    return state === undefined ? [] : [serviceState(subgraph.name, state)]
  }
  measureStates(measures, states)

  let leaving = false
  let draining = false
  const traffic = createTraffic()

  async function graphql(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    const type = acceptable(raw.headers.accept)
    const refuse = (error: GraphQLError, status: number): void => {
      send(
        response,
        status,
        `${type ?? 'application/json'}; charset=utf-8`,
        JSON.stringify({ errors: [error] }),
      )
    }
    if (type === undefined) {
      send(response, 406, 'text/plain; charset=utf-8', 'Not Acceptable')
      return
    }
    if (raw.method === 'POST' && !isJsonContent(raw.headers['content-type'])) {
      raw.resume()
      refuse(tesseraError('BAD_REQUEST', 'The content type must be application/json, in UTF-8.'), 415)
      return
    }
    const body = await readBody(raw, options.maxBodyBytes)
    if (body === undefined) {
      refuse(
        tesseraError('REQUEST_TOO_LARGE', `The request body is larger than ${options.maxBodyBytes} bytes.`),
        413,
      )
      return
    }
    const url = new URL(raw.url ?? '/', 'http://subgraph')
    const json = parsed(body)
    const proven =
      verify === undefined ||
      verify({
        signature: headerOf(raw.headers, signatureHeader),
        router: headerOf(raw.headers, routerHeader),
        body: raw.method === 'GET' ? url.search : body,
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
    const id = headerOf(raw.headers, 'x-request-id') ?? nextId(subgraph.name)
    const request = createGatewayRequest({
      id,
      deadline: performance.now() + options.timeoutMs,
      header: (name) => headerOf(raw.headers, name),
    })
    response.once('close', () => {
      if (!response.writableEnded) request.cancel()
    })
    const headers = new HeaderMap()
    for (const [name, value] of Object.entries(raw.headers)) {
      if (typeof value === 'string') headers.set(name, value)
    }
    let identity: Identity | undefined
    try {
      identity = await authenticator?.authenticate(raw.headers.authorization)
    } catch (error) {
      refuse(maskError(error, id, log), 401)
      return
    }
    const started = performance.now()
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: raw.method ?? 'POST', headers, search: url.search, body: json },
      context: async () => {
        const context = subgraph.createContext(request)
        if (identity !== undefined) (context as Carrier)[callerOf] = identity
        return context
      },
    })
    const text = answer.body.kind === 'complete' ? answer.body.string : ''
    const status = statusFor(answer.status ?? 200, text, type)
    const contentType = answer.headers.get('content-type') ?? `${type}; charset=utf-8`
    measures.request({ operationName: undefined, status, milliseconds: performance.now() - started })
    send(response, status, contentType, text)
  }

  /** Bytes of an upload: the address proves its holder, the header the gateway. */
  async function takeUpload(
    handler: UploadHandler,
    raw: IncomingMessage,
    response: ServerResponse,
    token: string,
  ): Promise<void> {
    const id = headerOf(raw.headers, 'x-request-id') ?? nextId(subgraph.name)
    const request = createGatewayRequest({
      id,
      deadline: Number.POSITIVE_INFINITY,
      header: (name) => headerOf(raw.headers, name),
    })
    response.once('close', () => {
      if (!response.writableEnded) request.cancel()
    })
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
      answer = uploadFailure(error, id, log)
    }
    const body = answer.body === undefined ? '' : JSON.stringify(answer.body)
    response.writeHead(answer.status, {
      ...answer.headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  }

  const server = createServer((raw, response) => {
    const path = (raw.url ?? '/').split('?')[0]
    if (path === '/health/live') return json(response, 200, { live: true })
    if (path === '/health/ready') {
      return json(response, leaving ? 503 : 200, { ready: !leaving, services: states() })
    }
    if (path === '/metrics') {
      measures.text().then(
        (text) => send(response, 200, measures.contentType, text),
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
    traffic.take(response)
    if (upload !== undefined) {
      void takeUpload(upload, raw, response, (path ?? '').slice(uploadPath.length))
      return undefined
    }
    const answered =
      traces === undefined
        ? graphql(raw, response)
        : traces.request(
            (name) => headerOf(raw.headers, name),
            async (span) => {
              span.rename(subgraph.name)
              await graphql(raw, response)
              span.set({ 'http.response.status_code': response.statusCode })
            },
          )
    answered.catch((error: unknown) => {
      log.error({ err: error }, 'the subgraph service failed')
      if (!response.headersSent) json(response, 500, { errors: [maskError(error, subgraph.name, log)] })
      else response.destroy()
    })
    return undefined
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason =
        cause.code === 'EADDRINUSE'
          ? 'is in use: choose another one with --port'
          : `cannot be listened on (${cause.code})`
      reject(new ListenError(`port ${options.port} on ${options.host} ${reason}`, { cause }))
    })
    server.listen(options.port, options.host, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  return {
    url: `http://${options.host}:${port}/graphql`,
    async stop(graceMs, delayMs = 0) {
      leaving = true
      if (delayMs > 0) await delay(delayMs)
      draining = true
      await traffic.settled(graceMs)
      server.closeIdleConnections()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const cut = setTimeout(() => server.closeAllConnections(), 500)
      await closed
      clearTimeout(cut)
      await apollo.stop()
    },
  }
}

let counter = 0

function nextId(name: string): string {
  counter += 1
  return `${name}-${counter.toString(36)}`
}

function formatFor(formatted: GraphQLFormattedError, error: unknown, log: Logger): GraphQLFormattedError {
  const original = error instanceof GraphQLError ? error : undefined
  if (original?.originalError === undefined || original.originalError === null) return formatted
  if (formatted.extensions?.code !== 'INTERNAL_SERVER_ERROR') return formatted
  const masked = maskError(
    new GraphQLError(original.message, { originalError: original.originalError }),
    'subgraph',
    log,
  )
  return { ...formatted, message: masked.message, extensions: { ...masked.extensions } }
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

async function readBody(raw: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function json(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value))
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
