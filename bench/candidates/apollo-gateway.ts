/** `@apollo/gateway`, configured as in its documentation, over the subgraphs' HTTP services. */
import { readFileSync } from 'node:fs'
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'

const gateway = new ApolloGateway({
  supergraphSdl: readFileSync(process.env.SUPERGRAPH ?? '', 'utf8'),
  buildService: ({ url }) =>
    new RemoteGraphQLDataSource({
      url: url ?? '',
      willSendRequest({ request }) {
        request.http?.headers.set('router-authorization', process.env.ROUTER_AUTHORIZATION ?? '')
      },
    }),
})
const server = new ApolloServer({ gateway, includeStacktraceInErrorResponses: false })
const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } })
console.log(`ready ${url}graphql`)
