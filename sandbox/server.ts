/**
 * The sandbox: stand-ins of the four services behind one HTTP server, with a journal of what was asked, a
 * ledger of what it cost, and scripted failures for tests. Plain `node:http`: it is also the service that a
 * benchmark measures against, so a request costs as little as it can.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { gzipSync } from 'node:zlib'
import { type AgentsStandInOptions, createAgentsStandIn } from './agents.ts'
import { createFaults, type Fault, faultFrom, inflict, isAfterWork } from './faults.ts'
import { createMessagesStandIn, type MessagesStandInOptions } from './messages.ts'
import { createMetricsStandIn, type MetricsStandInOptions } from './metrics.ts'
import { createRouter } from './server/router.ts'
import type { Route, StandIn, StandInAnswer, StandInRequest } from './stand-in.ts'
import { createVideosStandIn, type ReceivedUpload } from './videos.ts'

export interface JournalEntry {
  readonly service: string
  readonly operation: string | undefined
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  body: string
  status: number
  /** Arrivals and ends of all requests are counted in one order: what happened before what. */
  readonly began: number
  /** When the answer was sent, or the connection was closed; undefined while neither has happened. */
  ended: number | undefined
  /** Whether a whole answer was sent. */
  answered: boolean
}

export interface WriteRecord {
  readonly operation: string
  readonly key: string
}

export interface SandboxOptions {
  readonly port?: number | undefined
  readonly host?: string | undefined
  /** The path segment of the video service; `media` unless said. */
  readonly namespace?: string | undefined
  /** Units that the video service sells a day; without it there is no end. */
  readonly dailyQuota?: number | undefined
  /** Whether calls without a token are refused where the real services refuse them. */
  readonly requireAuth?: boolean | undefined
  /** Whether `POST /__control/faults` and `/__control/reset` are served. */
  readonly control?: boolean | undefined
  /** Whether ids of a benchmark exist: made up on demand, the same each time. */
  readonly synthetic?: boolean | undefined
  /** Whether requests are kept in the journal; on unless said. */
  readonly journal?: boolean | undefined
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** What one service does otherwise: quotas, rate limits, basic authentication, its own series. */
  readonly agents?: AgentsStandInOptions | undefined
  readonly messages?: MessagesStandInOptions | undefined
  readonly metrics?: MetricsStandInOptions | undefined
}

export interface Sandbox extends AsyncDisposable {
  readonly url: string
  /** Every request, in order of arrival. */
  readonly journal: JournalEntry[]
  calls(operation: string): JournalEntry[]
  /** What the video service charged. */
  readonly ledger: { units: number; calls: Record<string, number> }
  /** Writes that were done. */
  readonly writes: WriteRecord[]
  /** Videos whose bytes arrived. */
  readonly uploads: readonly ReceivedUpload[]
  fail(fault: Fault): void
  /** Sample data as at the start, no faults, empty journal, ledger and records. */
  reset(): void
  close(): Promise<void>
}

/** Bodies shorter than this are not worth compressing. */
const gzipFrom = 1024

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const shared = {
    namespace: options.namespace ?? 'media',
    requireAuth: options.requireAuth ?? false,
    synthetic: options.synthetic ?? false,
    dailyQuota: options.dailyQuota,
    now: options.now ?? Date.now,
  }
  const videos = createVideosStandIn(shared)
  const standIns: readonly StandIn[] = [
    videos,
    createAgentsStandIn({ ...shared, ...options.agents }),
    createMessagesStandIn({ ...shared, ...options.messages }),
    createMetricsStandIn({ ...shared, ...options.metrics }),
  ]
  const router = createRouter(standIns)
  const faults = createFaults()
  const journal: JournalEntry[] = []
  const writes: WriteRecord[] = []
  const ledger: Sandbox['ledger'] = { units: 0, calls: {} }
  const keepsJournal = options.journal ?? true
  let moment = 0

  const reset = (): void => {
    for (const standIn of standIns) standIn.reset()
    faults.clear()
    journal.length = 0
    writes.length = 0
    ledger.units = 0
    ledger.calls = {}
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '/'
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))
    const method = request.method ?? 'GET'
    if (options.control === true && path.startsWith('/__control/')) {
      const answer = control(path, await readBody(request))
      respond(request, response, answer)
      return
    }
    const match = router(method, path)
    if (match === undefined || match.route === undefined) {
      request.resume()
      journalEntry(request, response, 'none', undefined, path, query, '').status =
        match === undefined ? 404 : 405
      respond(request, response, {
        status: match === undefined ? 404 : 405,
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: match === undefined ? '404 page not found\n' : 'Method Not Allowed\n',
      })
      return
    }
    const { route, standIn, params } = match
    const body = route.streamed === true ? '' : await readBody(request)
    const entry = journalEntry(request, response, standIn.service, route.operation, path, query, body)
    const fault = faults.take(standIn.service, route.operation)
    if (fault !== undefined && !isAfterWork(fault)) {
      request.resume()
      inflict(fault, response, undefined)
      return
    }
    const answer = await route.handler(
      requestFor(request, route, entry, { method, path, params, query, body }),
    )
    entry.status = answer.status
    if (fault !== undefined) {
      const { headers, body: bytes } = printed(answer)
      inflict(fault, response, { status: answer.status, headers, body: Buffer.from(bytes) })
      return
    }
    respond(request, response, answer)
  }

  function journalEntry(
    request: IncomingMessage,
    response: ServerResponse,
    service: string,
    operation: string | undefined,
    path: string,
    query: URLSearchParams,
    body: string,
  ): JournalEntry {
    const { method = 'GET', headers } = request
    const entry: JournalEntry = {
      ...{ service, operation, method, path, query, headers, body },
      status: 0,
      began: moment,
      ended: undefined,
      answered: false,
    }
    if (!keepsJournal) return entry
    moment += 1
    journal.push(entry)
    response.once('close', () => {
      entry.ended = moment
      entry.answered = response.writableFinished
      moment += 1
    })
    return entry
  }

  function requestFor(
    raw: IncomingMessage,
    route: Route,
    entry: JournalEntry,
    parts: Pick<StandInRequest, 'method' | 'path' | 'params' | 'query' | 'body'>,
  ): StandInRequest {
    return {
      ...parts,
      headers: raw.headers,
      raw,
      json() {
        try {
          return JSON.parse(parts.body)
        } catch {
          return undefined
        }
      },
      list: (name) =>
        parts.query
          .getAll(name)
          .flatMap((text) => text.split(','))
          .filter((item) => item !== ''),
      charge(units) {
        ledger.units += units
        ledger.calls[route.operation] = (ledger.calls[route.operation] ?? 0) + 1
      },
      keep(body) {
        entry.body = body
      },
      wrote(key) {
        writes.push({ operation: route.operation, key })
      },
    }
  }

  function control(path: string, body: string): StandInAnswer {
    switch (path) {
      case '/__control/faults':
        try {
          faults.add(faultFrom(JSON.parse(body)))
        } catch (error) {
          return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } }
        }
        return { status: 204 }
      case '/__control/reset':
        reset()
        return { status: 204 }
      case '/__control/ledger':
        return { status: 200, body: { ...ledger, writes } }
      default:
        return {
          status: 404,
          body: { error: 'expected /__control/faults, /__control/reset or /__control/ledger' },
        }
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(`the sandbox failed: ${error instanceof Error ? error.stack : String(error)}`)
    })
  })
  server.keepAliveTimeout = 60_000
  const host = options.host ?? '127.0.0.1'
  await listen(server, host, options.port ?? 0)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://${host}:${port}`,
    journal,
    calls: (operation) => journal.filter((entry) => entry.operation === operation),
    ledger,
    writes,
    get uploads() {
      return videos.uploads
    },
    fail: (fault) => faults.add(fault),
    reset,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return ''
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function printed(answer: StandInAnswer): { headers: Record<string, string>; body: string | Buffer } {
  const { body, headers = {} } = answer
  if (body === undefined) return { headers: { ...headers }, body: '' }
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    return { headers: { 'content-type': 'application/json; charset=UTF-8', ...headers }, body }
  }
  return {
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(body),
  }
}

function respond(request: IncomingMessage, response: ServerResponse, answer: StandInAnswer): void {
  const { headers, body } = printed(answer)
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  if (length >= gzipFrom && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    const packed = gzipSync(body, { level: 1 })
    response.writeHead(answer.status, {
      ...headers,
      'content-encoding': 'gzip',
      'content-length': packed.length,
    })
    response.end(packed)
    return
  }
  if (answer.status === 204 || answer.status === 304) response.writeHead(answer.status, headers)
  else response.writeHead(answer.status, { ...headers, 'content-length': length })
  response.end(length === 0 ? undefined : body)
}
