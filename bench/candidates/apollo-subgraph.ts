/** One subgraph in Apollo Server, configured as in its documentation. The first argument is its name. */
import { subgraphNames } from '../../subgraphs/index.ts'
import { ApolloServer, startStandaloneServer } from './product-apollo.ts'
import { contextOf, subgraphFor } from './resolvers.ts'

const name = subgraphNames.find((known) => known === process.argv[2])
if (name === undefined) throw new Error(`expected one of ${subgraphNames.join(', ')}`)
const subgraph = subgraphFor(name)
const server = new ApolloServer<object>({ schema: subgraph.schema, includeStacktraceInErrorResponses: false })
const { url } = await startStandaloneServer(server, {
  listen: { port: 0, host: '127.0.0.1' },
  context: async () => contextOf(subgraph),
})
console.log(`ready ${url}`)
