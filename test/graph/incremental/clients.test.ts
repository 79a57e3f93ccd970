/** Clients of other projects get incremental responses: Apollo Client, Relay, urql, meros, graphql-sse. */
import { ApolloClient, gql, HttpLink, InMemoryCache, NetworkStatus } from '@apollo/client'
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental'
import { relayStylePagination } from '@apollo/client/utilities'
import { Client, fetchExchange } from '@urql/core'
import { createClient as createSseClient } from 'graphql-sse'
import { meros } from 'meros/browser'
import { expect, test } from 'vitest'
import { keepForFile } from '../../support/keep.ts'
import { postJson } from '../../support/post-json.ts'
import { until } from '../../support/router.ts'
import { startSetting } from './kit.ts'
import { startPages, total } from './pages.ts'

const setting = keepForFile(await startSetting())

interface Chart {
  readonly chartVideos: {
    readonly edges: readonly { readonly node: { readonly videoId: string } }[]
    readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean }
  }
}

const text = '{ item(id: "2") { id name ... @defer(label: "stars") { stars } } }'

const handlers: readonly [string, () => unknown][] = [
  ['Defer20220824Handler', () => new Defer20220824Handler()],
  ['GraphQL17Alpha9Handler', () => new GraphQL17Alpha9Handler()],
]

test.each(handlers)('Apollo Client, %s', async (_, handler) => {
  setting.hold()
  const client = new ApolloClient({
    link: new HttpLink({ uri: setting.url }),
    cache: new InMemoryCache(),
    incrementalHandler: handler() as never,
  })
  const seen: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    client.watchQuery({ query: gql(text), fetchPolicy: 'network-only' }).subscribe({
      next({ data, loading, dataState }) {
        if (data === undefined) return
        const { item } = data as { item: Record<string, unknown> }
        seen.push(Object.keys(item).filter((key) => key !== '__typename'))
        if (dataState === 'streaming') setting.release()
        if (!loading && dataState === 'complete') resolve()
      },
      error: reject,
    })
  })
  client.stop()
  expect(seen[0]).toEqual(['id', 'name'])
  expect(seen.at(-1)).toEqual(['id', 'name', 'stars'])
})

test('Apollo Client takes the items of a list as they come', async () => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: setting.url }),
    cache: new InMemoryCache(),
    incrementalHandler: new GraphQL17Alpha9Handler() as never,
  })
  const lengths: number[] = []
  await new Promise<void>((resolve, reject) => {
    client.watchQuery({ query: gql('{ items @stream(initialCount: 1) { id name stars } }') }).subscribe({
      next({ data, networkStatus }) {
        if (data === undefined) return
        lengths.push((data as { items: unknown[] }).items.length)
        if (networkStatus === NetworkStatus.ready) resolve()
      },
      error: reject,
    })
  })
  client.stop()
  expect(lengths[0]).toBe(1)
  expect(lengths.at(-1)).toBe(5)
})

test.each(handlers)(
  'Apollo Client joins streamed pages whose pageInfo is deferred, %s',
  async (_, handler) => {
    await using pages = await startPages()
    pages.isHeld = false
    const client = new ApolloClient({
      link: new HttpLink({ uri: pages.graph.url }),
      cache: new InMemoryCache({
        typePolicies: { Query: { fields: { chartVideos: relayStylePagination(['chart']) } } },
      }),
      incrementalHandler: handler() as never,
    })
    const query = gql(`query ($after: String) {
    chartVideos(chart: MOST_POPULAR, first: ${total / 2}, after: $after) {
      edges @stream(initialCount: 1) { cursor node { videoId } }
      ... @defer { pageInfo { hasNextPage endCursor } }
    }
  }`)
    const list = client.watchQuery<Chart>({ query })
    let shown = list.getCurrentResult()
    const subscription = list.subscribe((result) => {
      shown = result
    })
    const chart = async (): Promise<Chart['chartVideos']> => {
      await until(() => shown.networkStatus === NetworkStatus.ready, 'the page is whole')
      return (shown.data as Chart).chartVideos
    }
    await list.fetchMore({ variables: { after: (await chart()).pageInfo.endCursor } })
    const { edges, pageInfo } = await chart()
    subscription.unsubscribe()
    client.stop()
    expect(edges.map(({ node }) => node.videoId)).toEqual(
      Array.from({ length: total }, (_, at) => `video${at}`),
    )
    expect(pageInfo.hasNextPage).toBe(false)
  },
)

test('urql', async () => {
  setting.hold()
  const client = new Client({ url: setting.url, exchanges: [fetchExchange], preferGetMethod: false })
  const seen: unknown[] = []
  await new Promise<void>((resolve) => {
    client.query(text, {}).subscribe(({ data, hasNext, error }) => {
      seen.push(error ?? structuredClone(data))
      setting.release()
      if (!hasNext) resolve()
    })
  })
  expect(seen[0]).toEqual({ item: { id: '2', name: 'Item 2' } })
  expect(seen.at(-1)).toEqual({ item: { id: '2', name: 'Item 2', stars: 20 } })
})

test('urql puts the items of a list together if it accepts the format of 2022', async () => {
  const accept = 'text/event-stream;deferSpec=20220824, application/graphql-response+json'
  const client = new Client({
    url: setting.url,
    exchanges: [fetchExchange],
    preferGetMethod: false,
    fetchOptions: { headers: { accept } },
  })
  const [plain, { data }] = await Promise.all([
    client.query('{ items { id stars } }', {}),
    new Promise<{ data?: unknown }>((resolve) => {
      client.query('{ items @stream(initialCount: 1) { id stars } }', {}).subscribe((result) => {
        if (!result.hasNext) resolve(result)
      })
    }),
  ])
  expect(plain.data.items.length).toBe(5)
  expect(data).toEqual(plain.data)
})

test('meros', async () => {
  const response = await postJson(
    setting.url,
    { query: text },
    { accept: 'multipart/mixed;incrementalSpec=v0.2' },
  )
  const parts = await meros<Record<string, unknown>>(response)
  const bodies: unknown[] = []
  for await (const part of parts as AsyncIterable<{ json: boolean; body: unknown }>) {
    expect(part.json).toBe(true)
    bodies.push(part.body)
  }
  expect(bodies).toMatchObject([
    { data: { item: { id: '2', name: 'Item 2' } }, hasNext: true },
    { incremental: [{ data: { stars: 20 } }], hasNext: false },
  ])
})

test('graphql-sse', async () => {
  const client = createSseClient({ url: setting.url })
  const results: unknown[] = []
  for await (const result of client.iterate({ query: text })) results.push(result)
  expect(results).toMatchObject([
    { data: { item: { id: '2', name: 'Item 2' } }, hasNext: true },
    { incremental: [{ data: { stars: 20 } }], hasNext: false },
  ])
})
