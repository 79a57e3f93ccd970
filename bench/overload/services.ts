/**
 * The services under overload: each answer is asked of the sandbox once and then sent again from memory, so that they
 * cost some 30 us a call and are not what everybody waits for. Started by `startWorker`; told `{ upstream }`, it says
 * `{ url }`.
 */
import { createServer } from 'node:http'

interface Remembered {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

/** Calls by address: the operations under overload ask for a few hundred. */
const most = 20_000

async function serve(upstream: string): Promise<string> {
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
    let known = remembered.get(path)
    if (known === undefined) {
      if (remembered.size >= most) remembered.clear()
      known = ask(path)
      remembered.set(path, known)
    }
    known.then(
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

process.once('message', ({ upstream }: { upstream: string }) => {
  serve(upstream).then(
    (url) => process.send?.({ url }),
    (error: unknown) => {
      process.stderr.write(`the services failed: ${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
