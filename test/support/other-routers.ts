/** Routers of others in this process, in front of our subgraphs as services. */
import { createServer } from 'node:http'
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import httpTransport from '@graphql-mesh/transport-http'
import { compose, type SubgraphSource } from '../../engine/supergraph/compose/index.ts'
import { subgraphNames } from '../../subgraphs/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { listen } from './listen.ts'
import { type Services, serviceSecret } from './services.ts'

export interface Router extends AsyncDisposable {
  readonly url: string
}

/** Of our services, whose schemas are edited, and of others. */
export function supergraphOf(
  { urls }: Services,
  edit: (sdl: string) => string,
  ...others: readonly SubgraphSource[]
): string {
  const ours = subgraphNames.map((name) => ({ name, url: urls[name], typeDefs: edit(readSchemaFile(name)) }))
  const { supergraph, errors } = compose([...ours, ...others])
  if (errors !== undefined) throw new AggregateError(errors)
  return supergraph
}

export async function startHiveGateway(options: Parameters<typeof createGatewayRuntime>[0]): Promise<Router> {
  const runtime = createGatewayRuntime({
    transports: { http: httpTransport },
    logging: false,
    landingPage: false,
    graphiql: false,
    ...options,
  })
  const listening = await listen(createServer(runtime))
  return {
    url: `${listening.url}/graphql`,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await runtime[Symbol.asyncDispose]()
    },
  }
}

/** It passes the caller's token on. */
export async function startApolloGateway(supergraphSdl: string): Promise<Router> {
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ url }) =>
      new RemoteGraphQLDataSource<{ authorization?: string | undefined }>({
        url: url ?? '',
        willSendRequest({ request, context }) {
          request.http?.headers.set('router-authorization', `Bearer ${serviceSecret}`)
          if (context.authorization) request.http?.headers.set('authorization', context.authorization)
        },
      }),
  })
  const server = new ApolloServer<{ authorization?: string | undefined }>({ gateway })
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    context: async ({ req }) => ({ authorization: req.headers.authorization }),
  })
  return { url, [Symbol.asyncDispose]: () => server.stop() }
}
