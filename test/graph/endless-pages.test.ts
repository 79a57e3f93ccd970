/** Services whose page tokens lead nowhere, behind the gateway: what came stays, an error says so, calls are few. */
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
