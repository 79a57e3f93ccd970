/**
 * After a service reports a used-up daily limit, the calls that it concerns are not sent until its reset. All other
 * calls are.
 */
import { describe, expect, test } from 'vitest'
import { startGraph } from '../support/graph.ts'
import { type Arrived, type Scripted, startScripted } from '../support/scripted-service.ts'

const google = (status: number, reason: string, limit: string) => ({
  status,
  body: {
    error: {
      code: status,
      message: `Quota exceeded for quota metric 'Queries' and limit '${limit}' of service 'video.test'.`,
      errors: [{ message: 'm', domain: 'global', reason }],
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'PERMISSION_DENIED',
    },
  },
})
const page = { body: { items: [{ kind: 'media#video', id: 'v', etag: 'e' }] } }
const chart = '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }'
const insert = `mutation { insertVideo(input: { snippet: { title: "T" }, contentLength: "5", contentType: "video/mp4" }) {
  upload { url } } }`

/** As `answer` says, for calls of these methods; everything else is answered with a page of videos. */
const failing = (methods: readonly string[], answer: Scripted) => (arrived: Arrived) =>
  methods.includes(arrived.method) ? answer : page

describe.each([
  [429, 'rateLimitExceeded'],
  [403, 'rateLimitExceeded'],
  [403, 'forbidden'],
  [429, 'somethingNew'],
])('%i %s that says "per day"', (status, reason) => {
  test('of a read costs one call for all reads until the reset', async () => {
    await using service = await startScripted(failing(['GET'], google(status, reason, 'Queries per day')))
    await using graph = await startGraph({ urls: { videos: service.url } })
    for (let ask = 0; ask < 3; ask++) {
      const { errors } = await graph.ask(chart)
      expect(errors[0]?.extensions).toMatchObject({ code: 'QUOTA_EXCEEDED', upstream: { reason } })
      expect(errors[0]?.extensions.retryAfter).toBeGreaterThan(0)
      expect(errors[0]?.extensions.retryAfter).toBeLessThanOrEqual(25 * 3600)
    }
    await graph.ask('{ video(videoId: "abc") { commentThreads { nodes { threadId } } } }')
    expect(service.arrived).toHaveLength(1)
  })

  test('of an upload leaves everything else', async () => {
    await using service = await startScripted(
      failing(['POST'], google(status, reason, 'Video uploads per day')),
    )
    await using graph = await startGraph({ urls: { videos: service.url } })
    for (let ask = 0; ask < 3; ask++)
      expect((await graph.ask(insert)).errors[0]?.extensions.code).toBe('QUOTA_EXCEEDED')
    expect(service.arrived.map(({ method }) => method)).toEqual(['POST'])
    expect((await graph.ask(chart)).errors).toEqual([])
  })
})

test('the quota of uploads, reported without words, leaves everything else as well', async () => {
  await using service = await startScripted(failing(['POST'], google(403, 'quotaExceeded', 'uploads')))
  await using graph = await startGraph({ urls: { videos: service.url } })
  for (let ask = 0; ask < 2; ask++)
    expect((await graph.ask(insert)).errors[0]?.extensions.code).toBe('QUOTA_EXCEEDED')
  expect(service.arrived).toHaveLength(1)
  expect((await graph.ask(chart)).errors).toEqual([])
})

test('a limit by the minute is still one that passes', async () => {
  await using service = await startScripted(google(429, 'rateLimitExceeded', 'Queries per minute'))
  await using graph = await startGraph({ urls: { videos: service.url } })
  expect((await graph.ask(chart)).errors[0]?.extensions.code).toBe('RATE_LIMITED')
  const before = service.arrived.length
  await graph.ask(chart)
  expect(service.arrived.length).toBeGreaterThan(before)
})

test('what one credential has used up is left to another', async () => {
  await using service = await startScripted(({ headers }) =>
    headers.authorization === 'Bearer spent' ? google(429, 'rateLimitExceeded', 'Queries per day') : page,
  )
  await using graph = await startGraph({
    urls: { videos: service.url },
    env: { TESSERA_VIDEOS_CREDENTIAL: 'forward' },
  })
  const ask = (token: string) =>
    graph.ask(chart, {}, { headers: { 'x-videos-authorization': `Bearer ${token}` } })
  expect((await ask('spent')).errors[0]?.extensions.code).toBe('QUOTA_EXCEEDED')
  expect((await ask('other')).errors).toEqual([])
  expect((await ask('spent')).errors[0]?.extensions.code).toBe('QUOTA_EXCEEDED')
  expect(service.arrived).toHaveLength(2)
})

test('agents, messages and metrics are asked once a day as well', async () => {
  await using agents = await startScripted(google(429, 'x', 'Design-time requests per day'))
  const reset = Math.ceil(Date.now() / 1000) + 5000
  await using messages = await startScripted({
    status: 429,
    headers: { 'x-user-limit-24hour-remaining': '0', 'x-user-limit-24hour-reset': String(reset) },
    body: { title: 'Too Many Requests', type: 'about:blank', status: 429 },
  })
  await using metrics = await startScripted({
    status: 429,
    body: { status: 'error', errorType: 'too_many_requests', error: 'daily query limit exceeded' },
  })
  await using graph = await startGraph({
    urls: { agents: agents.url, messages: messages.url, metrics: metrics.url },
  })
  const query =
    '{ agent(project: "demo") { displayName } message(messageId: "5") { text } metrics { buildInfo { version } } }'
  for (let ask = 0; ask < 2; ask++) {
    const { errors } = await graph.ask(query)
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(Array(3).fill('QUOTA_EXCEEDED'))
    const ofMessages = errors.find(({ extensions }) => extensions.service === 'messages')
    expect(ofMessages?.extensions.retryAfter).toBeGreaterThan(4000)
    expect(ofMessages?.extensions.retryAfter).toBeLessThanOrEqual(5001)
  }
  expect(agents.arrived).toHaveLength(1)
  expect(messages.arrived).toHaveLength(1)
  // Its text may hold what the caller wrote: nothing is closed, and nothing repeated.
  expect(metrics.arrived).toHaveLength(2)
})
