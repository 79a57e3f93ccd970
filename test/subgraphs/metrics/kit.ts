/**
 * Arranging the tests of the metrics subgraph: responses recorded from real servers, a server that replays
 * them (or anything else) and keeps a journal, and one way to run an operation against the subgraph alone.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { GraphQLError } from 'graphql'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { createMetricsSubgraph, type MetricsOptions } from '../../../subgraphs/metrics/index.ts'
import { type Arrived, startFaultyServer } from '../../support/faulty-server.ts'
import type { TestRequest } from '../../support/request.ts'
import { type Outcome, run } from '../../support/subgraph.ts'

/** A response recorded from a real server, and the request that it answered. */
export interface Recorded {
  readonly request: { readonly method: string; readonly path: string; readonly body?: string }
  readonly status: number
  readonly contentType: string
  readonly body?: unknown
  readonly text?: string
}

const folder = new URL('samples/', import.meta.url)

export const recordedNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))

export function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Recorded
}

export interface Received extends Arrived {
  /** Without the query. */
  readonly path: string
  /** The parameters of the URL, and of the form in the body. */
  readonly parameters: URLSearchParams
}

export interface Answered {
  readonly status?: number
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** As JSON. */
  readonly body?: unknown
  /** As it is. */
  readonly text?: string | Buffer
}

export interface Service extends AsyncDisposable {
  readonly url: string
  readonly journal: Received[]
}

/** A server on a free port that gives one answer to everything, or what the function says. */
export async function startService(
  answer: Answered | ((received: Received) => Answered | Promise<Answered>),
): Promise<Service> {
  const journal: Received[] = []
  const server = await startFaultyServer(async (response, arrived) => {
    const url = new URL(arrived.url, 'http://service')
    const parameters = new URLSearchParams([...url.searchParams, ...new URLSearchParams(arrived.body)])
    const received = { ...arrived, path: url.pathname, parameters }
    journal.push(received)
    const answered = typeof answer === 'function' ? await answer(received) : answer
    response.writeHead(answered.status ?? 200, {
      'content-type': answered.contentType ?? 'application/json',
      ...answered.headers,
    })
    response.end(answered.text ?? JSON.stringify(answered.body))
  })
  return { ...server, journal }
}

export interface Metrics extends AsyncDisposable {
  readonly subgraph: Subgraph
  run(document: string, variables?: Record<string, unknown>, request?: TestRequest): Promise<Outcome>
}

/** A service that answers each path with the data that the test sets for it. */
export async function startAnswering() {
  const answers: Record<string, (parameters: URLSearchParams) => unknown> = {}
  const notes: { warnings?: readonly string[] } = {}
  const service = await startService(({ path, parameters }) => {
    const data = answers[path]?.(parameters)
    return { status: data === undefined ? 404 : 200, body: { status: 'success', data, ...notes } }
  })
  return { ...service, answers, notes }
}

/** The subgraph in front of the service at `baseUrl`, which it takes for Prometheus without asking. */
export function metricsSubgraph(baseUrl: string, options: Partial<MetricsOptions> = {}): Subgraph {
  return createMetricsSubgraph({
    baseUrl,
    credential: { kind: 'none' },
    interval: '15s',
    server: 'prometheus',
    delay: 'auto',
    ...options,
  })
}

/** The same alone. */
export function metricsAt(baseUrl: string, options: Partial<MetricsOptions> = {}): Metrics {
  const subgraph = metricsSubgraph(baseUrl, options)
  return {
    subgraph,
    run: (operation, variables, request) => run(subgraph, operation, variables, request),
    [Symbol.asyncDispose]: () => subgraph.close(),
  }
}

/** What clients switch on, for comparisons. */
export function codes(errors: readonly GraphQLError[]): string[] {
  return errors.map((error) => String(error.extensions.code))
}

/** What `query` answers with these fields if the service's answer has this `data`, and more beside it. */
export async function answerOf(
  data: unknown,
  fields: string,
  more: Record<string, unknown> = {},
): Promise<Outcome> {
  await using service = await startService({ body: { status: 'success', data, ...more } })
  await using metrics = metricsAt(service.url)
  return metrics.run(`{ metrics { query(query: "x") { ${fields} } } }`)
}
