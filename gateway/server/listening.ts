/** How a server begins to listen, and how it stops: first it takes no new connection, then those that there are end. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { ListenError } from './server.ts'

export interface Place {
  readonly host: string
  readonly port: number
  readonly backlog?: number
}

/** Other addresses of the same name: their connections go to the server that stands here as key. */
const besides = new WeakMap<Server, NetServer[]>()

/**
 * Listens at an address, or at the first one of a name. `localhost` may be an address of IPv4 and one of IPv6, of which a
 * client tries either: there it listens at both. Throws a `ListenError`.
 */
export async function listen(server: Server, { host, port, backlog }: Place): Promise<void> {
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
    const beside = new NetServer({ allowHalfOpen: true, noDelay: true }, pass)
    beside.maxConnections = server.maxConnections
    beside.listen({ ...same, host: other })
    // An address of that name which cannot be had, such as one of IPv6 without IPv6, is not missed.
    await once(beside, 'listening').then(
      () => besides.set(server, [...(besides.get(server) ?? []), beside]),
      () => {},
    )
  }
}

/** No new connection from now on; those that are open are kept, unlike by the HTTP server's own `close`. */
export function stopAccepting(server: Server): void {
  if (server.listening) NetServer.prototype.close.call(server)
  for (const beside of besides.get(server) ?? []) beside.close()
  besides.delete(server)
}

/** How long the end waits for a connection that still has a request. */
const lastMs = 500

/** Closes a server, which waits for its connections, within half a second. */
export async function closeServer(server: Server): Promise<void> {
  for (const beside of besides.get(server) ?? []) beside.close()
  besides.delete(server)
  server.closeIdleConnections()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => server.closeAllConnections(), lastMs)
  await closed
  clearTimeout(cut)
}
