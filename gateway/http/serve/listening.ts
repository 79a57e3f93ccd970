/**
 * Several listening sockets for one port of one process. The event loop accepts one connection of each listening socket
 * in a turn (libuv since 1.45), whatever is waiting: under load, where a turn takes ten milliseconds, that is a hundred
 * connections a second, and a new client waits for seconds before anything of its request is read. With several sockets,
 * among which the kernel spreads new connections (`SO_REUSEPORT`), as many more are accepted.
 *
 * The sockets belong to one process, which closes them together. A worker of a cluster has none: its primary accepts.
 */
import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, Server as NetServer, type Socket } from 'node:net'
import { AcceptQueue, watchAcceptQueue } from './accept-queue.ts'

/**
 * Each costs a file descriptor, and nothing while no connection comes. With eight, what came on new connections in the
 * first moments of an overload was read up to a quarter of a second later: it was answered late, and until it was read
 * the wait did not seem to grow. With more than 32 little changes any more.
 */
const sockets = 32

/** Beside the one that the server has itself. */
const besideOf = new WeakMap<Server, readonly NetServer[]>()

export interface Address {
  readonly host: string
  readonly port: number
  /** Of each listening socket. */
  readonly backlog: number
}

/** What `listen` is to be called with. */
export interface ListenOptions extends Address {
  readonly reusePort: boolean
}

/**
 * Lets a server listen, by `listen`, and then sockets beside it. Rejects with the system's error where the address is
 * not free: that others listen there as well is not noticed any more once a socket shares its port.
 */
export async function listenWithSeveral(
  server: Server,
  address: Address,
  listen: (options: ListenOptions) => Promise<unknown>,
): Promise<void> {
  if (cluster.isWorker || process.platform !== 'linux') {
    await listen({ ...address, reusePort: false })
    return
  }
  if (address.port !== 0) await expectFree(address)
  await listen({ ...address, reusePort: true })
  const { address: host, port } = server.address() as AddressInfo
  const give = watchAcceptQueue(server)
  const beside = Array.from({ length: sockets - 1 }, () => {
    const queue = new AcceptQueue()
    return openBeside(server, (socket) => give(queue, socket))
  })
  besideOf.set(server, beside)
  try {
    await Promise.all(
      beside.map((one) => {
        one.listen({ host, port, backlog: address.backlog, reusePort: true })
        return once(one, 'listening')
      }),
    )
  } catch (error) {
    stopAccepting(server)
    throw error
  }
}

async function expectFree({ host, port }: Address): Promise<void> {
  const probe = createServer()
  probe.listen({ host, port, exclusive: true })
  await once(probe, 'listening')
  const closed = once(probe, 'close')
  probe.close()
  await closed
}

/** Its connections are made in the same way as the server's. */
function openBeside(server: Server, give: (socket: Socket) => void): NetServer {
  const { allowHalfOpen, noDelay } = server as unknown as { allowHalfOpen: boolean; noDelay: boolean }
  const one = new NetServer({ allowHalfOpen, noDelay }, give)
  one.maxConnections = server.maxConnections
  one.on('drop', (data) => server.emit('drop', data))
  return one
}

/** No new connection from now on; those that are open are kept, unlike by the HTTP server's own `close`. */
export function stopAccepting(server: Server): void {
  if (server.listening) NetServer.prototype.close.call(server)
  for (const one of besideOf.get(server) ?? []) if (one.listening) one.close()
}

/** How long the end waits for a connection that still has a request. */
const lastMs = 500

/** Closes a server, whose `close` waits for its connections, within half a second. */
export async function closeServer(server: Server, close: () => Promise<unknown>): Promise<void> {
  server.closeIdleConnections()
  // Closing one again waits for its connections as well.
  const others = (besideOf.get(server) ?? []).map(
    (one) => new Promise<void>((resolve) => one.close(() => resolve())),
  )
  const closed = Promise.all([close(), ...others])
  const cut = setTimeout(() => server.closeAllConnections(), lastMs)
  await closed
  clearTimeout(cut)
}
