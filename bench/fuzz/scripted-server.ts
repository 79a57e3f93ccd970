/** A server that returns what it was last given, for targets that read a service or an authority. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedServer {
  readonly url: string
  /** How many requests it got since then. */
  readonly asked: number
  answer(status: number, body: Buffer, headers?: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

interface Given {
  readonly status: number
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  let given: Given = { status: 200, body: Buffer.alloc(0), headers: {} }
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    request.resume()
    const { status, body, headers } = given
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': body.length,
      ...headers,
    })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked
    },
    answer(status, body, headers = {}) {
      given = { status, body, headers }
      asked = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
