/** Requests to a handler, and the servers around it. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Ask = (init: RequestInit & { path?: string }) => Promise<Response>

/** Lets servers listen, until they are closed together. */
export function listening() {
  const servers: Server[] = []
  return {
    async asking(server: Server): Promise<Ask> {
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return ({ path = '/graphql', ...init }) => {
        const { port } = server.address() as AddressInfo
        return fetch(`http://127.0.0.1:${port}${path}`, init)
      }
    },
    close(): void {
      for (const server of servers) server.close()
    },
  }
}

export const json = { 'content-type': 'application/json' }
export const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
})
