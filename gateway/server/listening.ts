/** How a server begins to listen, and how it stops: first it accepts no new connection, then the existing ones end. */
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

/** Further listeners on other addresses of the same name. Their connections go to the server that is the key. */
const besides = new WeakMap<Server, NetServer[]>()

/**
 * Listens at an address, or at the first one of a name. `localhost` may be an IPv4 and an IPv6 address, and a client
 * tries either: it listens at both. Throws a `ListenError`.
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
    // An unavailable address of that name, such as one of IPv6 without IPv6, is no error.
    await once(beside, 'listening').then(
      () => besides.set(server, [...(besides.get(server) ?? []), beside]),
      () => {},
    )
  }
}

/** No new connection from now on; open ones remain, unlike with the HTTP server's own `close`. */
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
