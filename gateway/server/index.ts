/**
 * The gateway's HTTP server. GraphQL requests go to a handler of their own (`graphql.ts`), all others to the routes
 * (`routes.ts`): health, metrics, and added ones. It handles CORS as configured, and drains before it closes.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import createCors from 'cors'
import type { GraphqlOverHttp } from '../graphql-http/graphql-over-http.ts'
import type { WebSockets } from '../subscriptions/websocket.ts'
import { type ActiveRequests, createActiveRequests } from './active-requests.ts'
import { type CompressionMode, createCompression } from './compression.ts'
import { type ConnectionLimits, type Connections, createConnections, warnOfFiles } from './connections.ts'
import { corsOf } from './cors.ts'
import { endConnection } from './end-connection.ts'
import { type FailureBody, GraphqlHandler, type GraphqlHandlerOptions } from './graphql.ts'
import { agentsPath } from './resource-metadata.ts'
import { RouteHandler } from './route-handler.ts'
import { originForm, type Route } from './routes.ts'
import { closeServer, createNodeServer, listen, originOf, stopAccepting } from './server.ts'
import { type StatusOptions, statusRoutes } from './status.ts'
import type { Tls } from './tls.ts'

export { jsonType } from './body.ts'

/** What the handlers of one server share. */
type CommonParts = Pick<GraphqlHandlerOptions, 'chooseEncoding' | 'connections' | 'traffic' | 'requestId'>

type HandlerParts = Omit<GraphqlHandlerOptions, keyof CommonParts | 'failureBody'>

interface HttpServerOptions extends StatusOptions, HandlerParts {
  readonly compression: CompressionMode
  readonly connections: ConnectionLimits
  /** Undefined serves plain HTTP. */
  readonly tls?: Tls | undefined
  readonly webSockets?: WebSockets | undefined
  /**
   * Asks clients with open responses or WebSockets to reconnect, and accepts no more of them. Resolves when the results
   * over WebSockets are sent, or after `mostMs`.
   */
  readonly drainSubscriptions?: ((mostMs: number) => Promise<void>) | undefined
  /** Whether GraphQL is served at `/`, too. */
  readonly atRoot?: boolean | undefined
  /** Makes the handler of another protocol, for connections that request it at the address of GraphQL. */
  readonly protocol?: ((server: Serving) => OtherProtocol) | undefined
  /** The handler of agents at `/mcp`; without it the route does not exist. */
  readonly agents?: AgentsEndpoint | undefined
  /** Further routes: the explorer, uploads. */
  readonly routes?: readonly Route[]
}

/** What a protocol other than HTTP shares with the server. */
export interface Serving {
  readonly traffic: ActiveRequests
  readonly limits: ConnectionLimits
}

export interface OtherProtocol {
  /** As the `Upgrade` header names it, in lower case. */
  readonly name: string
  /** Takes over the connection of a request that asks for it, or returns the status that refuses it. */
  upgrade(request: IncomingMessage, socket: Socket, first: Buffer): string | undefined
  /** Asks clients to begin nothing more on these connections; with `refuse` new requests are refused. */
  leave(refuse: boolean): void
  /** Closes all connections after the written data. */
  close(): void
}

/** Requests of agents are read, bounded, counted and drained like those of GraphQL. */
interface AgentsEndpoint {
  readonly respond: GraphqlOverHttp
  /** The body of a refusal, in the form of their protocol. */
  readonly failureBody: FailureBody
}

export class HttpServer {
  /** Node's own. */
  readonly server: Server
  readonly #options: HttpServerOptions
  readonly #traffic = createActiveRequests()
  readonly #connections: Connections
  readonly #graphql: GraphqlHandler
  readonly #agents: GraphqlHandler | undefined
  readonly #other: OtherProtocol | undefined
  readonly #routes: RouteHandler
  readonly #cors: ReturnType<typeof createCors> | undefined
  /** Still responding, but no connection is kept alive. */
  #leaving = false
  #refusing = false

  constructor(options: HttpServerOptions) {
    const { metrics, log, corsOrigins } = options
    const { maxConnections } = options.connections
    this.#options = options
    this.#connections = createConnections(options.connections, metrics.refused)
    warnOfFiles(maxConnections, log)
    const common: CommonParts = {
      chooseEncoding: createCompression(options.compression),
      connections: this.#connections,
      traffic: this.#traffic,
      requestId,
    }
    this.#graphql = new GraphqlHandler({ ...options, ...common })
    this.#agents = options.agents && new GraphqlHandler({ ...options, ...options.agents, ...common })
    this.#other = options.protocol?.({ traffic: this.#traffic, limits: this.#connections.limits })
    this.#cors = corsOrigins.length === 0 ? undefined : createCors(corsOf(corsOrigins))
    this.#routes = new RouteHandler({
      routes: [...statusRoutes(options, () => this.#leaving), ...(options.routes ?? [])],
      ...common,
      log,
    })
    this.server = createNodeServer(this.#onRequest, this.#connections, {
      tls: options.tls,
      protocols: this.#other === undefined ? ['websocket'] : ['websocket', this.#other.name],
      malformed: { metrics, log },
    })
    this.server.on('upgrade', this.#onUpgrade)
  }

  /** Returns its origin, such as `http://127.0.0.1:4000`. */
  async listen(host: string, port: number): Promise<string> {
    await listen(this.server, { host, port, backlog: this.#connections.limits.backlog })
    return originOf(this.server, host)
  }

  /**
   * Sets `ready` to false and continues to respond for `delayMs`, so that a load balancer notices before anything is
   * refused. Then it lets running requests finish within `graceMs` and refuses new ones.
   */
  async drain(graceMs: number, delayMs = 0): Promise<void> {
    this.#leave(false)
    if (delayMs > 0) {
      await delay(delayMs)
      // A load balancer that has not noticed takes another gateway if it cannot connect, but passes a refusal on.
      await stopAccepting(this.server)
      // What was sent on the last connections has arrived by then, and is answered.
      await delay(lookMs)
    }
    await this.#end(graceMs)
  }

  /**
   * Leaves the port to other processes that listen on it: accepts no new connection, answers requests on the existing
   * ones and asks to close them, and drains when all are closed or `mostMs` have passed.
   */
  async handOffPort(mostMs: number, graceMs: number): Promise<void> {
    this.#leave(false)
    await stopAccepting(this.server)
    void this.#options.drainSubscriptions?.(mostMs)
    const until = performance.now() + mostMs
    while (this.#connections.count() > 0 && performance.now() < until) await delay(lookMs)
    await this.#end(graceMs)
  }

  /** CORS comes first, for every route; for requests without an origin only if the response is cacheable. */
  readonly #onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { method, headers, url = '/' } = request
    if (!url.startsWith('/')) request.url = originForm(url)
    const handler = this.#handlerOf(request.url ?? '/')
    const isRead = method === 'GET' || method === 'HEAD'
    const isConcerned = headers.origin !== undefined || (handler !== this.#graphql && isRead)
    if (this.#cors === undefined || !isConcerned) handler.handle(request, response)
    else this.#cors(request, response, () => handler.handle(request, response))
  }

  #handlerOf(url: string): GraphqlHandler | RouteHandler {
    if (this.#isGraphql(url)) return this.#graphql
    return this.#agents !== undefined && isAt(agentsPath, url) ? this.#agents : this.#routes
  }

  #isGraphql(url: string): boolean {
    return isAt(graphqlPath, url) || (this.#options.atRoot === true && isAt('', url))
  }

  readonly #onUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    const { webSockets, corsOrigins: origins, csrf } = this.#options
    const other = this.#other
    const way = request.headers.upgrade?.toLowerCase() === other?.name ? other : webSockets
    const isWanted = way !== undefined && this.#isGraphql(request.url ?? '')
    const gate = way === webSockets ? { refusing: this.#refusing, origins, csrf } : undefined
    upgradeOrRefuse(isWanted ? way : undefined, gate, { request, socket, head })
  }

  #leave(refuse: boolean): void {
    this.#leaving = true
    this.#refusing = refuse
    for (const each of [this.#graphql, this.#other, this.#agents]) each?.leave(refuse)
  }

  async #end(graceMs: number): Promise<void> {
    this.#leave(true)
    this.#routes.stop()
    await Promise.all([this.#options.drainSubscriptions?.(graceMs), this.#traffic.settled(graceMs)])
    this.#other?.close()
    await closeServer(this.server)
  }
}

/** How often open connections are checked. */
const lookMs = 50

let counter = 0
const processPart = Math.floor(Math.random() * 0xffffffff).toString(36)

/** The caller's own id if it is harmless, else a new one. */
function requestId(given: unknown): string {
  if (typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given)) return given
  counter += 1
  return `${processPart}-${counter.toString(36)}`
}

/** `gate`: what a WebSocket has to pass. */
function upgradeOrRefuse(
  way: Pick<OtherProtocol, 'upgrade'> | undefined,
  gate: Parameters<typeof upgradeRefusal>[1] | undefined,
  { request, socket, head }: { request: IncomingMessage; socket: Socket; head: Buffer },
): void {
  // Node has removed its own listener, and without one a client that is gone would end the process.
  socket.on('error', () => socket.destroy())
  const refused = way === undefined ? '404 Not Found' : gate && upgradeRefusal(request, gate)
  const status = refused ?? way?.upgrade(request, socket, head)
  if (status === undefined) return
  endConnection(socket, `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

/** Why a connection does not become a WebSocket, as a status; undefined if it does. */
function upgradeRefusal(
  { headers }: IncomingMessage,
  { refusing, origins, csrf }: { refusing: boolean; origins: readonly string[]; csrf: boolean },
): string | undefined {
  if (refusing) return '503 Service Unavailable'
  const { origin, host } = headers
  // Pages of other sites may open WebSockets anywhere: browsers make no preflight request for them.
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
