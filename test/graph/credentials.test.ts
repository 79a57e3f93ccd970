/** Upstream credentials: each kind as it is sent. None is shared between callers or shown. */
import { describe, expect, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { startGraph } from '../support/graph.ts'

const secret = 'very-secret-0123456789'
const query =
  '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { etag } } metrics { buildInfo { version } } agent(project: "demo") { displayName } message(messageId: "20") { lang } }'

describe.each([
  ['none', {}, undefined],
  [`key:${secret}`, { 'x-goog-api-key': secret }, undefined],
  [`bearer:${secret}`, { authorization: `Bearer ${secret}` }, undefined],
  [
    `basic:user:${secret}`,
    { authorization: `Basic ${Buffer.from(`user:${secret}`).toString('base64')}` },
    undefined,
  ],
  ['forward', { authorization: `Bearer ${secret}` }, `Bearer ${secret}`],
])('the credential %s', (credential, expected, own) => {
  test('goes to each service as its header, and nowhere else', async () => {
    const services = ['VIDEOS', 'AGENTS', 'MESSAGES', 'METRICS']
    await using graph = await startGraph({
      env: Object.fromEntries(services.map((name) => [`TESSERA_${name}_CREDENTIAL`, credential])),
    })
    const headers =
      own === undefined
        ? {}
        : Object.fromEntries(services.map((name) => [`x-${name.toLowerCase()}-authorization`, own]))
    const { text } = await graph.ask(query, {}, { headers })
    expect(new Set(graph.sandbox.journal.map(({ service }) => service)).size).toBe(4)
    for (const { headers: sent, path, query: search } of graph.sandbox.journal) {
      const { authorization, 'x-goog-api-key': key } = sent
      expect({ ...(authorization && { authorization }), ...(key && { 'x-goog-api-key': key }) }).toEqual(
        expected,
      )
      expect(`${path}?${search}`).not.toContain(secret)
    }
    expect(text).not.toContain(secret)
    expect(graph.log.join('')).not.toContain(secret)
  })
})

test('two callers at the same moment over the same ids share nothing', async () => {
  await using graph = await startGraph({
    env: { TESSERA_VIDEOS_CREDENTIAL: 'forward', TESSERA_CACHE_SECONDS: '60' },
  })
  const ids = sampleVideos.own.slice(0, 10)
  const ask = (token: string) =>
    graph.ask(
      'query ($ids: [ID!]!) { videos(videoIds: $ids) { videoId fileDetails { fileSize } snippet { title } } }',
      { ids },
      { headers: { 'x-videos-authorization': `Bearer ${token}` } },
    )
  for (let round = 0; round < 3; round++) {
    const [first, second] = await Promise.all([ask('first'), ask('second')])
    expect(first.data).toEqual(second.data)
  }
  const calls = graph.sandbox.calls('videos.list')
  const of = (token: string): string[] =>
    calls
      .filter(({ headers }) => headers.authorization === `Bearer ${token}`)
      .map(({ query: { size }, query }) => `${size} ${query.get('part')}`)
  // Each caller's answers came by its own calls, once; later rounds by its own cache.
  expect(of('first').sort()).toEqual(of('second').sort())
  expect(of('first').length).toBe(2)
  expect(calls.length).toBe(4)
})

test('a caller without the scope at the service is refused by its own credential, and no other is', async () => {
  await using graph = await startGraph({ env: { TESSERA_MESSAGES_CREDENTIAL: 'forward' } })
  const ask = (scopes: string) =>
    graph.ask(
      '{ message(messageId: "20") { lang } }',
      {},
      { headers: { 'x-messages-authorization': `Bearer scopes:${scopes}` } },
    )
  const [allowed, refused] = await Promise.all([ask('tweet.read+users.read'), ask('tweet.read')])
  expect(allowed.errors).toEqual([])
  expect(refused.errors[0]?.extensions).toMatchObject({
    code: 'FORBIDDEN',
    service: 'messages',
    upstream: { status: 403 },
  })
})
