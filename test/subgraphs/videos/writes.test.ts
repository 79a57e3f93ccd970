/** Changes to videos: what is read, what is written back, and what is refused before any call. */
import { beforeEach, describe, expect, test } from 'vitest'
import { sampleChannels, sampleVideos } from '../../../sandbox/videos/index.ts'
import { startGraph } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'
import { videosOver } from './kit.ts'

const graph = keepForFile(await startGraph())
beforeEach(() => graph.sandbox.reset())

const id = sampleVideos.own[0] as string
const update = (
  input: Record<string, unknown>,
  selection = 'video { videoId snippet { title description tags categoryId } }',
) =>
  graph.ask(`mutation ($input: UpdateVideoInput!) { updateVideo(input: $input) { ${selection} } }`, {
    input: { videoId: id, ...input },
  })
const written = () => JSON.parse(graph.sandbox.calls('videos.update')[0]?.body ?? 'null')
const current = async () =>
  (
    await graph.ask(
      `{ video(videoId: "${id}") { snippet { title description tags categoryId defaultLanguage } status { license embeddable privacyStatus } } }`,
    )
  ).data.video

describe('a patch', () => {
  test('of only the title keeps description, tags and category, and costs 51 units', async () => {
    const was = await current()
    graph.sandbox.reset()
    const { data, errors } = await update({ snippet: { title: 'New' } })
    expect(errors).toEqual([])
    expect(data.updateVideo.video.snippet).toEqual({
      title: 'New',
      description: was.snippet.description,
      tags: was.snippet.tags,
      categoryId: was.snippet.categoryId,
    })
    expect(graph.sandbox.journal.map(({ operation }) => operation)).toEqual(['videos.list', 'videos.update'])
    expect(graph.sandbox.calls('videos.list')[0]?.query.get('part')).toBe('snippet')
    expect(graph.sandbox.ledger.units).toBe(51)
  })

  test('keeps what somebody else has changed since the video was read into the cache', async () => {
    let snippet = { title: 'Old', categoryId: '1', description: 'Old' }
    await using videos = await videosOver(
      ({ method, body }) => {
        if (method === 'PUT') snippet = body.snippet
        return { body: method === 'PUT' ? { id: 'v', snippet } : { items: [{ id: 'v', snippet }] } }
      },
      { tuning: { cache: { freshMs: 60_000 } } },
    )
    await videos.run('{ video(videoId: "v") { snippet { title } } }')
    snippet = { ...snippet, description: 'New' }
    const { errors } = await videos.run(
      'mutation { updateVideo(input: { videoId: "v", snippet: { title: "New" } }) { videoId } }',
    )
    expect(errors).toEqual([])
    expect(snippet).toEqual({ title: 'New', categoryId: '1', description: 'New' })
  })

  test('writes all but read-only fields of exactly the parts that it names', async () => {
    await update({ status: { embeddable: false } }, 'video { videoId }')
    expect(graph.sandbox.calls('videos.update')[0]?.query.get('part')).toBe('status')
    expect(Object.keys(written())).toEqual(['id', 'status'])
    expect(Object.keys(written().status).sort()).toEqual([
      'containsSyntheticMedia',
      'embeddable',
      'license',
      'privacyStatus',
      'publicStatsViewable',
      'selfDeclaredMadeForKids',
    ])
    expect(written().status.embeddable).toBe(false)
  })

  test('clears what `clear` names, and nothing else', async () => {
    const was = await current()
    graph.sandbox.reset()
    const { data, errors } = await update({ clear: ['snippet.tags'] })
    expect(errors).toEqual([])
    expect(data.updateVideo.video.snippet).toMatchObject({ tags: null, description: was.snippet.description })
    expect('tags' in written().snippet).toBe(false)
  })

  test('takes back the time of publication with the privacy that it needs, and sets none without that', async () => {
    let status: object = { privacyStatus: 'private', publishAt: '2030-01-01T00:00:00Z', license: 'youtube' }
    await using videos = await videosOver(({ method, body }) => {
      if (method === 'PUT') status = body.status
      return { body: method === 'PUT' ? { id: 'v', status } : { items: [{ id: 'v', status }] } }
    })
    const change = (given: string) =>
      videos.run(`mutation { updateVideo(input: { videoId: "v", status: { ${given} } }) { videoId } }`)
    expect((await change('license: "creativeCommon"')).errors).toEqual([])
    expect(status).toEqual({
      privacyStatus: 'private',
      publishAt: '2030-01-01T00:00:00Z',
      license: 'creativeCommon',
    })
    expect((await change('privacyStatus: "public"')).errors).toEqual([])
    expect(status).toEqual({ privacyStatus: 'public', license: 'creativeCommon' })
    const { errors } = await change('publishAt: "2030-01-01T00:00:00Z"')
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(
          /`input.status.publishAt` is allowed only with `privacyStatus` private/,
        ),
      },
    ])
    expect(status).not.toHaveProperty('publishAt')
  })

  test('clears localizations and a whole recording', async () => {
    const { data, errors } = await update(
      { clear: ['localizations', 'recordingDetails.recordingDate', 'recordingDetails.location'] },
      'video { localizations { key } recordingDetails { recordingDate location { latitude } locationDescription } }',
    )
    expect(errors).toEqual([])
    expect(data.updateVideo.video).toEqual({
      localizations: [],
      recordingDetails: { recordingDate: null, location: null, locationDescription: expect.any(String) },
    })
  })

  test('takes null at every level as not given, as typed clients of some languages send it', async () => {
    const was = await current()
    graph.sandbox.reset()
    const nothing = { publishAt: null, license: null, embeddable: null, containsSyntheticMedia: null }
    const { data, errors } = await update({
      replace: null,
      clear: null,
      localizations: null,
      snippet: { title: 'New', description: null, tags: null, categoryId: null, defaultLanguage: null },
      status: nothing,
      recordingDetails: { recordingDate: null, location: null },
      paidProductPlacementDetails: null,
    })
    expect(errors).toEqual([])
    expect(data.updateVideo.video.snippet).toMatchObject({
      title: 'New',
      description: was.snippet.description,
      tags: was.snippet.tags,
    })
    expect(Object.keys(written())).toEqual(['id', 'snippet'])
  })

  test("keeps the owner's disclosures and the language spoken, and sets them", async () => {
    const selection =
      'video { snippet { defaultAudioLanguage } status { containsSyntheticMedia embeddable } recordingDetails { recordingDate location { latitude longitude altitude } locationDescription } paidProductPlacementDetails { hasPaidProductPlacement } }'
    const was = (await graph.ask(`{ video(videoId: "${id}") ${selection.slice(6)} }`)).data.video
    expect(was).toMatchObject({
      snippet: { defaultAudioLanguage: 'en' },
      status: { containsSyntheticMedia: true },
      recordingDetails: { location: { longitude: 11.575, altitude: 519 } },
      paidProductPlacementDetails: { hasPaidProductPlacement: false },
    })
    const kept = await update({ snippet: { title: 'New' }, status: { embeddable: false } }, selection)
    expect(kept.data.updateVideo.video).toEqual({ ...was, status: { ...was.status, embeddable: false } })
    const location = { latitude: -33.5, longitude: 151, altitude: null }
    const set = await update(
      {
        snippet: { defaultAudioLanguage: 'de' },
        status: { containsSyntheticMedia: false },
        recordingDetails: { location, locationDescription: 'Elsewhere' },
        paidProductPlacementDetails: { hasPaidProductPlacement: true },
      },
      selection,
    )
    expect(set.errors).toEqual([])
    expect(set.data.updateVideo.video).toEqual({
      snippet: { defaultAudioLanguage: 'de' },
      status: { containsSyntheticMedia: false, embeddable: false },
      recordingDetails: { ...was.recordingDetails, location, locationDescription: 'Elsewhere' },
      paidProductPlacementDetails: { hasPaidProductPlacement: true },
    })
  })

  test('of a video that does not exist is refused, and writes nothing', async () => {
    const { data, errors } = await graph.ask(
      'mutation { updateVideo(input: { videoId: "nobody", snippet: { title: "x" } }) { video { videoId } } }',
    )
    expect([data.updateVideo, errors[0]?.extensions.code]).toEqual([null, 'NOT_FOUND'])
    expect(graph.sandbox.writes).toEqual([])
  })

  test('of somebody else’s video is refused by the service', async () => {
    const { errors } = await graph.ask(
      `mutation { updateVideo(input: { videoId: "${sampleVideos.live}", snippet: { title: "x" } }) { video { videoId } } }`,
    )
    expect(errors[0]?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      service: 'videos',
      upstream: { status: 403, reason: 'forbidden' },
    })
  })

  test('replaces all localizations by the list that it gives', async () => {
    const { data, errors } = await update(
      { localizations: [{ key: 'de', title: 'Eins', description: 'Zwei' }] },
      'video { localizations { key title description } de: localizations(key: "de") { title } none: localizations(key: "xx") { title } }',
    )
    expect(errors).toEqual([])
    expect(data.updateVideo.video).toEqual({
      localizations: [{ key: 'de', title: 'Eins', description: 'Zwei' }],
      de: [{ title: 'Eins' }],
      none: [],
    })
  })

  test('answers with parts that it did not write by reading them', async () => {
    const { data } = await update(
      { snippet: { title: 'New' } },
      'video { id snippet { title } statistics { viewCount } channel { title } }',
    )
    expect(data.updateVideo.video).toMatchObject({
      snippet: { title: 'New' },
      statistics: { viewCount: expect.any(String) },
    })
    expect(graph.sandbox.calls('videos.list').map(({ query }) => query.get('part'))).toEqual([
      'snippet',
      'statistics',
    ])
  })
})

test('a replacement sends the input unchanged, and removes what the input leaves out', async () => {
  const { data } = await update({ replace: true, snippet: { title: 'New', categoryId: '22' } })
  expect(written()).toEqual({ id, snippet: { title: 'New', categoryId: '22' } })
  expect(data.updateVideo.video.snippet).toEqual({
    title: 'New',
    description: null,
    tags: null,
    categoryId: '22',
  })
  expect(graph.sandbox.ledger.units).toBe(50)
})

test('a deleted video is gone for the next read', async () => {
  const { data } = await graph.ask(
    `mutation { deleteVideo(input: { videoId: "${id}" }) { deletedId deletedVideoId } }`,
  )
  expect(data.deleteVideo.deletedVideoId).toBe(id)
  expect(
    (
      await graph.ask('query ($id: ID!) { node(id: $id) { id ... on Video { snippet { title } } } }', {
        id: data.deleteVideo.deletedId,
      })
    ).data.node,
  ).toBeNull()
})

test('mutations run one after the other, and one that fails does not affect the next', async () => {
  const { data, errors } = await graph.ask(
    `mutation {
       first: insertCommentThread(input: { videoId: "${sampleVideos.commentsDisabled}", textOriginal: "a" }) { commentThread { threadId } }
       second: insertCommentThread(input: { videoId: "${id}", textOriginal: "b" }) { commentThread { topLevelComment { textOriginal } video { videoId } } } }`,
  )
  expect(data.first).toBeNull()
  expect(data.second.commentThread).toEqual({
    topLevelComment: { textOriginal: 'b' },
    video: { videoId: id },
  })
  expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['first'], 'FORBIDDEN']])
  expect(graph.sandbox.calls('commentThreads.insert').length).toBe(2)
})

test('a comment is counted in the video that the same operation has read before', async () => {
  let comments = 0
  await using videos = await videosOver(({ method }) => {
    if (method === 'POST') comments += 1
    const video = { id: 'v', statistics: { commentCount: String(comments) } }
    return { body: method === 'POST' ? { id: 't', snippet: { videoId: 'v' } } : { items: [video] } }
  })
  const insert = `insertCommentThread(input: { videoId: "v", textOriginal: "t" }) {
    commentThread { video { statistics { commentCount } } }
  }`
  const { data, errors } = await videos.run(`mutation { one: ${insert} two: ${insert} }`)
  expect(errors).toEqual([])
  const counted = (commentCount: string) => ({ commentThread: { video: { statistics: { commentCount } } } })
  expect(data).toEqual({ one: counted('1'), two: counted('2') })
})

test.each([
  ['video', `videoId: "${id}"`, `video(videoId: "${id}")`],
  ['channel', `channelId: "${sampleChannels.busy}"`, `channel(channelId: "${sampleChannels.busy}")`],
])(
  "a new thread's edge is at the head of its %s's list, and the list is read on after it",
  async (_, where, list) => {
    graph.sandbox.reset()
    const threads = (args: string) =>
      `{ ${list} { commentThreads(${args}) { edges { cursor node { threadId topLevelComment { textOriginal } } } } } }`
    const edgesOf = ({ data }: { data: { [root: string]: { commentThreads: { edges: unknown[] } } } }) =>
      Object.values(data)[0]?.commentThreads.edges
    const before = edgesOf(await graph.ask(threads('first: 3')))
    const { data, errors } = await graph.ask(
      `mutation { insertCommentThread(input: { ${where}, textOriginal: "new" }) {
       commentThread { threadId } commentThreadEdge { cursor node { threadId topLevelComment { textOriginal } } } } }`,
    )
    expect(errors).toEqual([])
    const { commentThread, commentThreadEdge: edge } = data.insertCommentThread
    expect(edge.node).toEqual({ threadId: commentThread.threadId, topLevelComment: { textOriginal: 'new' } })
    const texts = (edges: unknown) =>
      (edges as { node: { threadId: string } }[]).map(({ node }) => node.threadId)
    expect(texts(edgesOf(await graph.ask(threads('first: 1'))))).toEqual([commentThread.threadId])
    const after = edgesOf(await graph.ask(threads(`first: 3, after: "${edge.cursor}"`)))
    expect(texts(after)).toEqual(texts(before))
  },
)

test.each([
  [{}, /names no part/],
  [{ snippet: { title: 'x'.repeat(101) } }, /`input.snippet.title`.*100/],
  [{ snippet: { title: '' } }, /`input.snippet.title`/],
  [{ snippet: { title: null }, status: {} }, /names no part/],
  [{ clear: [] }, /names no part/],
  [{ clear: ['snippet.title'] }, /`input.clear`.*"snippet.title"/],
  [{ clear: ['status'] }, /`input.clear`.*`status.publishAt`/],
  [{ clear: ['__proto__.x'] }, /`input.clear`/],
  [{ clear: ['snippet.tags'], snippet: { tags: [] } }, /`input.clear`.*`snippet.tags`/],
  [{ clear: ['localizations'], localizations: [] }, /`input.clear`/],
  [{ clear: ['snippet.tags'], replace: true, status: { embeddable: true } }, /`input.clear`.*`replace`/],
  [{ recordingDetails: { location: { latitude: 91, longitude: 0 } } }, /location.latitude.*90/],
  [{ recordingDetails: { location: { latitude: 0, longitude: -180.5 } } }, /location.longitude.*180/],
  [{ snippet: { description: 'ü'.repeat(2501) } }, /`input.snippet.description`.*5000 bytes/],
  [{ snippet: { tags: Array.from({ length: 101 }, () => 'four') } }, /`input.snippet.tags`.*500/],
  [{ snippet: { tags: ['a b'.repeat(166), 'c'] } }, /`input.snippet.tags`/],
  [{ status: { privacyStatus: 'secret' } }, /`input.status.privacyStatus`/],
  ...['soon', 5, ['2030-01-01T00:00:00Z'], '2030-01-01', '2030-02-30T00:00:00Z', '2030-01-01T24:00:00Z'].map(
    (time): [object, RegExp] => [
      { status: { privacyStatus: 'private', publishAt: time } },
      /`input.status.publishAt` must be a time in RFC 3339 form/,
    ],
  ),
  [{ recordingDetails: { recordingDate: '2020' } }, /`input.recordingDetails.recordingDate`/],
  [{ status: { publishAt: '2030-01-01T00:00:00Z', privacyStatus: 'public' } }, /`input.status.publishAt`/],
  [
    {
      localizations: [
        { key: 'de', title: 'a' },
        { key: 'de', title: 'b' },
      ],
    },
    /second time/,
  ],
  [{ replace: true, snippet: { title: 'a' } }, /`input.snippet.categoryId`/],
])('%j is refused before any call', async (input, message) => {
  const { errors } = await update(input)
  expect([errors[0]?.extensions.code, errors[0]?.message]).toEqual([
    'BAD_USER_INPUT',
    expect.stringMatching(message),
  ])
  expect(graph.sandbox.journal).toEqual([])
})

describe('a change that the service accepts', () => {
  const replacing = `mutation {
    updateVideo(input: { videoId: "v", replace: true, snippet: { title: "t", categoryId: "1" } }) {
      videoId video { kind snippet { title } }
    }
  }`
  const video = { kind: 'media#video', id: 'v', snippet: { title: 'read' } }

  test.each([
    ['with no body', 204, undefined],
    ['with no body', 200, undefined],
    ['without the parts', 200, { kind: 'media#video', id: 'v' }],
    ['with a part that is null', 200, { kind: 'media#video', id: 'v', snippet: null }],
  ])('%s (%s) is read if it is selected', async (_, status, body) => {
    await using videos = await videosOver(({ method }) =>
      method === 'PUT' ? { status, body } : { body: { items: [video] } },
    )
    const { data, errors } = await videos.run(replacing)
    expect(errors).toEqual([])
    expect(data.updateVideo).toEqual({
      videoId: 'v',
      video: { kind: 'media#video', snippet: { title: 'read' } },
    })
    expect(videos.arrived.map(({ method, query }) => [method, query.part])).toEqual([
      ['PUT', 'snippet'],
      ['GET', 'snippet'],
    ])
    videos.arrived.length = 0
    await videos.run(replacing.replace('kind snippet { title }', 'videoId'))
    expect(videos.arrived.map(({ method }) => method)).toEqual(['PUT'])
  })

  test.each([
    ['updateVideo', replacing],
    [
      'insertCommentThread',
      'mutation { insertCommentThread(input: { videoId: "v", textOriginal: "t" }) { commentThread { threadId } } }',
    ],
  ])('with something else has an unknown outcome (%s)', async (name, mutation) => {
    for (const body of [{}, [], { id: 7 }, 'done']) {
      await using videos = await videosOver({ body })
      const { errors } = await videos.run(mutation)
      expect(errors.map(({ path, extensions }) => [path?.[0], extensions.code, extensions.outcome])).toEqual([
        [name, 'UPSTREAM_BAD_RESPONSE', 'unknown'],
      ])
      expect(videos.arrived.length).toBe(1)
    }
  })
})
