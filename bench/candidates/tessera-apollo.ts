/** Tessera hosted in Apollo Server, in one process. Apollo Server is the product's own, not the benchmark's. */
import { createRequire } from 'node:module'
import { tesseraGateway } from '../../gateway/apollo.ts'
import { readConfig } from '../../gateway/config.ts'

const fromProduct = createRequire(new URL('../../gateway/apollo.ts', import.meta.url))
const { ApolloServer } = fromProduct('@apollo/server') as typeof import('@apollo/server')
const { startStandaloneServer } = fromProduct(
  '@apollo/server/standalone',
) as typeof import('@apollo/server/standalone')

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
