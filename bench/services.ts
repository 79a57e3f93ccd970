/**
 * Services that respond from memory: each response is requested from the sandbox once and then repeated, so that a
 * call costs some 30 µs and the services are not the bottleneck. `startWorker` starts it. It gets `{ upstream }`
 * and sends `{ url }`, and then `{ calls }`, the number of calls so far, for each message. `delayMs` delays every
 * response, like services that are far away, and `varies` changes the delay by up to half.
 */
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

export interface ServicesTask {
  readonly upstream: string
  readonly delayMs?: number
  readonly varies?: boolean
}

interface Remembered {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

/** Responses by address. */
const most = 20_000

let calls = 0

async function serve({ upstream, delayMs = 0, varies = false }: ServicesTask): Promise<string> {
  const remembered = new Map<string, Promise<Remembered>>()
  const ask = async (path: string): Promise<Remembered> => {
    const response = await fetch(new URL(path, upstream))
    const type = response.headers.get('content-type') ?? 'application/json'
    return { status: response.status, type, body: Buffer.from(await response.arrayBuffer()) }
  }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (request.method !== 'GET') {
      response.writeHead(405).end()
      return
    }
    calls += 1
    let known = remembered.get(path)
    if (known === undefined) {
      if (remembered.size >= most) remembered.clear()
      known = ask(path)
      remembered.set(path, known)
    }
    const laterMs = varies ? delayMs * (0.5 + Math.random()) : delayMs
    const due = delayMs === 0 ? known : Promise.all([known, wait(laterMs)]).then(([answer]) => answer)
    due.then(
      ({ status, type, body }) => {
        response.writeHead(status, ['content-type', type, 'content-length', String(body.length)])
        response.end(body)
      },
      () => {
        remembered.delete(path)
        response.destroy()
      },
    )
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

process.once('message', (task: ServicesTask) => {
  serve(task).then(
    (url) => {
      process.on('message', () => process.send?.({ calls }))
      process.send?.({ url })
    },
    (error: unknown) => {
      process.stderr.write(`the services failed: ${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
