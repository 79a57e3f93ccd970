import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from './listen.ts'

/** How often each backend is asked whether it is ready. */
const checkEveryMs = 20

export interface Backend {
  readonly url: string
  ready: boolean
  /** Requests that it has and has not answered. */
  readonly running: Set<IncomingMessage>
  answered: number
}

export interface Balancer extends AsyncDisposable {
  readonly url: string
  /** Resolves when the backend takes part. */
  add(url: string): Promise<Backend>
  remove(backend: Backend): void
}

/** Whether the connection was never made, so that nothing can have been sent. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'

export async function startBalancer(): Promise<Balancer> {
  const backends: Backend[] = []
  const stopped = new AbortController()
  let turn = 0

  /** A connection a request: no request can meet a connection that is just going away. */
  function pass(backend: Backend, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse) {
    const { method, headers, url } = incoming
    const { connection: _hop, ...passed } = headers
    return new Promise<void>((resolve, reject) => {
      const forwarded = send(new URL(url ?? '/', backend.url), { method, headers: passed, agent: false })
      forwarded.once('error', reject)
      forwarded.once('response', (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        answer.once('aborted', () => reject(new Error('the backend broke off')))
        answer.once('end', () => {
          const { connection: _ours, 'transfer-encoding': _encoding, ...kept } = answer.headers
          outgoing.writeHead(answer.statusCode ?? 502, { ...kept, 'x-backend': backend.url })
          outgoing.end(Buffer.concat(chunks), () => resolve())
        })
      })
      forwarded.end(body)
    })
  }

  async function balance(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const tried = new Set<Backend>()
    for (;;) {
      const candidates = backends.filter((backend) => backend.ready && !tried.has(backend))
      const backend = candidates[turn++ % Math.max(1, candidates.length)]
      if (backend === undefined) {
        outgoing.writeHead(503, { 'x-backend': 'none' }).end()
        return
      }
      tried.add(backend)
      backend.running.add(incoming)
      try {
        await pass(backend, incoming, body, outgoing)
        backend.answered += 1
        return
      } catch (error) {
        if (isRefused(error)) {
          backend.ready = false
          continue
        }
        outgoing.writeHead(502, { 'x-backend': backend.url }).end()
        return
      } finally {
        backend.running.delete(incoming)
      }
    }
  }

  async function check(backend: Backend): Promise<void> {
    while (!stopped.signal.aborted && backends.includes(backend)) {
      backend.ready = await fetch(new URL('/health/ready', backend.url), { signal: stopped.signal }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.ok
        },
        () => false,
      )
      await delay(checkEveryMs)
    }
    backend.ready = false
  }

  const server = createServer((incoming, outgoing) => {
    balance(incoming, outgoing).catch(() => outgoing.destroy())
  })
  const listening = await listen(server)
  return {
    url: listening.url,
    async add(url) {
      const backend: Backend = { url, ready: false, running: new Set(), answered: 0 }
      backends.push(backend)
      void check(backend)
      while (!backend.ready) await delay(checkEveryMs)
      return backend
    },
    remove(backend) {
      backends.splice(backends.indexOf(backend), 1)
    },
    async [Symbol.asyncDispose]() {
      stopped.abort()
      await listening[Symbol.asyncDispose]()
    },
  }
}
