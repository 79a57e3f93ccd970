/**
 * A graph as a function, without a server: for programs that embed it behind their own HTTP server, or call it
 * directly. Token check, scopes, limits, budgets and engine are those of `tessera serve`.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GraphQLError, GraphQLSchema } from 'graphql'
import type { JsonText } from '../../shared/json/raw.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'
import { assemble } from '../assemble.ts'
import { resourceOf } from '../auth/from-config.ts'
import { readConfig } from '../config/index.ts'
import { createGraphqlOverHttp } from '../graphql-http/graphql-over-http.ts'
import { paramsFrom } from '../graphql-http/negotiation.ts'
import type { GatewayOptions } from '../options.ts'
import { createPipeline, OperationContext, objectForm } from '../pipeline/index.ts'
import { documentStoreFrom, persistedModeOf } from '../pipeline/persisted/from-config.ts'
import { createDocumentReader } from '../pipeline/persisted/index.ts'
import { createChallengeHead } from '../server/resource-metadata.ts'
import { storesFrom } from '../stores/from-config.ts'
import { type EndpointRequest, type EndpointResponse, headersOf } from './endpoint.ts'
import { fetchOver, listenerOver } from './web.ts'

/**
 * The source of a handler: a supergraph; or, for Tessera's own graph, the addresses of its services, in `serviceUrls`
 * or a configuration.
 */
export type HandlerOptions = Partial<GatewayOptions> &
  (
    | Readonly<Record<'supergraph', string>>
    | Required<Pick<GatewayOptions, 'serviceUrls'>>
    | Pick<GatewayOptions, 'config'>
  )

/** One operation, as a client sends it. */
export interface GraphRequest {
  readonly query: string
  readonly operationName?: string | undefined
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  /**
   * The effect of a failing field: a null in a non-null position removes its parent (`PROPAGATE`), the null stays at
   * the error (`NULL`), or the first error ends the operation (`HALT`). The configuration's default if not given.
   */
  readonly onError?: 'NULL' | 'PROPAGATE' | 'HALT' | undefined
  /** The caller's headers, with lower-case names; `authorization` decides what it may see. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Cancels the operation and its calls. */
  readonly signal?: AbortSignal | undefined
}

export interface GraphResult {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

export interface GraphHandler {
  /** The API schema. */
  readonly schema: GraphQLSchema
  /** Runs one operation. Never rejects: failures are in `errors`, each with a code. */
  execute(request: GraphRequest): Promise<GraphResult>
  /** GraphQL over HTTP: negotiates the media type and the status. Never rejects. */
  respond(request: EndpointRequest): Promise<EndpointResponse>
  /** The same for the web's `Request` and `Response`: for Hono, a route of Next.js, Deno, Bun. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** The same as a listener of `node:http`, and a handler of Express. It needs no body parser before it. */
  listener(request: IncomingMessage, response: ServerResponse): void
  /** Ends connections and timers. */
  close(): Promise<void>
}

/**
 * Makes a handler. Throws if the supergraph cannot be loaded, and, for Tessera's own graph, if a service has no address.
 *
 * @example
 * ```ts
 * import { createHandler } from 'tessera-graph/engine'
 *
 * const graph = createHandler({ supergraph: sdl })
 * const { data, errors } = await graph.execute({ query: '{ products { name } }' })
 * await graph.close()
 * ```
 */
export function createHandler(options: HandlerOptions): GraphHandler {
  const config = options.config ?? defaultConfig()
  const assembly = assemble({ ...options, config }, () => config.server.publicUrl ?? '')
  const store = documentStoreFrom(config, storesFrom({ config }, assembly.log))
  const pipeline = createPipeline({
    ...assembly,
    timeoutMs: config.calls.requestTimeoutMs,
    refusedStatus: config.authorization.refusedStatus,
    httpProfile: config.http.profile,
    onError: config.graphql.onError,
    documents: createDocumentReader(persistedModeOf(config, store, options.manifest)),
  })
  const respond = createGraphqlOverHttp({
    pipeline,
    maxBatch: config.limits.batch,
    page: false,
    // The host's server must serve the document about the resource.
    challengeHead: createChallengeHead({ addressOf: () => undefined, facts: () => resourceOf(config) }),
    log: assembly.log,
    httpProfile: config.http.profile,
  })

  const respondWhole = async ({ method, url, headers, body = '', signal }: EndpointRequest) => {
    const http = { id: randomUUID(), method, url, headers, body }
    const { status, head, body: json } = await cancelledBy(signal, (watch) => respond(http, watch))
    return { status, headers: headersOf(head), body: bytesOf(json) }
  }
  const bounds = {
    maxBodyBytes: config.limits.bodyBytes,
    bodyTimeoutMs: config.connections.bodyTimeoutMs,
  }

  return {
    schema: assembly.schema,

    async execute({ query, operationName, variables, onError, headers = {}, signal }) {
      const context = new OperationContext({
        id: headers['x-request-id'] ?? randomUUID(),
        header: (name) => headers[name],
        headers,
        params: () => paramsFrom({ query, operationName, variables: { ...variables }, onError }),
        queriesOnly: false,
        mediaType: 'application/graphql-response+json',
        form: objectForm,
      })
      const { result } = await cancelledBy(signal, (watch) => {
        watch(context)
        return pipeline(context)
      })
      return result
    },

    respond: respondWhole,
    fetch: fetchOver(respondWhole, bounds),
    listener: listenerOver(respondWhole, bounds),

    async close() {
      store?.close()
      await assembly.close()
    },
  }
}

/**
 * Does the work, and cancels what it watches when the signal says so. Nothing listens to the signal afterwards, because
 * it may outlive many requests.
 */
async function cancelledBy<Made>(
  signal: AbortSignal | undefined,
  work: (watch: (running: { cancel(): void }) => void) => Awaitable<Made>,
): Promise<Made> {
  if (signal === undefined) return work(() => undefined)
  const running: { cancel(): void }[] = []
  const cancel = (): void => {
    for (const each of running) each.cancel()
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work((each) => {
      running.push(each)
      if (signal.aborted) each.cancel()
    })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function bytesOf(json: JsonText): Buffer<ArrayBuffer> {
  if (typeof json === 'string') return Buffer.from(json, 'latin1')
  return Buffer.concat(json.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
}

function defaultConfig(): GatewayOptions['config'] {
  // A library writes to no stream of its host unless it is given a logger.
  const { config, faults } = readConfig({ TESSERA_LOG_LEVEL: 'silent' })
  if (faults !== undefined) throw new Error(faults.join('\n'))
  return config
}
