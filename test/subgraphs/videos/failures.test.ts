/** The service's errors in our codes: the reason decides, never the status alone, and its markup stays out. */
import { describe, expect, test } from 'vitest'
import { createFailureReader } from '../../../subgraphs/videos/failure.ts'
import type { VideosOptions } from '../../../subgraphs/videos/index.ts'
import { neededNames, partParameter, partsOf } from '../../../subgraphs/videos/parts.ts'
import { startGraph } from '../../support/graph.ts'
import { testRequest } from '../../support/request.ts'
import { videosOver } from './kit.ts'

const readFailure = createFailureReader()
const call = { operation: 'videos.list', method: 'GET', path: '/', safe: true } as const
const failed = (status: number, reason: string, message = 'm') =>
  readFailure({
    status,
    headers: {},
    call,
    body: { error: { code: status, message, errors: [{ message, domain: 'd', reason }] } },
  })

test.each([
  [403, 'quotaExceeded', 'QUOTA_EXCEEDED', false],
  [403, 'rateLimitExceeded', 'RATE_LIMITED', true],
  [429, 'rateLimitExceeded', 'RATE_LIMITED', true],
  [403, 'forbidden', 'FORBIDDEN', false],
  [403, 'SERVICE_UNAVAILABLE', 'FORBIDDEN', false],
  [403, 'commentsDisabled', 'FORBIDDEN', false],
  [403, 'somethingNew', 'FORBIDDEN', false],
  [400, 'invalidPageToken', 'BAD_USER_INPUT', false],
  [404, 'videoNotFound', 'NOT_FOUND', false],
  [400, 'videoChartNotFound', 'NOT_FOUND', false],
  [404, 'videoChartNotFound', 'NOT_FOUND', false],
  [412, 'conditionNotMet', 'CONFLICT', false],
  [503, 'backendError', 'UPSTREAM_UNAVAILABLE', true],
])('%s %s is %s, to be tried again: %s', (status, reason, code, retry) => {
  expect(failed(status, reason)).toMatchObject({ code, reason, retry })
})

test('the reason is found in the newer form of errors, too', () => {
  const body = {
    error: {
      code: 400,
      message: 'm',
      status: 'INVALID_ARGUMENT',
      errors: [{ reason: 'badRequest' }],
      details: [{ reason: 'API_KEY_INVALID' }],
    },
  }
  expect(readFailure({ status: 400, headers: {}, call, body })).toEqual({
    status: 401,
    reason: 'API_KEY_INVALID',
  })
})

describe('a refused credential', () => {
  const ask = '{ chartVideos(chart: MOST_POPULAR) { totalCount } }'
  test.each([
    [400, 'keyInvalid'],
    [401, 'authError'],
    [401, 'youtubeSignupRequired'],
  ])('is no fault of the caller unless it is the caller’s own (%s %s)', async (status, reason) => {
    const body = { error: { code: status, message: 'm', errors: [{ message: 'm', reason }] } }
    const codes = async (kind: VideosOptions['credential']) => {
      await using videos = await videosOver({ status, body }, { credential: kind })
      const { errors } = await videos.run(ask, {}, testRequest({ 'x-own': 'Bearer t' }))
      return errors.map(({ extensions }) => [extensions.code, extensions.upstream])
    }
    expect(await codes({ kind: 'key', key: 'k' })).toEqual([
      ['UPSTREAM_UNAVAILABLE', { status, reason: 'credentialRefused' }],
    ])
    expect(await codes({ kind: 'forward', header: 'x-own' })).toEqual([
      ['UNAUTHENTICATED', { status, reason }],
    ])
  })
})

test.each([
  [404, 'NOT_FOUND'],
  [405, 'UPSTREAM_BAD_RESPONSE'],
  [409, 'CONFLICT'],
  [412, 'CONFLICT'],
  [422, 'BAD_USER_INPUT'],
  [429, 'RATE_LIMITED'],
  [500, 'UPSTREAM_UNAVAILABLE'],
])('a reason that is not known is passed on beside the meaning of its status (%s)', async (status, code) => {
  const body = { error: { code: status, message: 'm', errors: [{ message: 'm', reason: 'notKnownYet' }] } }
  await using videos = await videosOver({ status, body })
  const { errors } = await videos.run('mutation { deleteVideo(input: { videoId: "v" }) { deletedVideoId } }')
  expect(errors[0]?.extensions).toMatchObject({ code, upstream: { status, reason: 'notKnownYet' } })
  expect(videos.arrived.length).toBe(1)
})

test('what the service cannot process is the fault of the service in a read, of the input in a write', () => {
  const body = { error: { message: 'm', errors: [{ reason: 'processingFailure' }] } }
  expect(readFailure({ status: 400, headers: {}, call, body })).toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    reason: 'processingFailure',
    retry: true,
  })
  const write = { ...call, method: 'POST', safe: false } as const
  expect(readFailure({ status: 400, headers: {}, call: write, body })).toMatchObject({
    code: 'BAD_USER_INPUT',
    retry: false,
  })
})

test('a reason that is no word is not passed on', () => {
  expect(failed(403, 'at http://10.1.2.3/')?.reason).toBeUndefined()
})

test('a body that is no error of the service is left to its status', () => {
  for (const body of [undefined, null, [], 'text', { error: 'x' }]) {
    expect(readFailure({ status: 500, headers: {}, call, body })?.code).toBeUndefined()
  }
})

test("a message that explains the caller's fault is passed on, sanitized", () => {
  expect(
    failed(
      400,
      'invalidTitle',
      'The <code>title</code> of project secret-1234 is wrong: see https://x.example/z',
    ),
  ).toMatchObject({
    code: 'BAD_USER_INPUT',
    message: 'The video service does not accept this: The title of project … is wrong: see …',
  })
})

describe('parts', () => {
  test('are those with named fields, in a fixed order, and only the id if none is named', () => {
    expect(partParameter(neededNames(['statistics', 'snippet', 'id', 'commentThreads']))).toBe(
      'snippet,statistics',
    )
    expect(partParameter(neededNames(['channel', 'kind']))).toBe('snippet')
    expect(partParameter(neededNames(['kind', 'etag']))).toBe('id')
    expect(partParameter(neededNames(['fileDetails']))).toBe('id')
    expect(partParameter(partsOf('fileDetails', 'suggestions'))).toBe('fileDetails,suggestions')
  })
})

describe('surprises of the service', () => {
  test('a full quota and a rate limit are both 403, and only the rate limit is tried again', async () => {
    await using graph = await startGraph()
    const body = (reason: string): string => JSON.stringify({ error: { code: 403, errors: [{ reason }] } })
    const ask = () => graph.ask('{ chartVideos(chart: MOST_POPULAR) { totalCount } }')
    graph.sandbox.fail({
      operation: 'videos.list',
      kind: 'status',
      status: 403,
      body: body('rateLimitExceeded'),
    })
    expect((await ask()).errors).toEqual([])
    expect(graph.sandbox.calls('videos.list').length).toBe(2)
    graph.sandbox.reset()
    graph.sandbox.fail({ operation: 'videos.list', kind: 'status', status: 403, body: body('quotaExceeded') })
    expect((await ask()).errors[0]?.extensions.code).toBe('QUOTA_EXCEEDED')
    expect(graph.sandbox.calls('videos.list').length).toBe(1)
  })

  test('resources with more and fewer fields than the schema, numbers for text, and keys like __proto__ break nothing', async () => {
    await using graph = await startGraph()
    const items = `[{"kind":"k","id":"a","__proto__":{"x":1},"brandPartner":{},"snippet":{"title":"t","thumbnails":{"__proto__":{"url":"u"},"fhd":{"url":"v","width":1,"height":2}}},"statistics":{"viewCount":12}}]`
    graph.sandbox.fail({ operation: 'videos.list', kind: 'status', status: 200, body: `{"items":${items}}` })
    const { data, errors } = await graph.ask(
      '{ video(videoId: "a") { snippet { title tags thumbnails { key url } } statistics { viewCount likeCount } } }',
    )
    expect(errors).toEqual([])
    expect(data.video.snippet).toMatchObject({ title: 't', tags: null })
    expect(data.video.snippet.thumbnails).toContainEqual({ key: 'fhd', url: 'v' })
    expect(data.video.statistics).toEqual({ viewCount: '12', likeCount: null })
  })

  test('an answer that is not a list of resources is reported as such', async () => {
    await using graph = await startGraph()
    for (const body of ['{"items":{}}', '{"items":[{}]}', '[]', '"x"']) {
      graph.sandbox.fail({ operation: 'videos.list', kind: 'status', status: 200, body })
      const { errors } = await graph.ask('{ chartVideos(chart: MOST_POPULAR) { totalCount } }')
      expect(errors[0]?.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', service: 'videos' })
    }
  })
})
