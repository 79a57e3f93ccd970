/**
 * A subgraph in Apollo Server, which knows whatever a router may ask of a subgraph: traces, hashes, its faults. Operations
 * are executed by our own executor there as well, so that an odd value of the service costs no more than elsewhere.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { ApolloServer, type ApolloServerOptions, HeaderMap } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import { execute, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { takePartialErrors } from '../../contract/partial-errors.ts'
import type { Subgraph } from '../../contract/subgraph.ts'
import type { GatewayRequest } from '../engine/request.ts'
import { createExecutor } from '../engine/transport/index.ts'
import type { Logger } from '../observe/log.ts'
import { maskedError, unexpected } from './errors.ts'

export interface Asked {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Of the URL, with its question mark. */
  readonly search: string
  /** What the body said as JSON. */
  readonly json: unknown
}

export interface ApolloAnswer {
  readonly status: number
  /** Undefined where Apollo Server leaves it open. */
  readonly contentType: string | undefined
  readonly text: string
}

export interface Apollo {
  answer(asked: Asked, request: GatewayRequest): Promise<ApolloAnswer>
  stop(): Promise<void>
}

/** What Apollo Server refuses about the request as a whole has a code that is not of our list, or that of a fault. */
function refusalFrom(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError | undefined {
  const code = formatted.extensions?.code
  const isRefusal =
    code === 'OPERATION_RESOLUTION_FAILURE' ||
    (code === unexpected &&
      formatted.path === undefined &&
      error instanceof GraphQLError &&
      !error.originalError)
  return isRefusal ? { message: formatted.message, extensions: { code: 'BAD_REQUEST' } } : undefined
}

/** Apollo Server lets nobody but a gateway execute; resolvers are the schema's own, which it wraps to trace them. */
function ownExecution({ schema }: Subgraph): NonNullable<ApolloServerOptions<object>['gateway']> {
  const listeners = new Set<(context: { apiSchema: typeof schema; coreSupergraphSdl: string }) => void>()
  return {
    onSchemaLoadOrUpdate(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async load() {
      for (const listener of listeners) listener({ apiSchema: schema, coreSupergraphSdl: '' })
      return {
        async executor({ document, operation, request: { operationName, variables = {} }, context }) {
          // Why no operation was found is for graphql to say.
          if (operation === undefined)
            return execute({ schema, document, operationName: operationName ?? null })
          const { data, errors } = await createExecutor(schema, document, operation)(context, variables)
          return { ...(data === undefined ? {} : { data }), ...(errors === undefined ? {} : { errors }) }
        },
      }
    },
    stop: () => Promise.resolve(),
  }
}

export async function startApollo(subgraph: Subgraph, log: Logger): Promise<Apollo> {
  const server = new ApolloServer<object>({
    gateway: ownExecution(subgraph),
    introspection: true,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    logger: log,
    formatError: (formatted, error): GraphQLFormattedError =>
      maskedError(refusalFrom(formatted, error) ?? formatted, error, subgraph.name, log),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      {
        async requestDidStart() {
          return {
            async willSendResponse({ contextValue, response }) {
              const partial = takePartialErrors(contextValue)
              if (partial.length === 0 || response.body.kind !== 'single') return
              const { singleResult } = response.body
              singleResult.errors = [
                ...(singleResult.errors ?? []),
                ...partial.map((error) => error.toJSON()),
              ]
            },
          }
        },
      },
    ],
  })
  await server.start()
  return {
    async answer({ method, headers: given, search, json }, request) {
      const headers = new HeaderMap()
      for (const [name, value] of Object.entries(given)) {
        if (typeof value === 'string') headers.set(name, value)
      }
      const answer = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method, headers, search, body: json },
        context: async () => subgraph.createContext(request),
      })
      return {
        status: answer.status ?? 200,
        contentType: answer.headers.get('content-type'),
        text: answer.body.kind === 'complete' ? answer.body.string : '',
      }
    },
    stop: () => server.stop(),
  }
}
