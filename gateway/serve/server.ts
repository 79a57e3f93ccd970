/** What every server of ours is: the gateway's front and a subgraph's service. */
import { createServer, type RequestListener, type Server } from 'node:http'

/** Longer than a load balancer keeps its connections: whoever asks must not meet one that closes. */
const keepAliveMs = 72_000

export function createHttpServer(listener: RequestListener): Server {
  const options = {
    // A token that is too long is told so; with Node's own bound the connection would just be cut.
    maxHeaderSize: 65_536,
    keepAliveTimeout: keepAliveMs,
    // Uploads take as long as they take.
    requestTimeout: 0,
  }
  return createServer(options, listener)
}

/** Every port is taken by somebody sooner or later; this says so in one line. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(host: string, port: number, cause: unknown) {
    super(reasonOf(cause, host, port), { cause })
  }
}

function reasonOf(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use: choose another one with --port`
  if (code === 'EACCES') return `port ${port} on ${host} needs rights that this process does not have`
  if (code === 'EADDRNOTAVAIL')
    return `${host} is no address of this machine: choose another one with HOST or --host`
  return `cannot listen on ${host}:${port} (${String(code ?? 'unknown reason')})`
}

/** How long a connection that still has something under way is waited for at the end. */
const lastMs = 500

/** Closes a server, whose `close` waits for its connections, within half a second. */
export async function closeServer(server: Server, close: () => Promise<unknown>): Promise<void> {
  server.closeIdleConnections()
  const closed = close()
  const cut = setTimeout(() => server.closeAllConnections(), lastMs)
  await closed
  clearTimeout(cut)
}

/** Where a server that listens is reached. */
export function originOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
