/**
 * The HTTP server of the gateway and of a subgraph service: its limits and its address, how it begins to listen, and how
 * it stops: first it accepts no new connection, then the existing ones end.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { createServer } from '../../shared/http/node-http.ts'
import { append } from '../../shared/runtime/maps.ts'
import { systemCodeOf } from '../../shared/runtime/thrown.ts'
import { nextTurn } from '../../shared/runtime/turns.ts'
import type { Connections } from './connections.ts'
import { handleMalformedRequests, type MalformedRequestLog, withCheckedHead } from './malformed-requests.ts'
import { withBoundedPipeline } from './pipelined-requests.ts'
import type { Tls } from './tls.ts'

interface ServerOptions {
  /** With it the server serves only HTTPS. */
  readonly tls?: Tls | undefined
  /** The protocols to which a connection may be upgraded, in lower case. */
  readonly protocols?: readonly string[] | undefined
  readonly malformed?: MalformedRequestLog | undefined
}

export function createNodeServer(
  listener: RequestListener,
  connections: Connections,
  { tls, protocols = ['websocket'], malformed }: ServerOptions = {},
): Server {
  const { headersTimeoutMs, keepAliveMs } = connections.limits
  const options = {
    // A token that is too long gets an error that says so; with Node's own bound the connection would just end.
    maxHeaderSize: 65_536,
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.max(20, Math.min(1000, headersTimeoutMs / 4)),
    // Would hold for uploads too: bodies have limits of their own (`connections.ts`).
    requestTimeout: 0,
    // Refused by our own code (`malformed-requests.ts`).
    requireHostHeader: false,
    // A request for another protocol continues as HTTP/1.1 (Node 24.9; earlier versions refuse it).
    shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
      protocols.includes(headers.upgrade?.toLowerCase() ?? ''),
  }
  const heard = withBoundedPipeline(withCheckedHead(listener, malformed), malformed?.log)
  const server =
    tls === undefined
      ? createServer(options, heard)
      : createHttpsServer({ ...options, ...tls.options, handshakeTimeout: headersTimeoutMs }, heard)
  handleMalformedRequests(server, malformed)
  connections.watch(server)
  return server
}

/** Why a server cannot listen, in one line. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(host: string, port: number, cause: unknown) {
    super(reasonOf(cause, host, port), { cause })
  }
}

function reasonOf(error: unknown, host: string, port: number): string {
  const code = systemCodeOf(error)
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use: choose another one with PORT or --port`
  if (code === 'EACCES') return `port ${port} on ${host} needs rights that this process does not have`
  if (code === 'EADDRNOTAVAIL')
    return `${host} is not an address of this machine: choose another one with HOST or --host`
  return `cannot listen on ${host}:${port} (${code ?? 'unknown reason'})`
}

export function originOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const scheme = server instanceof HttpsServer ? 'https' : 'http'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly backlog?: number
}

/** Further listeners on other addresses of the same name. Their connections go to the server that is the key. */
const secondListeners = new WeakMap<Server, NetServer[]>()

/**
 * Listens at an address, or at the first one of a name. `localhost` may be an IPv4 and an IPv6 address, and a client
 * tries either: it listens at both. Throws a `ListenError`.
 */
export async function listen(server: Server, { host, port, backlog }: ListenOptions): Promise<void> {
  const named = host === 'localhost' ? await lookup(host, { all: true }).catch(() => []) : []
  const [first = host, ...others] = new Set(named.map(({ address }) => address))
  const at = { port, ...(backlog === undefined ? {} : { backlog }) }
  try {
    server.listen({ ...at, host: first })
    await once(server, 'listening')
  } catch (error) {
    throw new ListenError(host, port, error)
  }
  const same = { ...at, port: (server.address() as AddressInfo).port }
  const pass = (socket: Socket): void => void server.emit('connection', socket)
  for (const other of others) {
    const second = new NetServer({ allowHalfOpen: true, noDelay: true }, pass)
    second.maxConnections = server.maxConnections
    second.listen({ ...same, host: other })
    // An unavailable address of that name, such as one of IPv6 without IPv6, is no error.
    await once(second, 'listening').then(
      () => append(secondListeners, server, second),
      () => {},
    )
  }
}

/** No new connection from then on; open ones remain, unlike with the HTTP server's own `close`. */
export async function stopAccepting(server: Server): Promise<void> {
  await acceptWaiting(server)
  if (server.listening) NetServer.prototype.close.call(server)
  closeSecondListeners(server)
}

function closeSecondListeners(server: Server): void {
  for (const second of secondListeners.get(server) ?? []) second.close()
  secondListeners.delete(server)
}

/** How long the end waits for a connection that still has a request, and for a moment in which none arrives. */
const lastMs = 500

/**
 * Accepts the connections that wait in the kernel, which resets them when their socket is closed, although their clients
 * have sent a request. Each turn of the event loop accepts one, so a whole turn without one means that none waits.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = true
  const note = (): void => {
    accepted = true
  }
  const until = performance.now() + lastMs
  server.on('connection', note)
  // The turn that runs may have looked at the socket before they came.
  await nextTurn()
  while (server.listening && accepted && performance.now() < until) {
    accepted = false
    await nextTurn()
  }
  server.off('connection', note)
}

/** Closes a server, which waits for its connections, within a second. */
export async function closeServer(server: Server): Promise<void> {
  await acceptWaiting(server)
  closeSecondListeners(server)
  server.closeIdleConnections()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => server.closeAllConnections(), lastMs)
  await closed
  clearTimeout(cut)
}
