/** How a server stops: first it takes no new connection, then those that there are end. */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

/** No new connection from now on; those that are open are kept, unlike by the HTTP server's own `close`. */
export function stopAccepting(server: Server): void {
  if (server.listening) NetServer.prototype.close.call(server)
}

/** How long the end waits for a connection that still has a request. */
const lastMs = 500

/** Closes a server, whose `close` waits for its connections, within half a second. */
export async function closeServer(server: Server, close: () => Promise<unknown>): Promise<void> {
  server.closeIdleConnections()
  const closed = close()
  const cut = setTimeout(() => server.closeAllConnections(), lastMs)
  await closed
  clearTimeout(cut)
}
