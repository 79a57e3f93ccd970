/**
 * The chart of videos, printed as it comes: Apollo Client 4 asks with `@stream` and `@defer`, and each page of the
 * service is on the screen while the next one is read, with the milliseconds since the request. Ctrl-C closes the connection, and with it the calls.
 */
import { parseArgs } from 'node:util'
import { ApolloClient, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from '@apollo/client'
import { GraphQL17Alpha9Handler } from '@apollo/client/incremental'

interface Chart {
  readonly chartVideos: {
    readonly edges?: readonly {
      readonly node: { readonly snippet: { readonly title: string | null } | null }
    }[]
    readonly pageInfo?: { readonly hasNextPage: boolean }
  } | null
}

const chart: TypedDocumentNode<Chart, { readonly count: number }> = gql`
  query Chart($count: Int!) {
    chartVideos(chart: MOST_POPULAR, first: $count) {
      edges @stream(initialCount: 3) {
        node { id snippet { title } }
      }
      ... @defer {
        pageInfo { hasNextPage }
      }
    }
  }
`

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:4000/graphql' },
    token: { type: 'string' },
    count: { type: 'string', default: '120' },
  },
})

const client = new ApolloClient({
  link: new HttpLink({
    uri: values.url,
    headers: values.token === undefined ? {} : { authorization: `Bearer ${values.token}` },
  }),
  cache: new InMemoryCache(),
  // Its types and those of the client disagree under `exactOptionalPropertyTypes`.
  incrementalHandler: new GraphQL17Alpha9Handler() as never,
})

const begun = performance.now()
let printed = 0
/** Prints what is new. */
function show({ chartVideos }: Partial<Chart>): void {
  const edges = chartVideos?.edges ?? []
  const ms = `${Math.round(performance.now() - begun)} ms`.padStart(8)
  for (const { node } of edges.slice(printed))
    console.log(`${ms}  ${++printed}. ${node.snippet?.title ?? 'Untitled'}`)
}

const subscription = client
  .watchQuery({ query: chart, variables: { count: Number(values.count) }, fetchPolicy: 'network-only' })
  .subscribe(({ data, dataState, error }) => {
    if (data !== undefined) show(data as Partial<Chart>)
    if (error !== undefined) console.log(`! ${error.message}`)
    if (error === undefined && dataState !== 'complete') return
    if (dataState === 'complete')
      console.log(data.chartVideos?.pageInfo?.hasNextPage === true ? 'There are more.' : 'That is all.')
    process.exitCode = error === undefined ? 0 : 1
    stop()
  })

function stop(): void {
  subscription.unsubscribe()
  client.stop()
}
process.once('SIGINT', stop)
