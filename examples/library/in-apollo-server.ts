/** Tessera's own graph as the gateway of an Apollo Server, with that server's plugins around it. */
import { ApolloServer } from '@apollo/server'
import { readConfig } from 'tessera-graph'
import { tesseraGateway } from 'tessera-graph/apollo'

/** `url` is the address of all four services. */
export function createApolloServer(url: string): ApolloServer {
  const { config, faults } = readConfig({
    TESSERA_VIDEOS_URL: url,
    TESSERA_AGENTS_URL: url,
    TESSERA_MESSAGES_URL: url,
    TESSERA_METRICS_URL: url,
    TESSERA_LOG_LEVEL: 'silent',
  })
  if (faults !== undefined) throw new Error(faults.join('\n'))
  return new ApolloServer({ gateway: tesseraGateway({ config }) })
}
