/**
 * Serves the stand-ins over one HTTP server. Plain `node:http`: benchmarks measure against this server, so a request
 * has to cost little.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createAgentsStandIn } from '../agents/index.ts'
import { createFaults, inflict, isAfterWork } from '../faults/index.ts'
import { createMessagesStandIn } from '../messages/index.ts'
import { createMetricsStandIn } from '../metrics/index.ts'
import type { StandIn, StandInRequest } from '../stand-in.ts'
import { createVideosStandIn } from '../videos/index.ts'
import { controlPrefix, createControl } from './control.ts'
import { createHostCheck } from './host-names.ts'
import {
  BodyTooLarge,
  bytesOf,
  createServer,
  listen,
  printAnswer,
  readBody,
  respond,
  textAnswer,
} from './http.ts'
import { createRecords } from './records.ts'
import { createRouter } from './router.ts'
import type { JournalEntry, Sandbox, SandboxOptions } from './sandbox.ts'

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const shared = {
    namespace: options.namespace ?? options.settings?.videos?.namespace ?? 'media',
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
  const host = options.host ?? '127.0.0.1'
  const isAllowedHost = createHostCheck({ address: host, allowedHosts: options.allowedHosts })
  const router = createRouter(standIns)
  const faults = createFaults()
  const records = createRecords(options.journal ?? true)
  /** Those that were called or changed since their data was made, which takes longer than most requests. */
  const used = new Set<StandIn>()
  const reset = (): void => {
    for (const standIn of used) standIn.reset()
    used.clear()
    faults.clear()
    records.clear()
  }
  const change = (service: string, what: Readonly<Record<string, unknown>>): void => {
    const standIn = standIns.find((each) => each.service === service)
    if (standIn?.change === undefined) throw new Error(`there is nothing to change at ${service}`)
    used.add(standIn)
    standIn.change(what)
  }
  const control = options.control === true ? createControl({ faults, records, change, reset }) : undefined

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isAllowedHost(request.headers.host)) {
      request.resume()
      respond(request, response, textAnswer(421, 'the Host header is not a name of this server\n'))
      return
    }
    const target = request.url ?? '/'
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))
    const method = request.method ?? 'GET'
    if (control !== undefined && path.startsWith(controlPrefix)) {
      respond(request, response, control(path, await readBody(request)))
      return
    }
    const match = router(method, path)
    if (match?.route === undefined) {
      request.resume()
      const status = match === undefined ? 404 : 405
      const about = { service: 'none', operation: undefined, path, query, body: '' }
      records.enter(request, response, about).status = status
      respond(
        request,
        response,
        textAnswer(status, status === 404 ? '404 page not found\n' : 'Method Not Allowed\n'),
      )
      return
    }
    const { route, standIn, params } = match
    const { operation } = route
    const body = route.streamed === true ? '' : await readBody(request)
    const about = { service: standIn.service, operation, path, query, body }
    const entry = records.enter(request, response, about)
    const fault = faults.take(standIn.service, operation)
    if (fault !== undefined && !isAfterWork(fault)) {
      request.resume()
      inflict(fault, response, undefined)
      return
    }
    used.add(standIn)
    const answer = await route.handler(requestFrom(request, entry, operation, params))
    // Once more, as a reset may have come in between.
    used.add(standIn)
    entry.status = answer.status
    if (fault === undefined) {
      respond(request, response, answer)
      return
    }
    const sent = printAnswer(answer)
    inflict(fault, response, { status: answer.status, headers: sent.headers, body: bytesOf(sent) })
  }

  function requestFrom(
    raw: IncomingMessage,
    entry: JournalEntry,
    operation: string,
    params: Readonly<Record<string, string>>,
  ): StandInRequest {
    const { method, path, query, headers, body } = entry
    return {
      ...{ method, path, params, query, headers, body, raw },
      json() {
        try {
          return JSON.parse(body)
        } catch {
          return undefined
        }
      },
      list: (name) =>
        query
          .getAll(name)
          .flatMap((text) => text.split(','))
          .filter((item) => item !== ''),
      charge(units) {
        entry.units += units
        records.charge(operation, units)
      },
      recordBody(text) {
        entry.body = text
      },
      recordWrite(key) {
        records.writes.push({ operation, key })
      },
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      const isTooLarge = error instanceof BodyTooLarge
      if (!response.headersSent) {
        const close = isTooLarge ? { connection: 'close' } : {}
        response.writeHead(isTooLarge ? 413 : 500, { 'content-type': 'text/plain', ...close })
      }
      const reason = error instanceof Error ? (isTooLarge ? error.message : error.stack) : String(error)
      response.end(`the sandbox failed: ${reason}`)
    })
  })
  server.keepAliveTimeout = 60_000
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
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    journal: records.journal,
    calls: (operation) => records.journal.filter((entry) => entry.operation === operation),
    ledger: records.ledger,
    writes: records.writes,
    get uploads() {
      return videos.uploads
    },
    fail: (fault) => faults.add(fault),
    change,
    reset,
    close,
    [Symbol.asyncDispose]: close,
  }
}
