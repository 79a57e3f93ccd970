/** The estimated calls and units of an operation agree with the actual ones, for every service. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleAgents } from '../../sandbox/agents/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleChannels, sampleVideos } from '../../sandbox/videos/index.ts'
import { toGlobalId } from '../../shared/graphql/global-id.ts'
import { campaignSize } from '../support/campaign-size.ts'
import { startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'

const graph = await graphForFile({ env: { TESSERA_MAX_DEPTH: '30' } })

interface Explained {
  readonly units: number
  readonly calls: Readonly<Record<string, number>>
  readonly operations: readonly {
    readonly operation: string
    readonly calls: number
    readonly asksFor: string[]
  }[]
}

async function explain(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Explained> {
  const { extensions } = await graph.ask(query, variables, { headers: { 'tessera-explain': '1' } })
  return extensions?.explain as Explained
}

/** The calls that were made, by service and by operation, and the units that they cost. */
async function run(query: string, variables: Readonly<Record<string, unknown>> = {}) {
  graph.sandbox.reset()
  const answer = await graph.ask(query, variables, { headers: { 'tessera-quota': '1' } })
  const calls: Record<string, number> = {}
  const operations: Record<string, number> = {}
  for (const { service, operation } of graph.sandbox.journal) {
    calls[service] = (calls[service] ?? 0) + 1
    if (operation !== undefined) operations[operation] = (operations[operation] ?? 0) + 1
  }
  return { answer, calls, operations, units: graph.sandbox.ledger.units }
}

const [own = '', other = ''] = sampleVideos.own
const { ordinary, own: liked, demoUser } = sampleMessages
const intents = Object.values(sampleAgents.intents)

describe('the estimate is what is made', () => {
  test.each([
    ['{ agent(project: "demo") { id } }', { agents: 1 }],
    ['{ agent(project: "demo") { id intents(first: 3) { nodes { displayName } } } }', { agents: 2 }],
    [`{ node(id: "${toGlobalId('Agent', 'demo')}") { id ... on Agent { project parent } } }`, {}],
    [`{ node(id: "${toGlobalId('Agent', 'demo')}") { ... on Agent { displayName } } }`, { agents: 1 }],
    [
      `{ node(id: "${toGlobalId('Agent', 'demo')}") { ... on Agent { intents(first: 1) { nodes { name } } } } }`,
      { agents: 1 },
    ],
    [
      `{ nodes(ids: ${JSON.stringify(intents.map((name) => toGlobalId('Intent', name)))}) { ... on Intent { displayName } } }`,
      { agents: 1 },
    ],
    [`{ video(videoId: "${own}") { fileDetails { fileName } } }`, { videos: 1 }],
    [
      `{ video(videoId: "${own}") { snippet { title } fileDetails { fileName } suggestions { processingErrors } } }`,
      { videos: 2 },
    ],
    ['{ chartVideos(chart: MOST_POPULAR, first: 60) { nodes { id } } }', { videos: 2 }],
    [`{ videos(videoIds: ${JSON.stringify(sampleVideos.all.slice(0, 60))}) { etag } }`, { videos: 2 }],
    [`{ message(messageId: "${ordinary}") { messageId } }`, { messages: 1 }],
    [
      `{ message(messageId: "${liked}") { messageId likingUsers(first: 2) { nodes { username } } } }`,
      { messages: 2 },
    ],
    [
      '{ metrics { buildInfo { version } alerts { name } query(query: "1") { resultType } } }',
      { metrics: 3 },
    ],
    [
      `mutation { likeMessage(input: { userId: "${demoUser}", messageId: "${ordinary}" }) { liked message { text } } }`,
      { messages: 2 },
    ],
    [
      `mutation { updateVideo(input: { videoId: "${own}", snippet: { title: "x" } }) { video { statistics { viewCount } fileDetails { fileName } } } }`,
      { videos: 4 },
    ],
    ['{ channel(channelId: "UCx") { title } mediaQuota { used } }', {}],
  ])('%s', async (query, calls) => {
    const estimate = await explain(query)
    expect(estimate.calls).toEqual(calls)
    const made = await run(query)
    expect(made.answer.errors).toEqual([])
    expect(made.calls).toEqual(calls)
    expect(made.units).toBe(estimate.units)
  })
})

test('what calls ask for is explained as it is asked, the parts for the owner alone apart', async () => {
  const query = `{ video(videoId: "${own}") { snippet { title } statistics { viewCount } fileDetails { fileName } suggestions { processingErrors }
    commentThreads(first: 2) { nodes { threadId replies { commentId } } } } }`
  const { operations } = await explain(query)
  expect(operations.map(({ operation, asksFor }) => [operation, asksFor])).toEqual(
    expect.arrayContaining([
      ['videos.list', expect.arrayContaining(['part=snippet,statistics', 'part=fileDetails,suggestions'])],
      ['commentThreads.list', ['part=snippet,replies']],
    ]),
  )
  await run(query)
  expect(
    graph.sandbox
      .calls('videos.list')
      .map(({ query }) => `part=${query.get('part')}`)
      .sort(),
  ).toEqual(['part=fileDetails,suggestions', 'part=snippet,statistics'])
})

const publicParts = [
  'snippet { title }',
  'statistics { viewCount }',
  'videoId',
  'etag',
  'channel { channelId }',
]
const ownerParts = ['fileDetails { fileSize }', 'suggestions { processingErrors }']
const some = (parts: readonly string[]) =>
  fc.subarray([...parts], { minLength: 1 }).map((chosen) => chosen.join(' '))
const count = (max: number) => fc.integer({ min: 0, max })
const list = (values: readonly string[]) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 70 }).map((ids) => JSON.stringify(ids))

const video = some([...publicParts, ...ownerParts])
const shown = some(publicParts)
const threads = fc
  .tuple(count(30), shown)
  .map(
    ([first, below]) =>
      `commentThreads(first: ${first}) { nodes { threadId video { ${below} } topLevelComment { video { ${below} } } } }`,
  )
const agent = some(['id', 'project', 'parent', 'displayName', 'tier'])
const intent = fc
  .tuple(some(['id', 'name', 'displayName', 'priority']), fc.option(agent))
  .map(([fields, owner]) => (owner === null ? fields : `${fields} agent { ${owner} }`))
const listed = fc
  .tuple(count(12), intent)
  .map(([first, fields]) => `intents(first: ${first}) { edges { node { ${fields} } } }`)
const message = fc
  .tuple(
    some(['id', 'messageId', 'text', 'author { username }', 'referencedMessages { message { text } }']),
    fc.option(count(120)),
  )
  .map(([fields, users]) =>
    users === null ? fields : `${fields} likingUsers(first: ${users}) { nodes { username } }`,
  )
const metric = some([
  'buildInfo { version }',
  'alerts { name }',
  'ruleGroups { name }',
  'query(query: "1") { resultType }',
  'queryRange(query: "1", start: "1", end: "2", step: "1s") { resultType }',
])

const globalIds = [
  ...sampleVideos.own.map((id) => toGlobalId('Video', id)),
  toGlobalId('Agent', 'demo'),
  ...intents.map((name) => toGlobalId('Intent', name)),
  toGlobalId('Message', ordinary),
  toGlobalId('Channel', sampleChannels.busy),
]

const field = fc.oneof(
  video.map((fields) => `video(videoId: "${own}") { ${fields} }`),
  fc.tuple(list(sampleVideos.own), video).map(([ids, fields]) => `videos(videoIds: ${ids}) { ${fields} }`),
  fc
    // Others' videos have no parts for the owner alone to show: a call for them is refused, and asked again in halves.
    .tuple(count(60), shown, fc.option(threads))
    .filter(([first, , below]) => below === null || first <= 5)
    .map(
      ([first, fields, below]) =>
        `chartVideos(chart: MOST_POPULAR, first: ${first}) { nodes { ${fields} ${below ?? ''} } }`,
    ),
  threads.map((below) => `channel(channelId: "${sampleChannels.busy}") { ${below} }`),
  threads.map((below) => `video(videoId: "${other}") { ${below} }`),
  fc
    .tuple(agent, fc.option(listed))
    .map(([fields, below]) => `agent(project: "demo") { ${fields} ${below ?? ''} }`),
  message.map((fields) => `message(messageId: "${liked}") { ${fields} }`),
  fc
    .tuple(list([ordinary, liked]), message)
    .map(([ids, fields]) => `messages(messageIds: ${ids}) { ${fields} }`),
  metric.map((fields) => `metrics { ${fields} }`),
  fc
    .tuple(
      list(globalIds),
      video,
      some(['project', 'parent', 'tier', 'intents(first: 3) { nodes { action } }']),
      some(['name', 'priority', 'owner: agent { timeZone }']),
      some(['messageId', 'lang', 'likingUsers(first: 3) { nodes { username } }']),
    )
    .map(
      ([ids, ofVideo, ofAgent, ofIntent, ofMessage]) =>
        `nodes(ids: ${ids}) { id ... on Video { ${ofVideo} } ... on Agent { ${ofAgent} }
          ... on Intent { ${ofIntent} } ... on Message { ${ofMessage} } }`,
    ),
)

describe('over random operations', () => {
  test('no service gets more calls than were estimated, and no more units are spent', async () => {
    const operation = fc
      .array(field, { minLength: 1, maxLength: 3 })
      .map((fields) => `{ ${fields.map((each, at) => `f${at}: ${each}`).join(' ')} }`)
    const services = new Set<string>()
    await fc.assert(
      fc.asyncProperty(operation, async (query) => {
        const estimate = await explain(query)
        expect(estimate, query).toBeDefined()
        const made = await run(query)
        for (const [service, calls] of Object.entries(made.calls)) {
          services.add(service)
          expect(calls, `${service} in ${query}`).toBeLessThanOrEqual(estimate.calls[service] ?? 0)
        }
        for (const [name, calls] of Object.entries(made.operations)) {
          const estimated = estimate.operations.find((each) => each.operation === name)
          expect(calls, `${name} in ${query}`).toBeLessThanOrEqual(estimated?.calls ?? 0)
        }
        expect(made.units).toBeLessThanOrEqual(estimate.units)
        const told = { estimated: estimate.units, spent: made.units }
        expect(made.answer.extensions?.quota, query).toMatchObject(told)
      }),
      { numRuns: 40 + campaignSize(60) },
    )
    expect([...services].sort()).toEqual(['agents', 'messages', 'metrics', 'videos'])
  })
})

describe('more calls than one operation may make', () => {
  const nested = `query ($first: Int) { chartVideos(chart: MOST_POPULAR, first: $first) { nodes {
    commentThreads(first: 100) { nodes { video { snippet { title } } } } } } }`

  test('are refused before any is made, with the numbers, whatever the service', async () => {
    await using bounded = await startGraph({ env: { TESSERA_MAX_CALLS: '20' } })
    const many = Array.from({ length: 21 }, (_, at) => `a${at}: agent(project: "p${at}") { displayName }`)
    for (const [query, service, estimated] of [
      [nested.replace('$first)', '7)').replace('($first: Int) ', ''), 'videos', 22],
      [`{ ${many.join(' ')} }`, 'agents', 21],
      [
        `{ metrics { ${many.map((_, at) => `q${at}: query(query: "${at}") { resultType }`).join(' ')} } }`,
        'metrics',
        21,
      ],
    ] as const) {
      const { status, data, errors } = await bounded.ask(query)
      expect([status, data]).toEqual([400, undefined])
      expect(errors[0]?.extensions).toEqual({
        code: 'COST_ESTIMATED_TOO_EXPENSIVE',
        service,
        calls: { estimated, maximum: 20 },
      })
    }
    expect(bounded.sandbox.journal).toEqual([])
  })

  test('are decided by the variables that count, however often the operation comes', async () => {
    await using bounded = await startGraph({ env: { TESSERA_MAX_CALLS: '10' } })
    const isRefused = async (first: number) =>
      (await bounded.ask(nested, { first })).errors.some(
        ({ extensions }) => extensions.code === 'COST_ESTIMATED_TOO_EXPENSIVE',
      )
    const refused: boolean[] = []
    for (const first of [2, 4, 2, 4, 3]) refused.push(await isRefused(first))
    expect(refused).toEqual([false, true, false, true, false])
  })

  test('cannot be hidden behind ids of another type that were let through', async () => {
    await using bounded = await startGraph({ env: { TESSERA_MAX_CALLS: '10' } })
    const query =
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Video { etag } ... on Agent { displayName } } }'
    const ids = (type: string) => Array.from({ length: 30 }, (_, at) => toGlobalId(type, `p${at}`))
    expect((await bounded.ask(query, { ids: ids('Video') })).errors).toEqual([])
    expect((await bounded.ask(query, { ids: ids('Agent') })).errors[0]?.extensions).toMatchObject({
      code: 'COST_ESTIMATED_TOO_EXPENSIVE',
      calls: { estimated: 30, maximum: 10 },
    })
  })

  test('are 500 unless configured: the operation that made eleven thousand is refused', async () => {
    await using wide = await startGraph({ env: { TESSERA_MAX_VALUES: '100000000' } })
    const { errors } = await wide.ask(nested, { first: 400 })
    expect(errors[0]?.extensions).toMatchObject({
      code: 'COST_ESTIMATED_TOO_EXPENSIVE',
      calls: { maximum: 500 },
    })
    expect(wide.sandbox.journal).toEqual([])
  })
})
