/** Hive Gateway with its native planner, over the subgraphs' HTTP services. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import { unifiedGraphHandler } from '@graphql-hive/router-runtime'
import httpTransport from '@graphql-mesh/transport-http'

const runtime = createGatewayRuntime({
  supergraph: readFileSync(process.env.SUPERGRAPH ?? '', 'utf8'),
  unifiedGraphHandler,
  transports: { http: httpTransport },
  propagateHeaders: {
    fromClientToSubgraphs: () => ({ 'router-authorization': process.env.ROUTER_AUTHORIZATION ?? '' }),
  },
  logging: false,
  landingPage: false,
  graphiql: false,
  maskedErrors: false,
})
await runtime.getSchema?.()
const server = createServer(runtime)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null)
    console.log(`ready http://127.0.0.1:${address.port}/graphql`)
})
