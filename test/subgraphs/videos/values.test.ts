/** Numbers of the service: every value that its contract allows arrives, and what is out of range fails its own field. */
import { beforeEach, expect, test } from 'vitest'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { startGraph } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'
import { videosOver } from './kit.ts'

const graph = keepForFile(await startGraph())
beforeEach(() => graph.sandbox.reset())

const id = sampleVideos.own[0] as string
const answer = (item: string): void =>
  graph.sandbox.fail({
    operation: 'videos.list',
    kind: 'status',
    status: 200,
    body: `{"items":[{"id":"${id}",${item}}]}`,
  })
const ask = () =>
  graph.ask(
    `{ video(videoId: "${id}") { snippet { title thumbnails { width height } } statistics { viewCount likeCount } } }`,
  )

test.each(['9007199254740993', '18446744073709551615', '0', '2147483648'])(
  'a count of %s arrives with all its digits, as text or as a number of the JSON',
  async (count) => {
    answer(`"statistics":{"viewCount":${count},"likeCount":"${count}"}`)
    const { data, errors } = await ask()
    expect(errors).toEqual([])
    expect(data.video.statistics).toEqual({ viewCount: count, likeCount: count })
  },
)

test('an empty page token is none: the list ends', async () => {
  graph.sandbox.fail({
    operation: 'videos.list',
    kind: 'status',
    status: 200,
    body: `{"items":[{"id":"${id}"}],"nextPageToken":"","prevPageToken":""}`,
  })
  const { data, errors } = await graph.ask(
    '{ chartVideos(chart: MOST_POPULAR, first: 20) { nodes { videoId } pageInfo { hasNextPage hasPreviousPage } } }',
  )
  expect(errors).toEqual([])
  expect(data.chartVideos).toEqual({
    nodes: [{ videoId: id }],
    pageInfo: { hasNextPage: false, hasPreviousPage: false },
  })
  expect(graph.sandbox.calls('videos.list')).toHaveLength(1)
})

test('an unsigned integer of 32 bits arrives as the number that it is', async () => {
  answer('"snippet":{"title":"t","thumbnails":{"default":{"width":4294967295,"height":2147483648}}}')
  const { data, errors } = await ask()
  expect(errors).toEqual([])
  expect(data.video.snippet.thumbnails).toEqual([{ width: 4294967295, height: 2147483648 }])
})

test.each([
  ['"statistics":{"viewCount":18446744073709551616}', ['statistics', 'viewCount']],
  ['"statistics":{"viewCount":-1}', ['statistics', 'viewCount']],
  ['"statistics":{"viewCount":1.5}', ['statistics', 'viewCount']],
  ['"statistics":{"viewCount":"many"}', ['statistics', 'viewCount']],
  ['"snippet":{"title":"t","thumbnails":{"a":{"width":-1}}}', ['snippet', 'thumbnails', 0, 'width']],
  [
    '"snippet":{"title":"t","thumbnails":{"a":{"width":9007199254740993}}}',
    ['snippet', 'thumbnails', 0, 'width'],
  ],
])('a value out of range fails its own field: %s', async (item, path) => {
  answer(item)
  const { data, errors } = await ask()
  expect(data.video).not.toBeNull()
  expect(errors.map((error) => [error.path, error.extensions.code])).toEqual([
    [['video', ...path], 'UPSTREAM_BAD_RESPONSE'],
  ])
})

test("if nothing but the owner's parts is selected, their call is the only one", async () => {
  const { data, errors } = await graph.ask(
    `{ video(videoId: "${id}") { videoId fileDetails { fileName } suggestions { processingErrors } }
       videos(videoIds: ["${id}", "missing-one"]) { fileDetails { fileName } } }`,
  )
  expect(errors).toEqual([])
  expect(data.video).toMatchObject({ videoId: id, fileDetails: { fileName: expect.any(String) } })
  expect(data.videos[1]).toBeNull()
  expect(graph.sandbox.calls('videos.list').map(({ query }) => query.get('part'))).toEqual([
    'fileDetails,suggestions',
  ])
})

test("the owner's parts of somebody else's video fail at their fields, with one call", async () => {
  const { data, errors } = await graph.ask(
    `{ video(videoId: "${sampleVideos.live}") { videoId fileDetails { fileName } } }`,
  )
  expect(data.video).toEqual({ videoId: sampleVideos.live, fileDetails: null })
  expect(errors.map((error) => [error.path, error.extensions.code])).toEqual([
    [['video', 'fileDetails'], 'FORBIDDEN'],
  ])
  expect(graph.sandbox.calls('videos.list').length).toBe(1)
})

test("the owner's parts of somebody else's video take no other video's along", async () => {
  const { data, errors } = await graph.ask(
    `{ videos(videoIds: ["${sampleVideos.live}", "${id}"]) { videoId fileDetails { fileName } } }`,
  )
  expect(data.videos).toEqual([
    { videoId: sampleVideos.live, fileDetails: null },
    { videoId: id, fileDetails: { fileName: expect.any(String) } },
  ])
  expect(errors.map((error) => [error.path, error.extensions.code])).toEqual([
    [['videos', 0, 'fileDetails'], 'FORBIDDEN'],
  ])
})

test.each(['   ', '\n\t', '\u00a0\u2003'])(
  'a blank comment is refused before it costs anything: %j',
  async (text) => {
    const { errors } = await graph.ask(
      'mutation ($text: String!) { insertCommentThread(input: { videoId: "a", textOriginal: $text }) { commentThread { id } } }',
      { text },
    )
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.textOriginal' })
    expect(graph.sandbox.journal).toEqual([])
  },
)

test.each([
  ['updateVideo(input: { videoId: "a", snippet: { title: "  " } }) { videoId }', 'input.snippet.title'],
  ['updateVideo(input: { videoId: "a", snippet: { tags: ["a", "<b>"] } }) { videoId }', 'input.snippet.tags'],
  [
    'updateVideo(input: { videoId: "a", recordingDetails: { recordingDate: "yesterday" } }) { videoId }',
    'input.recordingDetails.recordingDate',
  ],
  [
    'updateVideo(input: { videoId: "a", replace: true, status: { publishAt: "2030-01-01T00:00:00Z" } }) { videoId }',
    'input.status.publishAt',
  ],
  [
    'insertVideo(input: { snippet: { title: "t" }, status: { publishAt: "2030-01-01T00:00:00Z" }, contentType: "video/mp4", contentLength: "5" }) { upload { url } }',
    'input.status.publishAt',
  ],
])('a write that the service would surely refuse makes no call: %s', async (field, argument) => {
  const { errors } = await graph.ask(`mutation { ${field} }`)
  expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  expect(graph.sandbox.journal).toEqual([])
})

test('a first comment that is no resource fails its own field', async () => {
  const item = `{"id":"t","snippet":{"topLevelComment":{"snippet":{"textOriginal":"x"}}}}`
  graph.sandbox.fail({
    ...{ operation: 'commentThreads.list', kind: 'status', status: 200 },
    body: `{"items":[${item}]}`,
  })
  const { data, errors } = await graph.ask(
    `{ video(videoId: "${id}") { commentThreads(first: 1) { nodes { threadId topLevelComment { commentId } } } } }`,
  )
  expect(data.video.commentThreads.nodes).toEqual([{ threadId: 't', topLevelComment: null }])
  expect(errors.map((error) => error.extensions.code)).toEqual(['UPSTREAM_BAD_RESPONSE'])
})

test.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05.123456+02:00', '2026-01-02T03:04:05.123456+02:00'],
  ['2026-01-02T03:04:05', '2026-01-02T03:04:05Z'],
  ['2026-01-02 03:04:05.678', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02T03:04:05,5+0200', '2026-01-02T03:04:05.5+02:00'],
  ['2026-01-02T03:04-05', '2026-01-02T03:04:00-05:00'],
  ['20260102T030405Z', '2026-01-02T03:04:05Z'],
])('the time %s of ISO 8601 arrives as %s', async (sent, shown) => {
  await using videos = await videosOver({ body: { items: [{ id, snippet: { publishedAt: sent } }] } })
  const { data, errors } = await videos.run(`{ video(videoId: "${id}") { snippet { publishedAt } } }`)
  expect(errors).toEqual([])
  expect(data.video.snippet.publishedAt).toBe(shown)
})

test.each(['2026-01-02', '03:04:05', '2026-13-02T03:04:05', '2026-01-02T25:04:05', 'yesterday', ''])(
  'the time %o is none',
  async (sent) => {
    await using videos = await videosOver({ body: { items: [{ id, snippet: { publishedAt: sent } }] } })
    const { errors } = await videos.run(`{ video(videoId: "${id}") { snippet { publishedAt } } }`)
    expect(errors[0]?.extensions.code).toBe('UPSTREAM_BAD_RESPONSE')
  },
)
