/** The title of a channel, which the service tells with a video only. */
import { expect, test } from 'vitest'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { startGraph } from '../../support/graph.ts'
import { keep } from '../../support/keep.ts'
import { ask } from './kit.ts'

test('is the same if it is deferred', async () => {
  const graph = keep(await startGraph())
  const query = (directive: string): string =>
    `{ video(videoId: "${sampleVideos.own[0]}") { channel { channelId ...${directive} { title } } } }`
  await using answer = await ask(graph.url, query(' @defer'), 'multipart/mixed;incrementalSpec=v0.2')
  expect((await answer.next()).data.video.channel).toEqual({ channelId: expect.any(String) })
  const [last] = await answer.rest()
  const { data } = await graph.ask(query(''))
  expect(data.video.channel.title).toEqual(expect.any(String))
  expect(last?.incremental[0].data).toEqual({ title: data.video.channel.title })
})
