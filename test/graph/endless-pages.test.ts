/**
 * Services whose page tokens lead nowhere, or to empty pages, behind the gateway: what came stays, an error says so,
 * calls are few.
 */
import { expect, test } from 'vitest'
import { startGraph } from '../support/graph.ts'
import { startScripted } from '../support/scripted-service.ts'
import { faults } from '../support/subgraph.ts'

const videos = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ kind: 'media#video', id: `v${at}`, etag: `e${at}` }))

test('a list of a service that ignores the page token has its items once, and an error', async () => {
  await using service = await startScripted(({ query }) => ({
    body: { items: videos(Number(query.maxResults)), nextPageToken: 'MORE' },
  }))
  await using graph = await startGraph({ urls: { videos: service.url } })
  const { status, data, errors } = await graph.ask(
    '{ chartVideos(chart: MOST_POPULAR, first: 300) { nodes { videoId } pageInfo { hasNextPage } } }',
  )
  expect(status).toBe(200)
  expect(data.chartVideos.nodes).toHaveLength(50)
  expect(new Set(data.chartVideos.nodes.map(({ videoId }: { videoId: string }) => videoId)).size).toBe(50)
  expect(data.chartVideos.pageInfo).toEqual({ hasNextPage: false })
  expect(errors).toMatchObject([
    {
      path: ['chartVideos'],
      extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: 'videos', upstream: { reason: 'pagesRepeat' } },
    },
  ])
  expect(service.arrived).toHaveLength(2)
})

test.each([
  ['a circle', () => ({ nextPageToken: 'T' })],
  ['tokens without end', (calls: number) => ({ nextPageToken: `T${calls}` })],
])('an intent that is sought in %s is given up, and leaves what was detected', async (_, next) => {
  await using service = await startScripted(({ method }) =>
    method === 'POST'
      ? { body: { queryResult: { intent: { name: 'projects/demo/agent/intents/i' }, queryText: 'hi' } } }
      : {
          body: { intents: [{ name: 'projects/demo/agent/intents/other' }], ...next(service.arrived.length) },
        },
  )
  await using graph = await startGraph({ urls: { agents: service.url } })
  const { data, errors } = await graph.ask(
    `mutation { detectIntent(input: { project: "demo", session: "s", queryInput: { event: { name: "E" } } }) {
       queryResult { queryText intent { name intent { displayName } } } } }`,
  )
  expect(data.detectIntent.queryResult).toEqual({
    queryText: 'hi',
    intent: { name: 'projects/demo/agent/intents/i', intent: null },
  })
  expect(faults(errors as never)).toEqual(['detectIntent.queryResult.intent.intent: UPSTREAM_BAD_RESPONSE'])
  expect(service.arrived.length).toBeLessThanOrEqual(21)
})

test.each([
  ['as long as a page', 'T'.repeat(100_000)],
  ['that UTF-8 does not have', '\ud800'],
])('a token %s ends the list after the items so far, with an error', async (_, nextPageToken) => {
  await using service = await startScripted(({ query }) => ({
    body: { items: videos(Number(query.maxResults)), nextPageToken },
  }))
  await using graph = await startGraph({ urls: { videos: service.url } })
  const { data, errors, text } = await graph.ask(
    '{ chartVideos(chart: MOST_POPULAR, first: 60) { edges { cursor } pageInfo { hasNextPage } } }',
  )
  expect(data.chartVideos.edges).toHaveLength(50)
  expect(data.chartVideos.pageInfo).toEqual({ hasNextPage: false })
  expect(errors).toMatchObject([
    {
      path: ['chartVideos'],
      extensions: { code: 'UPSTREAM_BAD_RESPONSE', upstream: { reason: 'unusableToken' } },
    },
  ])
  expect(text.length).toBeLessThan(10_000)
  expect(service.arrived).toHaveLength(1)
})

test('empty pages after the last item lead on from it, and are not read again', async () => {
  const pages: Record<string, object> = {
    '': { items: videos(50), nextPageToken: 'A' },
    A: { items: [], nextPageToken: 'B' },
    B: { items: [{ kind: 'media#video', id: 'last', etag: 'e' }] },
  }
  await using service = await startScripted(({ query }) => ({ body: pages[query.pageToken ?? ''] }))
  await using graph = await startGraph({ urls: { videos: service.url } })
  const chart = `query ($after: String) { chartVideos(chart: MOST_POPULAR, first: 51, after: $after) {
    edges { cursor node { videoId } } pageInfo { hasNextPage endCursor } } }`
  const { data } = await graph.ask(chart)
  expect(data.chartVideos.edges).toHaveLength(50)
  const { cursor } = data.chartVideos.edges[49]
  expect(data.chartVideos.pageInfo).toEqual({ hasNextPage: true, endCursor: cursor })
  const rest = await graph.ask(chart, { after: cursor })
  expect(rest.data.chartVideos.edges).toMatchObject([{ node: { videoId: 'last' } }])
  expect(service.arrived.map(({ query }) => query.pageToken)).toEqual([undefined, 'A', 'B'])
  const more = await graph.ask(chart, { after: data.chartVideos.edges[48].cursor })
  expect(more.errors).toEqual([])
  expect(more.data.chartVideos.edges).toMatchObject([
    { node: { videoId: 'v49' } },
    { node: { videoId: 'last' } },
  ])
})
