import { expect, test } from 'vitest'
import { readConfig } from '../../../gateway/config/index.ts'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { type Graph, startGraph } from '../../support/graph.ts'
import { postJson } from '../../support/post-json.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { readUntil } from './kit.ts'

const fileWith = (text: string): string => temporaryFile('tessera.yaml', text)
const [id] = sampleVideos.own
const subscription = `subscription { videoChanged(videoIds: ["${id}"]) { videoId statistics { viewCount } } }`

/** What the first event says about the interval. */
async function plannedBy(graph: Graph, query = subscription): Promise<unknown> {
  const response = await postJson(graph.url, { query }, { accept: 'text/event-stream' })
  const data = /^data: ?(\{.*)$/m
  const text = await readUntil(response, (each) => data.test(each))
  return JSON.parse(data.exec(text)?.[1] ?? `no event came: ${text}`).extensions.live
}

test.each([
  ['the environment', { TESSERA_VIDEOS_LIVE_EVERY_SECONDS: '240' }, 240],
  ['the file', { TESSERA_CONFIG: fileWith('live:\n  videos:\n    everySeconds: 120\n') }, 120],
  [
    'the environment before the file',
    {
      TESSERA_CONFIG: fileWith('live:\n  videos:\n    everySeconds: 120\n'),
      TESSERA_VIDEOS_LIVE_EVERY_SECONDS: '600',
    },
    600,
  ],
])('%s sets the interval, and with it the price of an hour', async (_, env, seconds) => {
  await using graph = await startGraph({ env })
  const unitsPerHour = 3600 / seconds
  expect(await plannedBy(graph)).toEqual({ intervalSeconds: seconds, unitsPerPoll: 1, unitsPerHour })
  const { extensions } = await graph.ask(subscription, {}, { headers: { 'tessera-explain': '1' } })
  expect(extensions).toMatchObject({ explain: { poll: { intervalSeconds: seconds, unitsPerHour } } })
})

test('a field without calls, and the other services, keep their own', async () => {
  await using graph = await startGraph({ env: { TESSERA_VIDEOS_LIVE_EVERY_SECONDS: '240' } })
  expect(await plannedBy(graph, 'subscription { mediaQuotaChanged { used } }')).toMatchObject({
    intervalSeconds: 5,
  })
})

test.each([
  [{ TESSERA_AGENTS_LIVE_EVERY_SECONDS: '0' }, 'TESSERA_AGENTS_LIVE_EVERY_SECONDS'],
  [{ TESSERA_AGENTS_LIVE_EVERY_SECONDS: '1e9' }, 'TESSERA_AGENTS_LIVE_EVERY_SECONDS'],
  [{ TESSERA_CONFIG: fileWith('live:\n  videos:\n    everySeconds: 100000\n') }, 'live.videos.everySeconds'],
  [{ TESSERA_CONFIG: fileWith('live:\n  video:\n    everySeconds: 10\n') }, 'live.video'],
])('%j is a fault that names %s', (env, name) => {
  const { faults } = readConfig(env)
  expect(faults?.join('\n')).toContain(name)
})
