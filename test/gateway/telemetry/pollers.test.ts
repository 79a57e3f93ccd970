/** What is seen of the pollers behind subscriptions. */
import { createClient } from 'graphql-sse'
import { expect, test } from 'vitest'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { startGraph } from '../../support/graph.ts'

test('pollers and polls are counted by service and field, and no label has what is asked for', async () => {
  await using graph = await startGraph()
  const client = createClient({ url: graph.url, retryAttempts: 0 })
  const events = client.iterate({
    query: `subscription { videoChanged(videoIds: ["${sampleVideos.own[0]}"]) { videoId } }`,
  })
  expect((await events.next()).done).toBe(false)
  const lines = async () =>
    (await graph.gateway.metrics.text()).split('\n').filter((line) => line.startsWith('tessera_poll'))
  const labels = 'service="videos",field="videoChanged"'
  await expect.poll(lines).toContain(`tessera_poll_duration_seconds_count{${labels},result="changed"} 1`)
  expect(await lines()).toContain(`tessera_pollers{${labels}} 1`)
  expect(await lines()).toContain(`tessera_poll_interval_seconds_bucket{le="15",${labels}} 1`)
  expect((await lines()).join()).not.toContain(String(sampleVideos.own[0]))
  await events.return?.()
  await expect.poll(lines).toContain(`tessera_pollers{${labels}} 0`)
  client.dispose()
})
