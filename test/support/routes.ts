/** Routes of the gateway's HTTP server, served by themselves, and requests to them as they are on the wire. */
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createActiveRequests } from '../../gateway/server/active-requests.ts'
import { createCompression } from '../../gateway/server/compression.ts'
import { RouteHandler } from '../../gateway/server/route-handler.ts'
import type { Route } from '../../gateway/server/routes.ts'
import { closeServer, createNodeServer, listen } from '../../gateway/server/server.ts'
import { createLogger } from '../../gateway/telemetry/log.ts'
import { defaultConnections } from './connections.ts'

export interface RouteAnswered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
}

export interface RouteAsked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

/** Sends the path as it is written, and any header, which `fetch` does not. */
export function askServer(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: RouteAsked = {},
): Promise<RouteAnswered> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const { statusCode = 0, headers: got } = response
        resolve({ status: statusCode, headers: got, text: bytes.toString(), bytes })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Served until the test has finished. */
export async function serveRoutes(routes: readonly Route[]): Promise<{
  ask(path: string, asked?: RouteAsked): Promise<RouteAnswered>
  readonly log: readonly string[]
}> {
  const log: string[] = []
  const connections = defaultConnections()
  const handler = new RouteHandler({
    routes,
    connections,
    traffic: createActiveRequests(),
    chooseEncoding: createCompression('on'),
    log: createLogger({ level: 'info', destination: { write: (line: string) => void log.push(line) } }),
    requestId: () => 'r1',
  })
  const server = createNodeServer((request, response) => handler.handle(request, response), connections)
  await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => closeServer(server))
  const { port } = server.address() as AddressInfo
  return { ask: (path, asked) => askServer(port, path, asked), log }
}
