/**
 * The graph inside Apollo Server: `new ApolloServer({ gateway: tesseraGateway(options) })`, for servers that use its
 * plugins. Apollo Server parses, validates and responds; every operation goes through the same pipeline as in `tessera
 * serve`. The context value of Apollo Server may be anything: it is not used.
 */
import { randomUUID } from 'node:crypto'
import {
  type ApolloServerOptions,
  type ApolloServerPlugin,
  type BaseContext,
  HeaderMap,
  type HTTPGraphQLRequest,
} from '@apollo/server'
import { GraphQLError } from 'graphql'
import { type Assembly, assembleAlone } from '../assemble.ts'
import { resourceOf } from '../auth/from-config.ts'
import { acceptable, errorBehaviorFrom } from '../graphql-http/negotiation.ts'
import { withFileHooks } from '../hooks/from-config.ts'
import type { GatewayOptions } from '../options.ts'
import { persistedModeOf } from '../pipeline/from-config.ts'
import { OperationContext, type OperationResponse, objectForm } from '../pipeline/index.ts'
import { createChallengeHead } from '../server/resource-metadata.ts'
import { createLogger } from '../telemetry/log.ts'

/** The type of Apollo Server's option `gateway`. */
export type ApolloGateway = NonNullable<ApolloServerOptions<BaseContext>['gateway']>

/** A `gateway` for Apollo Server. One instance is for one server. */
export interface TesseraGateway extends ApolloGateway {
  /** The metrics of this gateway in Prometheus' format, for a route of the host; empty before it is loaded. */
  metrics(): Promise<string>
  /**
   * For the option `plugins`: with it the request parameter `onError` is taken, which Apollo Server hands to no gateway.
   * The context value of each request must then be an object of its own, as it is by default.
   */
  readonly plugin: ApolloServerPlugin<BaseContext>
}

/**
 * Makes the `gateway`. Apollo Server loads it when it starts, which rejects if the graph cannot be served, and closes it
 * when it stops.
 */
export function tesseraGateway(options: GatewayOptions): TesseraGateway {
  let assembly: Assembly | undefined
  const challengeHead = createChallengeHead({
    // The host's server must serve the document about the resource.
    addressOf: () => undefined,
    facts: () => ({ ...resourceOf(options.config), scopes: [] }),
  })
  const asked = new WeakMap<BaseContext, unknown>()
  const listeners = new Set<Parameters<ApolloGateway['onSchemaLoadOrUpdate']>[0]>()
  return {
    onSchemaLoadOrUpdate(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async load() {
      // A library writes to no stream of its host unless it is given a logger.
      const log = options.log ?? createLogger({ level: 'silent' })
      assembly ??= assembleAlone(await withFileHooks({ ...options, log }), {
        publicUrl: () => options.config.server.publicUrl ?? '',
        // Apollo Server has read the document, persisted or not, before it calls the executor. Whether it is trusted is
        // decided here.
        persisted: persistedModeOf(options.config, undefined, options.manifest),
      })
      const { schema, supergraph, pipeline } = assembly
      for (const listener of listeners) listener({ apiSchema: schema, coreSupergraphSdl: supergraph.sdl })
      return {
        executor: async (request) =>
          answerTo(request, await pipeline(operationIn(request, asked.get(request.context))), challengeHead),
      }
    },
    plugin: {
      async requestDidStart({ request: { http }, contextValue }) {
        if (http !== undefined) asked.set(contextValue, onErrorIn(http))
      },
    },
    metrics: async () => (await assembly?.metrics.text()) ?? '',
    async stop() {
      await assembly?.close()
    },
  }
}

type Executor = NonNullable<Awaited<ReturnType<ApolloGateway['load']>>['executor']>
type ApolloRequest = Parameters<Executor>[0]
type Data = Readonly<Record<string, unknown>>

const headerOf =
  ({ request }: ApolloRequest) =>
  (name: string): string | undefined =>
    request.http?.headers.get(name) ?? undefined

/** Requests of Apollo Server as the pipeline takes them. */
function operationIn(asked: ApolloRequest, onError: unknown): OperationContext<Data> {
  const { request, source, operationName } = asked
  const { http } = request
  const header = headerOf(asked)
  return new OperationContext({
    id: header('x-request-id') ?? randomUUID(),
    header,
    headers: http === undefined ? undefined : Object.fromEntries(http.headers),
    params: () => ({
      query: source,
      operationName: operationName ?? undefined,
      variables: request.variables ?? {},
      extensions: request.extensions,
      onError: errorBehaviorFrom(onError),
    }),
    queriesOnly: http?.method === 'GET',
    mediaType: acceptable(header('accept')) ?? 'application/json',
    form: objectForm,
  })
}

/** The parameter as it stands in the body, or in the address of a GET. */
function onErrorIn({ body, search }: HTTPGraphQLRequest): unknown {
  if (typeof body === 'object' && body !== null && 'onError' in body) return body.onError
  return new URLSearchParams(search).get('onError') || undefined
}

/** Headers go into Apollo Server's own response, the status and the challenge into the errors. */
function answerTo(
  asked: ApolloRequest,
  { status, result, challenge, head = [] }: OperationResponse<Data>,
  challengeHead: ReturnType<typeof createChallengeHead>,
): Awaited<ReturnType<Executor>> {
  const { data, errors, extensions } = result
  for (let at = 0; at + 1 < head.length; at += 2)
    asked.response?.http?.headers.append(head[at] ?? '', head[at + 1] ?? '')
  const headers = new HeaderMap()
  if (challenge !== undefined) {
    const [name = '', value = ''] = challengeHead(challenge, headerOf(asked)('host'))
    headers.set(name, value)
  }
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined
      ? {}
      : { errors: data == null || status !== 200 ? withStatus(errors, status, headers) : errors }),
    ...(extensions === undefined ? {} : { extensions: { ...extensions } }),
  }
}

/** Apollo Server reads the status of a response from its errors, and removes it there before it responds. */
function withStatus(
  [first, ...others]: readonly GraphQLError[],
  status: number,
  headers: HeaderMap,
): GraphQLError[] {
  if (first === undefined) return []
  const { message, path, extensions, originalError } = first
  // The form that Apollo Server reads. Its types know only one of the two forms of its own class.
  const carried: Record<string, unknown> = { ...extensions, http: { status, headers } }
  const carrier = new GraphQLError(message, {
    ...(path === undefined ? {} : { path }),
    ...(originalError == null ? {} : { originalError }),
    extensions: carried,
  })
  return [carrier, ...others]
}
