/** Servers of tests: on a free port of this machine until they are disposed, their connections included. */
import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

export interface Listening extends AsyncDisposable {
  readonly port: number
  /** Without a path. */
  readonly url: string
  /** The connections that are open. */
  readonly sockets: ReadonlySet<Socket>
}

export async function listen(server: Server, scheme = 'http'): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
