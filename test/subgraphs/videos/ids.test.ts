/** Ids of a service that promises no form for them: they are texts, which are escaped and stay in their places. */
import { expect, test } from 'vitest'
import type { Arrived, Scripted } from '../../support/scripted-service.ts'
import { faults } from '../../support/subgraph.ts'
import { videosOver } from './kit.ts'

const odd = ['a b', 'v:1', 'v.1', 'ä', 'q&chart=x', '50%2C', 'a?b#c+d', '..']

/** Every video and thread exists. */
function all({ query, path }: Arrived): Scripted {
  const ids = (query.id ?? 'new').split(',')
  const snippet = path.endsWith('/videos') ? { title: 't' } : { videoId: query.videoId ?? odd[0] }
  return { body: { items: ids.map((id) => ({ id, snippet })) } }
}

const ids = (arrived: readonly Arrived[]) => arrived.map(({ query }) => query.id)

test('videos are looked up by any id, in calls of their own if others use none of that form', async () => {
  await using videos = await videosOver(all)
  const { data, errors } = await videos.run(
    'query ($ids: [ID!]!) { videos(videoIds: $ids) { videoId snippet { title } } }',
    { ids: [...odd, 'plain-id_1', odd[0]] },
  )
  expect(errors).toEqual([])
  expect(data.videos.map(({ videoId }: { videoId: string }) => videoId)).toEqual([
    ...odd,
    'plain-id_1',
    odd[0],
  ])
  expect(ids(videos.arrived).sort()).toEqual([odd.join(','), 'plain-id_1'])
})

test('lists of a video, and a change of it, name any id', async () => {
  await using videos = await videosOver((arrived) =>
    arrived.method === 'DELETE' ? { status: 204 } : all(arrived),
  )
  for (const videoId of odd) {
    videos.arrived.length = 0
    const read = await videos.run(
      'query ($id: ID!) { video(videoId: $id) { commentThreads { nodes { threadId } } } commentThread(threadId: $id) { threadId video { videoId snippet { title } } } }',
      { id: videoId },
    )
    expect(read.errors).toEqual([])
    expect(read.data.commentThread.video.videoId).toBe(odd[0])
    expect(videos.arrived.find(({ query }) => query.videoId !== undefined)?.query.videoId).toBe(videoId)
    videos.arrived.length = 0
    const { data } = await videos.run(
      'mutation ($id: ID!) { deleteVideo(input: { videoId: $id }) { deletedVideoId } }',
      { id: videoId },
    )
    expect(data.deleteVideo.deletedVideoId).toBe(videoId)
    expect(ids(videos.arrived)).toEqual([videoId])
  }
})

test('the parts of an owner are looked up by the ids that a list gives', async () => {
  await using videos = await videosOver((arrived) =>
    arrived.query.chart === undefined
      ? {
          body: {
            items: (arrived.query.id ?? '').split(',').map((id) => ({ id, fileDetails: { fileName: id } })),
          },
        }
      : { body: { items: odd.map((id) => ({ id })) } },
  )
  const { data, errors } = await videos.run(
    '{ chartVideos(chart: MOST_POPULAR, first: 8) { nodes { videoId fileDetails { fileName } } } }',
  )
  expect(errors).toEqual([])
  expect(data.chartVideos.nodes).toEqual(
    odd.map((videoId) => ({ videoId, fileDetails: { fileName: videoId } })),
  )
})

test('an id that could leave its place in a call is refused without one', async () => {
  await using videos = await videosOver(all)
  const wrong = ['', 'a,b', 'a/b', 'a\\b', 'a\u0000', '\ud800', 'x'.repeat(129)]
  const { data, errors } = await videos.run(
    'query ($ids: [ID!]!) { videos(videoIds: $ids) { kind } channel(channelId: "a,b") { title } }',
    { ids: wrong },
  )
  expect([data.videos, data.channel]).toEqual([wrong.map(() => null), null])
  expect(faults(errors)).toEqual([
    'channel: BAD_USER_INPUT',
    ...wrong.map((_, at) => `videos.${at}: BAD_USER_INPUT`),
  ])
  expect(videos.arrived).toEqual([])
})

test('many ids that the service refuses take a bounded number of calls', async () => {
  await using videos = await videosOver({ status: 400, body: { error: { code: 400, message: 'no' } } })
  const many = Array.from({ length: 500 }, (_, at) => `!${at}`)
  const { errors } = await videos.run('query ($ids: [ID!]!) { videos(videoIds: $ids) { kind } }', {
    ids: many,
  })
  expect(errors.length).toBe(500)
  expect(videos.arrived.length).toBeLessThanOrEqual(10 + 16)
})
