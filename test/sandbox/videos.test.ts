/** The stand-in of the video service, strict as its contract, and the official client against it. */
import { Readable } from 'node:stream'
import { youtube } from '@googleapis/youtube'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { sampleChannels, sampleVideos } from '../../sandbox/videos/index.ts'
import { bytesFrom, sha256Of } from '../support/bytes.ts'

let sandbox: Sandbox
let time = Date.parse('2026-11-20T12:00:00Z')
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => time })
})
afterAll(async () => sandbox.close())
beforeEach(() => {
  time = Date.parse('2026-11-20T12:00:00Z')
  sandbox.reset()
})

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the test looks at
  readonly body: any
  readonly headers: Headers
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${sandbox.url}${path}`, init)
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}
const list = (query: string): Promise<Answer> => call(`/media/v3/videos?${query}`)
const reasonOf = ({ body }: Answer): unknown => body.error.errors[0].reason

describe('a video list', () => {
  test.each([
    ['part=snippet', 400, 'missingRequiredParameter'],
    ['part=snippet&id=a&chart=mostPopular', 400, 'incompatibleParameters'],
    ['part=nothing&id=a', 400, 'unknownPart'],
    ['id=a', 400, 'required'],
    ['part=snippet&id=a&colour=red', 400, 'unexpectedParameter'],
    ['part=snippet&chart=mostPopular&maxResults=51', 400, 'invalidParameter'],
    ['part=snippet&chart=mostPopular&pageToken=alien', 400, 'invalidPageToken'],
    ['part=snippet&chart=mostPopular&regionCode=ZZ', 404, 'videoChartNotFound'],
    ['part=snippet&id=a%20b', 400, 'invalidParameter'],
    [`part=snippet&id=${Array.from({ length: 51 }, (_, i) => `v${i}`).join()}`, 400, 'invalidFilters'],
    [`part=fileDetails&id=${sampleVideos.live}`, 403, 'forbidden'],
  ])('of %s is refused', async (query, status, reason) => {
    const answer = await list(query)
    expect([answer.status, reasonOf(answer)]).toEqual([status, reason])
  })

  test('by ids refuses paging, with the error of the contract', async () => {
    const answer = await list(`part=snippet&id=${sampleVideos.live}&maxResults=5`)
    expect(answer.body.error).toMatchObject({
      code: 400,
      errors: [
        {
          domain: 'media.parameter',
          reason: 'unexpectedParameter',
          location: 'maxResults,pageToken',
          locationType: 'parameter',
        },
      ],
    })
  })

  test('by ids gives the existing videos in another order, with the requested parts', async () => {
    const [a, b] = sampleVideos.all as [string, string]
    const { body } = await list(`part=snippet&part=status,statistics&id=${a}&id=missing,${b}`)
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([b, a])
    expect(Object.keys(body.items[0])).toEqual(['kind', 'etag', 'id', 'snippet', 'status', 'statistics'])
    expect(body.pageInfo).toEqual({ totalResults: 2, resultsPerPage: 2 })
  })

  test('is paged in both directions by tokens that are valid for it only', async () => {
    const first = await list('part=id&chart=mostPopular&maxResults=50')
    expect([first.body.prevPageToken, first.body.pageInfo]).toEqual([
      undefined,
      { totalResults: 120, resultsPerPage: 50 },
    ])
    const third = await list(
      `part=id&chart=mostPopular&maxResults=50&pageToken=${(await list(`part=id&chart=mostPopular&maxResults=50&pageToken=${first.body.nextPageToken}`)).body.nextPageToken}`,
    )
    expect([third.body.items.length, third.body.nextPageToken, third.body.pageInfo.resultsPerPage]).toEqual([
      20,
      undefined,
      50,
    ])
    expect(reasonOf(await list(`part=id&myRating=like&pageToken=${first.body.nextPageToken}`))).toBe(
      'invalidPageToken',
    )
  })

  test('that is unchanged is 304 by its etag, and costs its unit', async () => {
    const { headers } = await list('part=id&chart=mostPopular')
    const again = await call('/media/v3/videos?part=id&chart=mostPopular', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    expect([again.status, sandbox.ledger.units]).toEqual([304, 2])
  })
})

describe('videos for benchmarks', () => {
  let synthetic: Sandbox
  beforeAll(async () => {
    synthetic = await startSandbox({ synthetic: true })
  })
  afterAll(async () => synthetic.close())
  const ask = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${synthetic.url}/media/v3/videos?part=snippet,statistics&${query}`, { headers })

  test('are the same alone, together, and with another video', async () => {
    const [alone, again, together, beside] = (await Promise.all(
      ['syn1', 'syn1', 'syn1,syn2,syn1', `syn1,${sampleVideos.live},syn2`].map(async (ids) =>
        (await ask(`id=${ids}`)).json(),
      ),
    )) as { readonly items: readonly { readonly id: string }[] }[]
    expect(again).toEqual(alone)
    expect(together).toEqual({
      kind: 'media#videoListResponse',
      etag: expect.stringMatching(/^[\w-]{27}$/),
      items: [expect.objectContaining({ id: 'syn2' }), alone?.items[0]],
      pageInfo: { totalResults: 2, resultsPerPage: 2 },
    })
    expect(beside?.items.filter(({ id }) => id !== sampleVideos.live)).toEqual(together?.items)
    const uncompressed = await ask('id=syn1,syn2', { 'accept-encoding': 'identity' })
    expect([uncompressed.headers.get('content-encoding'), await uncompressed.json()]).toEqual([
      null,
      together,
    ])
  })

  test.each(['id=syn1', 'id=syn1,syn2'])('are 304 by their etag (%s)', async (query) => {
    const etag = (await ask(query)).headers.get('etag') ?? ''
    expect((await ask(query, { 'if-none-match': etag })).status).toBe(304)
    expect((await ask(query, { 'if-none-match': '"another"' })).status).toBe(200)
  })

  test('are read as they were written', async () => {
    await using own = await startSandbox({ synthetic: true })
    const at = `${own.url}/media/v3/videos?part=snippet`
    const written = await fetch(at, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'syn7', snippet: { title: 'Another title', categoryId: '22' } }),
    })
    expect(written.status).toBe(200)
    expect(await (await fetch(`${at}&id=syn7,syn8`)).text()).toContain('"Another title"')
  })

  test('depend on the view, and keep the rules of the contract', async () => {
    const all = await Promise.all(
      ['part=player&id=syn1&maxWidth=320', 'part=player&id=syn1&maxWidth=640'].map(async (query) =>
        (await fetch(`${synthetic.url}/media/v3/videos?${query}`)).text(),
      ),
    )
    expect(all[0]).toContain('"320"')
    expect(all[1]).toContain('"640"')
    expect((await ask('id=syn1&colour=red')).status).toBe(400)
    expect((await ask('id=syn1&maxResults=5')).status).toBe(400)
  })
})

test('comments that wait for an owner are listed for that owner alone', async () => {
  const held = (where: string) =>
    call(`/media/v3/commentThreads?part=snippet&moderationStatus=heldForReview&${where}`)
  const open = sampleVideos.all.filter((id) => id !== sampleVideos.commentsDisabled)
  const other = open.find((id) => !sampleVideos.own.includes(id))
  expect((await held(`videoId=${sampleVideos.own[0]}`)).status).toBe(200)
  expect((await held(`allThreadsRelatedToChannelId=${sampleChannels.own}`)).status).toBe(200)
  for (const where of [`videoId=${other}`, `allThreadsRelatedToChannelId=${sampleChannels.busy}`]) {
    const refused = await held(where)
    expect([refused.status, reasonOf(refused)]).toEqual([403, 'forbidden'])
  }
})

test('the day of the quota ends at midnight Pacific time', async () => {
  const now = { at: Date.parse('2026-11-21T07:59:00Z') }
  await using small = await startSandbox({ dailyQuota: 2, now: () => now.at })
  const once = async (): Promise<number> =>
    (await fetch(`${small.url}/media/v3/videos?part=id&chart=mostPopular`)).status
  expect([await once(), await once(), await once()]).toEqual([200, 200, 403])
  now.at = Date.parse('2026-11-21T08:00:00Z')
  expect(await once()).toBe(200)
})

test('an update replaces the part that it names, and clears the fields that it lacks', async () => {
  const [id] = sampleVideos.own
  const put = (part: string, body: object): Promise<Answer> =>
    call(`/media/v3/videos?part=${part}`, { method: 'PUT', body: JSON.stringify(body) })
  const done = await put('snippet', { id, snippet: { title: 'New', categoryId: '22' } })
  expect([done.body.snippet.title, done.body.snippet.description, done.body.snippet.tags]).toEqual([
    'New',
    undefined,
    undefined,
  ])
  expect(typeof done.body.snippet.channelId).toBe('string')
  expect(reasonOf(await put('snippet', { id, snippet: { title: 'New' } }))).toBe('invalidVideoMetadata')
  expect(reasonOf(await put('snippet', { id, snippet: { title: 'a', categoryId: '1' }, status: {} }))).toBe(
    'unexpectedPart',
  )
  expect(reasonOf(await put('status', { id: sampleVideos.live, status: {} }))).toBe('forbidden')
  expect(reasonOf(await put('status', { id: 'nobody', status: {} }))).toBe('videoNotFound')
})

describe('the official client', () => {
  const client = (url: string) => youtube({ version: 'v3', rootUrl: `${url}/`, auth: 'demo-key' })

  test('lists, reads threads, changes and deletes', async () => {
    await using own = await startSandbox({ namespace: 'youtube' })
    const api = client(own.url)
    const chart = await api.videos.list({
      part: ['snippet', 'statistics'],
      chart: 'mostPopular',
      maxResults: 3,
    })
    expect([chart.data.kind, chart.data.items?.length]).toEqual(['youtube#videoListResponse', 3])
    const threads = await api.commentThreads.list({
      part: ['snippet', 'replies'],
      videoId: sampleVideos.discussed,
      maxResults: 100,
    })
    expect([threads.data.items?.length, threads.data.pageInfo?.totalResults]).toEqual([100, 100])
    const channel = await api.commentThreads.list({
      part: ['snippet'],
      allThreadsRelatedToChannelId: sampleChannels.busy,
    })
    expect(channel.data.items?.length).toBe(20)
    const answered = threads.data.items?.find(({ replies }) => replies !== undefined)
    const replies = await api.comments.list({ part: ['snippet'], parentId: answered?.id ?? '' })
    expect(replies.data.items?.length).toBe(answered?.snippet?.totalReplyCount)
    const [id] = sampleVideos.own as [string]
    const inserted = await api.commentThreads.insert({
      part: ['snippet'],
      requestBody: { snippet: { videoId: id, topLevelComment: { snippet: { textOriginal: 'Hello' } } } },
    })
    expect(inserted.data.snippet?.topLevelComment?.snippet?.textOriginal).toBe('Hello')
    const changed = await api.videos.update({
      part: ['snippet'],
      requestBody: { id, snippet: { title: 'Mine', categoryId: '22' } },
    })
    expect(changed.data.snippet?.title).toBe('Mine')
    expect((await api.videos.delete({ id })).status).toBe(204)
    await expect(api.commentThreads.list({ part: ['snippet'], videoId: id })).rejects.toMatchObject({
      status: 404,
    })
    // Uploads are in the next test. This client has no resumable ones, whose chunks are `videos.upload`.
    expect(new Set(own.journal.map(({ operation }) => operation))).toEqual(
      new Set([
        'videos.list',
        'videos.update',
        'videos.delete',
        'commentThreads.list',
        'commentThreads.insert',
        'comments.list',
      ]),
    )
  })

  test('uploads a video with a processing that can be followed to its end', async () => {
    let now = Date.now()
    await using own = await startSandbox({ namespace: 'youtube', now: () => now })
    const api = client(own.url)
    const size = 3_000_000
    const { data } = await api.videos.insert(
      {
        part: ['snippet', 'status'],
        requestBody: { snippet: { title: 'From the official client' }, status: { privacyStatus: 'private' } },
        media: { mimeType: 'video/mp4', body: Readable.from(bytesFrom(0, size)) },
      },
      // Of uploads the client takes the host from here alone.
      { rootUrl: `${own.url}/` },
    )
    expect(data.snippet?.title).toBe('From the official client')
    expect(own.uploads).toEqual([
      { videoId: data.id, bytes: size, sha256: sha256Of(size), contentType: 'video/mp4' },
    ])
    expect(own.ledger.units).toBe(1600)
    const state = async () => {
      const { data: found } = await api.videos.list({
        part: ['status', 'processingDetails'],
        id: [data.id ?? ''],
      })
      const [video] = found.items ?? []
      return [video?.status?.uploadStatus, video?.processingDetails?.processingStatus]
    }
    expect(await state()).toEqual(['uploaded', 'processing'])
    now += 3000
    expect(await state()).toEqual(['processed', 'succeeded'])
  })

  test('uploads bytes alone, of which the service knows nothing else', async () => {
    await using own = await startSandbox({ namespace: 'youtube' })
    const { data } = await client(own.url).videos.insert(
      { part: ['status'], media: { mimeType: 'video/mp4', body: Readable.from(bytesFrom(0, 1000)) } },
      { rootUrl: `${own.url}/` },
    )
    expect(own.uploads).toEqual([
      { videoId: data.id, bytes: 1000, sha256: sha256Of(1000), contentType: 'video/mp4' },
    ])
  })
})
