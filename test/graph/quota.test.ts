/** Units: known before they are spent, never overdrawn, shared by replicas, and shown. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleChannels, sampleVideos } from '../../sandbox/videos/index.ts'
import { type Graph, type GraphAnswer, startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { messagesOf, outOfTurn, startRedis, withRedis } from '../support/redis.ts'

const graph = await graphForFile()

const tell = { headers: { 'tessera-quota': '1' } }
const quotaOf = ({ extensions }: GraphAnswer) =>
  extensions?.quota as { estimated: number; spent: number; fromCache: number }

test.each([
  ['{ video(videoId: "ID") { snippet { title } statistics { viewCount } } }', 1],
  [
    '{ chartVideos(chart: MOST_POPULAR, first: 2) { nodes { videoId snippet { title } commentThreads(first: 1) { nodes { threadId } } } } }',
    3,
  ],
  [
    `{ channel(channelId: "${sampleChannels.busy}") { commentThreads(first: 120) { nodes { video { snippet { title } } } } } }`,
    4,
    5,
  ],
  ['{ chartVideos(chart: MOST_POPULAR, first: 120) { nodes { etag } } }', 3],
  ['{ video(videoId: "ID") { snippet { title } fileDetails { fileSize } } }', 2],
  [
    'mutation { updateVideo(input: { videoId: "ID", snippet: { title: "x" } }) { video { videoId snippet { title } } } }',
    51,
  ],
  [
    'mutation { updateVideo(input: { videoId: "ID", replace: true, snippet: { title: "x", categoryId: "22" } }) { video { videoId snippet { title } } } }',
    50,
  ],
  [
    'mutation { insertCommentThread(input: { videoId: "ID", textOriginal: "x" }) { commentThread { threadId } } }',
    50,
  ],
  [
    'mutation { insertCommentThread(input: { videoId: "ID", textOriginal: "x" }) { commentThreadEdge { cursor node { video { snippet { title } } } } } }',
    51,
  ],
])('%s is priced as it is charged', async (text, charged, bound = charged) => {
  const answer = await graph.ask(text.replaceAll('ID', sampleVideos.own[0] as string), {}, tell)
  expect(answer.errors).toEqual([])
  expect([quotaOf(answer).spent, graph.sandbox.ledger.units, quotaOf(answer).estimated]).toEqual([
    charged,
    charged,
    bound,
  ])
})

describe('over the most that one operation may cost', () => {
  test('an operation is refused before any call, with the numbers', async () => {
    await using graph = await startGraph({ env: { TESSERA_QUOTA_PER_OPERATION: '10' } })
    const { status, data, errors } = await graph.ask(
      `mutation { deleteVideo(input: { videoId: "${sampleVideos.own[0]}" }) { deletedId } }`,
    )
    expect([status, data]).toEqual([400, undefined])
    expect(errors[0]?.extensions).toMatchObject({
      code: 'COST_ESTIMATED_TOO_EXPENSIVE',
      quota: {
        estimated: 50,
        maximum: 10,
        remaining: null,
        resetsAt: expect.stringMatching(/T0[78]:00:00.000Z$/),
      },
    })
    expect(graph.sandbox.journal).toEqual([])
  })

  test('a caller may bound itself lower by a header, and never higher', async () => {
    await using graph = await startGraph({ env: { TESSERA_QUOTA_PER_OPERATION: '1' } })
    const two = '{ chartVideos(chart: MOST_POPULAR, first: 51) { nodes { etag } } }'
    const one = '{ chartVideos(chart: MOST_POPULAR, first: 50) { nodes { etag } } }'
    const bounded = (query: string, most: string) =>
      graph.ask(query, {}, { headers: { 'tessera-max-units': most } })
    expect((await bounded(two, '100')).errors[0]?.extensions.code).toBe('COST_ESTIMATED_TOO_EXPENSIVE')
    expect((await bounded(one, '1')).errors).toEqual([])
    expect((await bounded(one, '0')).errors[0]?.extensions.code).toBe('COST_ESTIMATED_TOO_EXPENSIVE')
    expect((await bounded(one, 'all')).errors[0]?.extensions.code).toBe('BAD_REQUEST')
  })
})

const distinctVideos = (graph: Graph, count: number) =>
  Promise.all(
    sampleVideos.all.slice(0, count).map((id, at) =>
      // Equal operations at the same moment would be executed once.
      graph.ask(
        `{ answer${at}: chartVideos(chart: MOST_POPULAR, first: ${Number.parseInt(id, 36) % 40 || 1}) { nodes { etag } } }`,
      ),
    ),
  )

describe("the day's budget", () => {
  test('is never overdrawn by operations at the same moment', async () => {
    await using graph = await startGraph({ env: { TESSERA_QUOTA_DAILY: '7' } })
    const answers = await distinctVideos(graph, 20)
    const codes = answers.map(({ errors }) => errors[0]?.extensions.code ?? 'done')
    expect(codes.filter((code) => code === 'done').length).toBe(7)
    expect(codes.filter((code) => code === 'QUOTA_EXCEEDED').length).toBe(13)
    expect(graph.sandbox.ledger.units).toBe(7)
    const { data } = await graph.ask(
      '{ mediaQuota { limit used remaining resetsAt operations { name units calls } } }',
    )
    expect(data.mediaQuota).toEqual({
      limit: 7,
      used: 7,
      remaining: 0,
      resetsAt: expect.stringMatching(/T0[78]:00:00.000Z$/),
      operations: [{ name: 'videos.list', units: 7, calls: 7 }],
    })
  })

  test('that is unavailable still answers what is fresh in the cache, and nothing else', async () => {
    await using graph = await startGraph({ env: { TESSERA_QUOTA_DAILY: '1', TESSERA_CACHE_SECONDS: '60' } })
    const ask = (first: number) =>
      graph.ask(`{ chartVideos(chart: MOST_POPULAR, first: ${first}) { nodes { etag } } }`, {}, tell)
    const first = await ask(3)
    const again = await ask(3)
    expect(again.data).toEqual(first.data)
    expect(quotaOf(again)).toMatchObject({ estimated: 1, spent: 0, fromCache: 1 })
    expect((await ask(4)).errors[0]?.extensions.code).toBe('QUOTA_EXCEEDED')
    expect(graph.sandbox.ledger.units).toBe(1)
  })
})

describe('if requests share calls', () => {
  test('each pays for no more than its estimate, so both are answered with the last units', async () => {
    await using graph = await startGraph({
      env: { TESSERA_QUOTA_DAILY: '2', TESSERA_SHARE_CALLS: 'true' },
    })
    const answers = await Promise.all(
      ['a', 'b'].map((letter) =>
        graph.ask(
          'query ($ids: [ID!]!) { videos(videoIds: $ids) { snippet { title } } }',
          { ids: Array.from({ length: 30 }, (_, at) => `${letter}${at}`) },
          tell,
        ),
      ),
    )
    expect(answers.flatMap(({ errors }) => errors)).toEqual([])
    expect(answers.map((answer) => quotaOf(answer)?.spent)).toEqual([1, 1])
    expect(graph.sandbox.ledger.units).toBe(2)
  })

  test('a request without a budget adds nothing to the call of another', async () => {
    await using graph = await startGraph({
      env: { TESSERA_QUOTA_DAILY: '3', TESSERA_CACHE_SECONDS: '60', TESSERA_SHARE_CALLS: 'true' },
    })
    const answers = await Promise.all(
      sampleVideos.all
        .slice(0, 20)
        .flatMap((id) => [
          graph.ask(`{ video(videoId: "${id}") { snippet { title } } }`),
          graph.ask(`{ video(videoId: "${id}") { statistics { viewCount } } }`),
        ]),
    )
    expect(graph.sandbox.ledger.units).toBeLessThanOrEqual(3)
    const refused = answers.flatMap(({ errors }) => errors)
    expect(refused.length).toBeGreaterThan(0)
    for (const { extensions } of refused) {
      expect(extensions).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        retryAfter: expect.any(Number),
        quota: {
          estimated: 1,
          maximum: null,
          remaining: 0,
          resetsAt: expect.stringMatching(/T0[78]:00:00.000Z$/),
        },
      })
    }
  })

  test('no order of operations overdraws the budget, with the cache on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(29), fc.constantFrom('snippet { title }', 'status { license }')), {
          minLength: 5,
          maxLength: 30,
        }),
        fc.integer({ min: 0, max: 4 }),
        async (wanted, daily) => {
          await using graph = await startGraph({
            env: {
              TESSERA_QUOTA_DAILY: String(daily),
              TESSERA_CACHE_SECONDS: '60',
              TESSERA_SHARE_CALLS: 'true',
            },
          })
          await Promise.all(
            wanted.map(([i, part]) => graph.ask(`{ video(videoId: "${sampleVideos.all[i]}") { ${part} } }`)),
          )
          expect(graph.sandbox.ledger.units).toBeLessThanOrEqual(daily)
        },
      ),
      { numRuns: 8 },
    )
  })
})

test.each([
  ['without a budget', {}, { video: null, metrics: { buildInfo: { version: expect.any(String) } } }],
  ['with one of our own', { TESSERA_QUOTA_DAILY: '100' }, undefined],
])(
  "the service's own refusal, %s, has the numbers of every other, and stops further calls until its day ends",
  async (_, env, rest) => {
    await using graph = await startGraph({ sandbox: { dailyQuota: 1 }, env })
    const ask = (i: number) =>
      graph.ask(
        `{ video(videoId: "${sampleVideos.all[i]}") { snippet { title } } metrics { buildInfo { version } } }`,
        {},
        { scope: 'metrics.read' },
      )
    expect((await ask(1)).errors).toEqual([])
    const first = (await ask(2)).errors[0]?.extensions
    expect(first).toMatchObject({ code: 'QUOTA_EXCEEDED', upstream: { reason: 'quotaExceeded' } })
    const resetsAt = expect.stringMatching(/^\d{4}-/)
    expect(first?.quota).toEqual({ estimated: 1, maximum: null, remaining: 0, resetsAt })
    expect(first?.retryAfter).toBeGreaterThan(0)
    const { data, errors } = await ask(3)
    expect(errors).toMatchObject([{ extensions: { code: 'QUOTA_EXCEEDED', quota: first?.quota } }])
    expect(data).toEqual(rest)
    expect(graph.sandbox.calls('videos.list')).toHaveLength(2)
  },
)

test('an operation with a request to explain is not run but described: scopes, calls, units, parts and plan', async () => {
  const query = `{ video(videoId: "${sampleVideos.own[0]}") { snippet { title } commentThreads(first: 3) { nodes { video { status { license } } } } fileDetails { fileSize } } metrics { buildInfo { version } } message(messageId: "20") { text } }`
  const explained = await graph.ask(query, {}, { scope: 'metrics.read', headers: { 'tessera-explain': '1' } })
  expect(graph.sandbox.journal).toEqual([])
  expect(explained.data).toBeUndefined()
  const explain = explained.extensions?.explain as Record<string, unknown>
  expect(explain).toMatchObject({
    units: 3,
    calls: { videos: 3, metrics: 1 },
    plan: expect.stringContaining('videos'),
  })
  const { refused } = explain.scopes as { refused: { missing: string[] }[] }
  expect(new Set(refused.flatMap(({ missing }) => missing))).toEqual(
    new Set(['media.owner', 'tweet.read', 'users.read']),
  )
  expect(JSON.stringify(explain)).toContain('part=snippet')
  const ran = await graph.ask(query, {}, { scope: 'metrics.read' })
  expect(graph.sandbox.ledger.units).toBeLessThanOrEqual(3)
  expect(ran.headers.get('server-timing')).toMatch(/videos;dur=[\d.]+;desc="\d calls?"/)
})

test('a call that is repeated is reserved again, and not made if its units are not left', async () => {
  await using graph = await startGraph({ env: { TESSERA_QUOTA_DAILY: '2' } })
  graph.sandbox.fail({ kind: 'lost-answer', operation: 'videos.list', times: 3 })
  const { errors } = await graph.ask('{ chartVideos(chart: MOST_POPULAR, first: 2) { totalCount } }')
  expect(errors[0]?.extensions.code).toBe('UPSTREAM_UNAVAILABLE')
  expect(graph.sandbox.ledger.units).toBe(2)
  expect((await graph.ask('{ mediaQuota { used remaining } }')).data.mediaQuota).toEqual({
    used: 2,
    remaining: 0,
  })
})

describe.skipIf(!withRedis('the quota ledger in Redis'))('with Redis', () => {
  test('two gateways share one budget and never overdraw it together', async () => {
    await using redis = await startRedis()
    const env = { TESSERA_REDIS_URL: redis.url, TESSERA_QUOTA_DAILY: '9' }
    await using first = await startGraph({ env })
    await using second = await startGraph({ env, urls: { videos: first.sandbox.url } })
    const answers = (await Promise.all([distinctVideos(first, 15), distinctVideos(second, 15)])).flat()
    expect(answers.filter(({ errors }) => errors.length === 0).length).toBe(9)
    expect(first.sandbox.ledger.units).toBe(9)
    const quota = '{ mediaQuota { used remaining } }'
    expect((await first.ask(quota)).data).toEqual({ mediaQuota: { used: 9, remaining: 0 } })
    expect((await second.ask(quota)).data).toEqual({ mediaQuota: { used: 9, remaining: 0 } })
  })

  test('without it the graph continues, says so once, and nothing is lost when it is back', async () => {
    await using redis = await startRedis()
    await using graph = await startGraph({
      env: { TESSERA_REDIS_URL: redis.url, TESSERA_QUOTA_DAILY: '100' },
    })
    const ask = (first: number) =>
      graph.ask(`{ chartVideos(chart: MOST_POPULAR, first: ${first}) { nodes { etag } } }`)
    expect((await ask(1)).errors).toEqual([])
    await redis.stop()
    expect((await ask(2)).errors).toEqual([])
    expect((await ask(3)).errors).toEqual([])
    await redis.start()
    const used = async (): Promise<number> =>
      (await graph.ask('{ mediaQuota { used } }')).data.mediaQuota.used
    await expect.poll(() => graph.log.join()).toContain('ledger is back')
    await expect.poll(used).toBe(3)
    const away = 'the shared quota ledger is unreachable: counting in this process until it is back'
    const said = messagesOf(graph.log).filter((message) => /is (away|back)/.test(message))
    expect(outOfTurn(said, away, 'the shared quota ledger is back')).toEqual([])
  })
})
