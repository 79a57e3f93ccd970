/**
 * The gateway's HTTP server. GraphQL requests go to a handler of their own (`serve/graphql.ts`), every other route
 * (health, metrics, what is added) is Fastify's. It handles CORS as configured, and drains before it closes.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import createCors from 'cors'
import fastify, { type FastifyInstance } from 'fastify'
import { tesseraError } from '../../../contract/errors.ts'
import type { ServiceState } from '../../observe/health.ts'
import { callerTrace, type Logger } from '../../observe/log.ts'
import { type Metrics, openMetricsType } from '../../observe/metrics/index.ts'
import type { GraphqlOverHttp } from '../graphql-over-http.ts'
import type { Gate } from '../overload/index.ts'
import type { WebSockets } from '../subscriptions/websocket.ts'
import { uploadPath } from '../uploads.ts'
import { sendBody, varying } from './body.ts'
import { corsOf } from './cors.ts'
import { type CompressionMode, compress, createCompression } from './compression.ts'
import { type ConnectionLimits, createConnections } from './connections.ts'
import { createGraphqlHandler, stoppingResponse } from './graphql.ts'
import { closeServer, stopAccepting } from './listening.ts'
import { securityHeaders } from './security-headers.ts'
import { createHttpServer, ListenError, originOf } from './server.ts'
import type { Tls } from './tls.ts'
import { createTraffic, type Traffic } from './traffic.ts'

export interface FrontOptions {
  readonly respond: GraphqlOverHttp
  readonly metrics: Metrics
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly corsOrigins: readonly string[]
  readonly csrf: boolean
  readonly compression: CompressionMode
  readonly connections: ConnectionLimits
  /** Undefined speaks plain HTTP. */
  readonly tls?: Tls | undefined
  /** Of all processes that serve this port, where there are several. */
  readonly together?:
    | {
        metrics(): Promise<string>
        health(): Promise<{
          readonly services: readonly ServiceState[]
          readonly workers: object | undefined
        }>
      }
    | undefined
  /** Where requests begin. */
  readonly gate: Gate
  /** What takes WebSockets; without it there are none. */
  readonly webSockets?: WebSockets | undefined
  /** Tells clients that hold their responses open to come back, and takes no more of them. */
  readonly sendAway?: (() => void) | undefined
  /** The state of each service, for `/health/ready`. */
  readonly states: () => readonly ServiceState[]
  /** Which generation of the graph is served, for `/health/ready`. */
  readonly generation?: (() => object) | undefined
  /** Whether GraphQL is served at `/`, too. */
  readonly atRoot?: boolean | undefined
  /** Makes what speaks another protocol on connections that ask for it at the address of GraphQL. */
  readonly protocol?: ((server: Serving) => OtherProtocol) | undefined
  /** More routes: the explorer, uploads. */
  readonly routes?: ((app: FastifyInstance) => void | Promise<void>) | undefined
}

/** What a protocol beside HTTP shares with the server. */
export interface Serving {
  readonly traffic: Traffic
  readonly limits: ConnectionLimits
}

export interface OtherProtocol {
  /** As the `Upgrade` header names it, in lower case. */
  readonly name: string
  /** Takes over the connection of a request that asks for it, or refuses it. */
  upgrade(request: IncomingMessage, socket: Socket, first: Buffer): void
  /** Asks clients to begin nothing more on these connections; with `refuse` what they begin is refused. */
  leave(refuse: boolean): void
  /** Closes all connections, after what was written. */
  close(): void
}

export interface Front {
  readonly app: FastifyInstance
  listen(host: string, port: number): Promise<string>
  /**
   * Turns `ready` false and goes on responding for `delayMs`, so that a load balancer sees it before anything
   * is refused; then lets running requests finish within `graceMs` and refuses new ones.
   */
  drain(graceMs: number, delayMs?: number): Promise<void>
  /**
   * Leaves the port to other processes that listen on it: takes no new connection, answers what comes on those that
   * there are and asks to close them, and drains when all are closed or `mostMs` have passed.
   */
  handOver(mostMs: number, graceMs: number): Promise<void>
}

/** Of routes beside GraphQL and uploads: Fastify keeps an object for each chunk of a body. */
const mostBodyBytes = 16 * 1024

/** No route has a schema. Without these Fastify loads the hundred modules of its own compilers with each start. */
function noSchema(): never {
  throw new Error('routes have no schemas')
}

export async function createFront(options: FrontOptions): Promise<Front> {
  const { metrics, log, states } = options
  const traffic = createTraffic()
  const chooseEncoding = createCompression(options.compression)
  const connections = createConnections(options.connections, metrics.refused)
  const graphql = createGraphqlHandler({ ...options, chooseEncoding, connections, traffic, requestId })
  const other = options.protocol?.({ traffic, limits: connections.limits })
  const isGraphql = (url: string): boolean =>
    isAt(graphqlPath, url) || (options.atRoot === true && isAt('', url))
  const cors = options.corsOrigins.length === 0 ? undefined : createCors(corsOf(options.corsOrigins))

  /** Every route beside GraphQL; of those, only uploads are waited for when draining. */
  const elsewhere =
    (others: RequestListener): RequestListener =>
    (request, response) => {
      if (request.url?.startsWith(uploadPath) === true) {
        if (refusing) {
          request.resume()
          connections.awaitBody(request, () => request.destroy())
          const { status, head, body } = stoppingResponse
          sendBody(response, status, [...head], body)
          return
        }
        traffic.take(request, response)
        connections.awaitProgress(request, () => request.destroy())
      } else connections.awaitBody(request, () => request.destroy())
      others(request, response)
    }

  /** CORS comes first, for every route; of requests without an origin for those whose responses may be kept. */
  const listener =
    (beside: RequestListener): RequestListener =>
    (request, response) => {
      const ofGraph = isGraphql(request.url ?? '')
      const next = ofGraph ? graphql.handle : beside
      const isConcerned =
        request.headers.origin !== undefined ||
        (!ofGraph && (request.method === 'GET' || request.method === 'HEAD'))
      if (cors === undefined || !isConcerned) next(request, response)
      else cors(request, response, () => next(request, response))
    }

  const app = fastify({
    serverFactory: (others) =>
      createHttpServer(listener(elsewhere(others)), connections, {
        tls: options.tls,
        protocols: other === undefined ? ['websocket'] : ['websocket', other.name],
        unread: { metrics, log },
      }),
    logger: false,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // The server answers by itself (`unread.ts`).
    clientErrorHandler() {},
    bodyLimit: mostBodyBytes,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8192 },
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
  })
  /** Still responding, but no connection is kept alive. */
  let leaving = false
  let refusing = false

  const { webSockets } = options
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const way = request.headers.upgrade?.toLowerCase() === other?.name ? other : webSockets
    const status =
      way === undefined || !isGraphql(request.url ?? '')
        ? '404 Not Found'
        : way === webSockets
          ? upgradeRefusal(request, { refusing, origins: options.corsOrigins, csrf: options.csrf })
          : undefined
    if (status === undefined) way?.upgrade(request, socket, head)
    else socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  })

  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500)
      log.error(
        { request: request.id, ...callerTrace(request.headers), err: error },
        'the HTTP server failed',
      )
    const problem =
      status < 500
        ? tesseraError('BAD_REQUEST', 'The HTTP request cannot be read.')
        : tesseraError(
            'INTERNAL_SERVER_ERROR',
            `Something went wrong here. The log has it under ${request.id}.`,
          )
    return reply
      .code(status)
      .headers(securityHeaders)
      .send({ errors: [problem] })
  })
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .send({ errors: [tesseraError('NOT_FOUND', 'There is nothing here. GraphQL is served at /graphql.')] }),
  )

  app.addHook('onSend', async (request, reply, payload) => {
    // What a route says is sent in place of what was set before it: the origin must stay among it.
    const [own, before] = [reply.getHeader('vary'), reply.raw.getHeader('vary')]
    if (own !== undefined && before !== undefined && own !== before) reply.header('vary', `${before}, ${own}`)
    if (typeof payload !== 'string' || reply.hasHeader('content-encoding')) return payload
    const bytes = Buffer.from(payload)
    const encoding = chooseEncoding(request.raw, bytes.length)
    if (encoding === undefined) return payload
    const compressed = await compress(bytes, encoding)
    reply.headers({
      'content-encoding': encoding,
      'content-length': compressed.length,
      vary: varying(reply.getHeader('vary') ?? reply.raw.getHeader('vary')),
    })
    return compressed
  })

  app.get('/health/live', async (_request, reply) => reply.send({ live: true }))
  app.get('/health/ready', async (_request, reply) => {
    const health = options.together === undefined ? { services: states() } : await options.together.health()
    const ready = !leaving
    return reply.code(ready ? 200 : 503).send({ ready, ...health, generation: options.generation?.() })
  })
  app.get('/metrics', async (request, reply) => {
    // Exemplars have no form in Prometheus' own format, and those of several processes are not added up.
    if (options.together === undefined && request.headers.accept?.includes('application/openmetrics-text'))
      return reply.header('content-type', openMetricsType).send(await metrics.openMetrics())
    return reply
      .header('content-type', metrics.contentType)
      .send(await (options.together?.metrics() ?? metrics.text()))
  })
  await options.routes?.(app)

  async function end(graceMs: number): Promise<void> {
    refusing = true
    graphql.leave(true)
    other?.leave(true)
    options.sendAway?.()
    await traffic.settled(graceMs)
    other?.close()
    await closeServer(app.server, () => app.close())
  }

  return {
    app,
    async listen(host, port) {
      try {
        const { backlog } = connections.limits
        await app.listen({ host, port, backlog })
      } catch (error) {
        throw new ListenError(host, port, error)
      }
      return originOf(app.server, host)
    },
    async drain(graceMs, delayMs = 0) {
      leaving = true
      graphql.leave(false)
      other?.leave(false)
      if (delayMs > 0) await delay(delayMs)
      await end(graceMs)
    },
    async handOver(mostMs, graceMs) {
      leaving = true
      graphql.leave(false)
      other?.leave(false)
      stopAccepting(app.server)
      options.sendAway?.()
      const until = performance.now() + mostMs
      while (connections.count() > 0 && performance.now() < until) await delay(lookMs)
      await end(graceMs)
    },
  }
}

/** How often it is looked whether connections are closed. */
const lookMs = 50

let counter = 0
const processPart = Math.floor(Math.random() * 0xffffffff).toString(36)

/** The caller's own id where it is harmless, else one of ours. */
function requestId(given: unknown): string {
  if (typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given)) return given
  counter += 1
  return `${processPart}-${counter.toString(36)}`
}

/** Why a connection does not become a WebSocket, as a status; undefined where it does. */
function upgradeRefusal(
  { headers }: IncomingMessage,
  { refusing, origins, csrf }: { refusing: boolean; origins: readonly string[]; csrf: boolean },
): string | undefined {
  if (refusing) return '503 Service Unavailable'
  const { origin, host } = headers
  // Pages of other sites may open WebSockets anywhere: browsers do not ask first, as they do for other requests.
  const isForeign = csrf && origin !== undefined && !origins.includes('*') && !origins.includes(origin)
  return isForeign && URL.parse(origin)?.host !== host ? '403 Forbidden' : undefined
}

/** Whether it is this path, with or without a query or a last slash. */
function isAt(path: string, url: string): boolean {
  if (!url.startsWith(path)) return false
  const end = url.charCodeAt(url[path.length] === '/' ? path.length + 1 : path.length)
  return Number.isNaN(end) || end === questionMark
}

const graphqlPath = '/graphql'
const questionMark = 0x3f
