/**
 * Serves the stand-ins over one HTTP server. It uses plain `node:http`, because benchmarks measure against this
 * server and a request must cost little.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { AgentsStandIn } from '../agents/index.ts'
import { type Fault, Faults, faultFrom, injectFault, isAfterWork, isFor } from '../faults.ts'
import { MessagesStandIn } from '../messages/index.ts'
import { createMetricsStandIn } from '../metrics/index.ts'
import type { StandIn, StandInAnswer, StandInRequest } from '../stand-in.ts'
import { VideosStandIn } from '../videos/index.ts'
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
import { Records } from './records.ts'
import { createRouter } from './router.ts'
import type { JournalEntry, Sandbox, SandboxOptions } from './sandbox.ts'

const controlPrefix = '/__control/'

/** Passes each request to its stand-in, with the faults that are due. */
class SandboxRequests {
  readonly #make: () => readonly StandIn[]
  readonly #isAllowedHost
  readonly #faults = new Faults()
  readonly #isControlled: boolean
  readonly records
  #standIns: readonly StandIn[]
  #router

  constructor(make: () => readonly StandIn[], host: string, options: SandboxOptions) {
    this.#make = make
    this.#standIns = make()
    this.#router = createRouter(this.#standIns)
    this.#isAllowedHost = createHostCheck(host, options.allowedHosts)
    this.records = new Records(options.journal ?? true)
    this.#isControlled = options.control === true
  }

  fail(given: Fault): void {
    const fault = faultFrom(given)
    const calls = this.#standIns.flatMap(({ service, routes }) =>
      routes.map(({ operation }) => ({ service, operation })),
    )
    if (!calls.some(({ service, operation }) => isFor(fault, service, operation)))
      throw new Error(`no call is for this fault: ${JSON.stringify(fault)}`)
    this.#faults.add(fault)
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#isAllowedHost(request.headers.host)) {
      request.resume()
      respond(request, response, textAnswer(421, 'the Host header is not a name of this server\n'))
      return
    }
    const target = request.url ?? '/'
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))
    const method = request.method ?? 'GET'
    if (this.#isControlled && path.startsWith(controlPrefix)) {
      const what = path.slice(controlPrefix.length)
      respond(request, response, this.#controlled(what, await readBody(request)))
      return
    }
    const match = this.#router(method, path)
    if (match?.route === undefined) {
      request.resume()
      const status = match === undefined ? 404 : 405
      const about = { service: 'none', operation: undefined, path, query, body: '' }
      this.records.enter(request, response, about).status = status
      const text = status === 404 ? '404 page not found\n' : 'Method Not Allowed\n'
      respond(request, response, textAnswer(status, text))
      return
    }
    const { route, standIn, params } = match
    const { operation } = route
    const isUpload = route.streamed === true
    const body = isUpload ? '' : await readBody(request)
    const about = { service: standIn.service, operation, path, query, body }
    const entry = this.records.enter(request, response, about)
    const fault = this.#faults.take(standIn.service, operation)
    if (fault !== undefined && !isAfterWork(fault)) {
      if (isUpload && fault.kind !== 'reset') await readToEnd(request)
      injectFault(fault, response, undefined)
      return
    }
    const answer = await route.handler(this.#requestFrom(request, entry, operation, params))
    entry.status = answer.status
    if (isUpload) await readToEnd(request)
    if (fault === undefined) {
      respond(request, response, answer)
      return
    }
    const sent = printAnswer(answer)
    injectFault(fault, response, { status: answer.status, headers: sent.headers, body: bytesOf(sent) })
  }

  /** Faults, changes and reset over HTTP, for tests whose sandbox runs in another process. */
  #controlled(what: string, body: string): StandInAnswer {
    switch (what) {
      case 'faults':
        return taken(() => this.fail(JSON.parse(body)))
      case 'change':
        return taken(() => {
          const { service, ...change } = JSON.parse(body) as Readonly<Record<string, unknown>>
          this.change(String(service), change)
        })
      case 'reset':
        this.reset()
        return { status: 204 }
      case 'ledger':
        return { status: 200, body: { ...this.records.ledger, writes: this.records.writes } }
      default: {
        const error = 'expected /__control/faults, /__control/change, /__control/reset or /__control/ledger'
        return { status: 404, body: { error } }
      }
    }
  }

  reset(): void {
    this.#standIns = this.#make()
    this.#router = createRouter(this.#standIns)
    this.#faults.clear()
    this.records.clear()
  }

  change(service: string, what: Readonly<Record<string, unknown>>): void {
    const standIn = this.#standIns.find((each) => each.service === service)
    if (standIn?.change === undefined) {
      const changed = this.#standIns.filter((each) => each.change !== undefined)
      const names = changed.map((each) => each.service).join(', ')
      throw new Error(`there is nothing to change at ${service}; expected one of ${names}`)
    }
    standIn.change(what)
  }

  #requestFrom(
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
      charge: (units) => {
        entry.units += units
        this.records.charge(operation, units)
      },
      recordBody(text) {
        entry.body = text
      },
      recordWrite: (key) => {
        this.records.writes.push({ operation, key })
      },
      recordUpload: (upload) => {
        this.records.uploads.push(upload)
      },
    }
  }
}

/** Node closes a connection that still sends after the response, and the client would lose the response with it. */
async function readToEnd(request: IncomingMessage): Promise<void> {
  // A request that breaks off needs no response.
  if (!request.complete) await finished(request.resume()).catch(() => {})
}

function taken(take: () => void): StandInAnswer {
  try {
    take()
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } }
  }
  return { status: 204 }
}

/** Throws with every option that is out of range, which would otherwise answer calls in a surprising way later. */
function checkOptions({ namespace = 'media', dailyQuota, agents, messages, metrics }: SandboxOptions): void {
  const faults: string[] = []
  if (!/^[a-z][a-z0-9-]*$/.test(namespace))
    faults.push(`namespace: expected one path segment in lower case, not ${JSON.stringify(namespace)}`)
  const counts = Object.entries({
    dailyQuota,
    'agents.requestsPerMinute': agents?.requestsPerMinute,
    'metrics.maxTimeoutMs': metrics?.maxTimeoutMs,
  })
  for (const [endpoint, most] of Object.entries(messages?.rateLimits ?? {}))
    counts.push([`messages.rateLimits.${endpoint}`, most])
  for (const [name, count = 0] of counts)
    if (!(count >= 0)) faults.push(`${name}: expected a number of 0 or more, not ${count}`)
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

/** Starts the services. Rejects with every option that is out of range, and if it cannot listen. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options)
  const shared = {
    namespace: options.namespace ?? options.settings?.videos?.namespace ?? 'media',
    requireAuth: options.requireAuth ?? false,
    synthetic: options.synthetic ?? false,
    dailyQuota: options.dailyQuota,
    now: options.now ?? Date.now,
  }
  const makeStandIns = (): readonly StandIn[] => [
    new VideosStandIn(shared),
    new AgentsStandIn({ ...shared, ...options.agents }),
    new MessagesStandIn({ ...shared, ...options.messages }),
    createMetricsStandIn({ ...shared, ...options.metrics }),
  ]
  const host = options.host ?? '127.0.0.1'
  const requests = new SandboxRequests(makeStandIns, host, options)
  const server = createServer((request, response) => {
    requests.serve(request, response).catch((error: unknown) => {
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
  const { url, close } = await listen(server, host, options.port ?? 0)
  const { records } = requests
  return {
    url,
    journal: records.journal,
    calls: (operation) => records.journal.filter((entry) => entry.operation === operation),
    ledger: records.ledger,
    writes: records.writes,
    uploads: records.uploads,
    fail: (fault) => requests.fail(fault),
    change: (service, what) => requests.change(service, what),
    reset: () => requests.reset(),
    close,
    [Symbol.asyncDispose]: close,
  }
}
