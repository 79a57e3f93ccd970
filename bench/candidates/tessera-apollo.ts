/** Tessera hosted in Apollo Server, in one process. */

import { readConfig } from '../../gateway/config/index.ts'
import { tesseraGateway } from '../../gateway/hosts/apollo.ts'
import { ApolloServer, startStandaloneServer } from './product-apollo.ts'

const { config, faults } = readConfig(process.env)
if (faults !== undefined) throw new Error(faults.join('\n'))
const serviceUrls = {
  videos: config.services.videos.url ?? '',
  agents: config.services.agents.url ?? '',
  messages: config.services.messages.url ?? '',
  metrics: config.services.metrics.url ?? '',
}
const server = new ApolloServer({
  gateway: tesseraGateway({ config, serviceUrls }),
  includeStacktraceInErrorResponses: false,
})
const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } })
console.log(`ready ${url}graphql`)
