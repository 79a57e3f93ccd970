/**
 * A subgraph that somebody else has had for long: a shop's catalogue. It knows the ids of videos and messages as
 * any database would, and nothing of the services behind them.
 */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled'
import { startStandaloneServer } from '@apollo/server/standalone'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'

interface Product {
  readonly sku: string
  readonly name: string
  readonly price: { readonly amount: number; readonly currency: string }
  readonly videoId: string | null
  readonly messageId: string | null
}

const euro = (amount: number) => ({ amount, currency: 'EUR' })

const articles: readonly Product[] = [
  { sku: 'lamp', name: 'Lamp', price: euro(4900), videoId: 'u62wyH56M7e', messageId: '1780000000000000000' },
  { sku: 'rope', name: 'Rope', price: euro(1250), videoId: 'u62wyH56M7e', messageId: null },
  { sku: 'tent', name: 'Tent', price: euro(23900), videoId: 'cvSq8jqRoti', messageId: '1780012582912000000' },
  {
    sku: 'gone',
    name: 'Whistle',
    price: euro(300),
    videoId: 'noSuchVideo',
    messageId: '1780000000000099999',
  },
]

export interface Catalogue {
  readonly url: string
  close(): Promise<void>
}

/** Port 0 takes a free one. */
export async function startCatalogue(port: number): Promise<Catalogue> {
  const products = new Map(articles.map((product) => [product.sku, product]))
  const resolvers = {
    Query: {
      products: () => [...products.values()],
      product: (_: unknown, { sku }: { sku: string }) => products.get(sku) ?? null,
    },
    Mutation: {
      renameProduct(_: unknown, { sku, name }: { sku: string; name: string }) {
        const product = products.get(sku)
        if (product === undefined) return null
        const renamed = { ...product, name }
        products.set(sku, renamed)
        return renamed
      },
    },
    Product: {
      __resolveReference: ({ sku }: { sku: string }) => products.get(sku) ?? null,
      video: ({ videoId }: Product) => (videoId === null ? null : { videoId }),
      message: ({ messageId }: Product) => (messageId === null ? null : { messageId }),
    },
    Video: {
      __resolveReference: ({ videoId }: { videoId: string }) => ({ videoId }),
      products: ({ videoId }: { videoId: string }) =>
        [...products.values()].filter((product) => product.videoId === videoId),
    },
  }
  const typeDefs = parse(readFileSync(new URL('catalogue.graphql', import.meta.url), 'utf8'))
  const server = new ApolloServer({
    schema: buildSubgraphSchema([{ typeDefs, resolvers }]),
    // Nobody asks for traces of Apollo's kind here; without this each start prints a line about them.
    plugins: [ApolloServerPluginInlineTraceDisabled()],
  })
  const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port } })
  return { url, close: () => server.stop() }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url } = await startCatalogue(Number(process.env.PORT ?? 5000))
  console.log(`catalogue ${url}`)
}
