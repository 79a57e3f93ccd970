/**
 * A subgraph in Apollo Server, for requests that ask for Apollo's kind of trace. Our own executor executes operations
 * there as well, so that an unexpected value of the service has the same effect as elsewhere.
 */
import { ApolloServer, type ApolloServerOptions, HeaderMap } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import { execute } from 'graphql'
import type { GatewayRequest } from '../../engine/request.ts'
import { createExecutor, type SubgraphError, type SubgraphResult } from '../../engine/subgraphs/index.ts'
import { takePartialErrors } from '../../shared/graphql/partial-errors.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { maskError } from '../pipeline/mask.ts'
import type { Logger } from '../telemetry/log.ts'

/** A valid operation. */
interface Asked {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
}

export type Apollo = Awaited<ReturnType<typeof startApollo>>

/** Apollo Server lets only a gateway execute; resolvers are the schema's own, which it wraps to trace them. */
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
          // graphql reports why no operation was found.
          if (operation === undefined)
            return execute({ schema, document, operationName: operationName ?? null })
          const { data, errors } = await createExecutor(schema, document, operation)(context, variables)
          const all = [...(errors ?? []), ...takePartialErrors(context)]
          return { ...(data === undefined ? {} : { data }), ...(all.length === 0 ? {} : { errors: all }) }
        },
      }
    },
    stop: () => Promise.resolve(),
  }
}

export async function startApollo(subgraph: Subgraph, log: Logger) {
  const server = new ApolloServer<object>({
    gateway: ownExecution(subgraph),
    introspection: true,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: false,
    stopOnTerminationSignals: false,
    logger: log,
    formatError: (_formatted, error) => maskError(error, subgraph.name, log).toJSON(),
    plugins: [ApolloServerPluginLandingPageDisabled(), ApolloServerPluginCacheControlDisabled()],
  })
  await server.start()
  return {
    /** The result with its trace in `extensions`. */
    async execute(
      { query, operationName, variables }: Asked,
      request: GatewayRequest,
    ): Promise<SubgraphResult> {
      const headers = new HeaderMap([['apollo-federation-include-trace', 'ftv1']])
      const { body } = await server.executeOperation(
        {
          ...{ query, variables, http: { method: 'POST', headers, search: '', body: {} } },
          ...(operationName === undefined ? {} : { operationName }),
        },
        { contextValue: subgraph.createContext(request) },
      )
      if (body.kind !== 'single') throw new Error('Apollo Server sent an incremental response.')
      const { data, errors, extensions } = body.singleResult
      return { data, errors: errors as readonly SubgraphError[] | undefined, extensions }
    },
    stop: (): Promise<void> => server.stop(),
  }
}
