/**
 * Arranging the tests of the metrics subgraph: responses recorded from real servers, a server that replays
 * them (or anything else) and keeps a journal, and one way to run an operation against the subgraph alone.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { execute, type GraphQLError, parse, validate } from 'graphql'
import { takePartialErrors } from '../../../shared/graphql/partial-errors.ts'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { createMetricsSubgraph, type MetricsOptions } from '../../../subgraphs/metrics/index.ts'
import { listen } from '../../support/listen.ts'
import { type TestRequest, testRequest } from '../../support/request.ts'

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

export interface Received {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The parameters of the URL, and of the form in the body. */
  readonly parameters: URLSearchParams
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
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
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://service')
    const body = await text(request)
    const parameters = new URLSearchParams(url.search)
    for (const [name, value] of new URLSearchParams(body)) parameters.append(name, value)
    const received: Received = {
      method: request.method ?? '',
      path: url.pathname,
      parameters,
      url: request.url ?? '',
      headers: request.headers,
      body,
    }
    journal.push(received)
    const answered = typeof answer === 'function' ? await answer(received) : answer
    response.writeHead(answered.status ?? 200, {
      'content-type': answered.contentType ?? 'application/json',
      ...answered.headers,
    })
    response.end(answered.text ?? JSON.stringify(answered.body))
  })
  return {
    ...(await listen(server)),
    journal,
  }
}

export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: results are compared, not used
  readonly data: any
  readonly errors: readonly GraphQLError[]
}

export interface Metrics extends AsyncDisposable {
  readonly subgraph: Subgraph
  run(document: string, variables?: Record<string, unknown>, request?: TestRequest): Promise<Result>
}

/** The subgraph alone, in front of the service at `baseUrl`, which it takes for Prometheus without asking. */
export function metricsAt(baseUrl: string, options: Partial<MetricsOptions> = {}): Metrics {
  const subgraph = createMetricsSubgraph({
    baseUrl,
    credential: { kind: 'none' },
    server: 'prometheus',
    ...options,
  })
  return {
    subgraph,
    async run(operation, variables = {}, request = testRequest()) {
      const document = parse(operation)
      const faults = validate(subgraph.schema, document)
      if (faults.length > 0) throw new AggregateError(faults, faults.map((fault) => fault.message).join('\n'))
      const contextValue = subgraph.createContext(request)
      const result = await execute({
        schema: subgraph.schema,
        document,
        contextValue,
        variableValues: variables,
      })
      return {
        data: JSON.parse(JSON.stringify(result.data ?? null)),
        errors: [...(result.errors ?? []), ...takePartialErrors(contextValue)],
      }
    },
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
): Promise<Result> {
  await using service = await startService({ body: { status: 'success', data, ...more } })
  await using metrics = metricsAt(service.url)
  return metrics.run(`{ metrics { query(query: "x") { ${fields} } } }`)
}
