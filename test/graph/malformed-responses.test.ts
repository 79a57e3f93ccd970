/**
 * Services whose answers break their contract in one place: a member is missing, or is something else. What cannot
 * be shown is null or left out, with `UPSTREAM_BAD_RESPONSE`; the values next to it are unchanged, and it is not a
 * fault of the gateway.
 */
import fc from 'fast-check'
import { buildSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { forEachService, type ServiceName } from '../../subgraphs/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { campaignSize } from '../support/campaign-size.ts'
import { answerFrom, type GraphAnswer, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { startScripted } from '../support/scripted-service.ts'
import { serviceSecret, startServices } from '../support/services.ts'
import { wholeSelection } from '../support/whole-selection.ts'

const schema = buildSchema(readSchemaFile('api'))
/** What the caller may not see. */
const ofOwners = [
  'fileDetails',
  'processingDetails',
  'suggestions',
  'nonPublicMetrics',
  'organicMetrics',
  'promotedMetrics',
]
const whole = (type: string): string => wholeSelection(schema, type, new Set(['raw', ...ofOwners]))

type Path = readonly (string | number)[]

interface Asked {
  readonly query: string
  /** The end of the path of the call that is looked at. */
  readonly to: string
  /** The path of the items in what the service sends. */
  readonly sent: Path
  /** Their path in the data. */
  readonly shown: Path
  /** The member of the service's items that names them, if they are shown at the places of their ids. */
  readonly key?: string
}

const messageIds = [sampleMessages.ordinary, sampleMessages.own, sampleMessages.long, sampleMessages.photo]
const end = Math.floor(Date.now() / 1000)

const asked: Readonly<Record<string, Asked>> = {
  videos: {
    query: `{ chartVideos(chart: MOST_POPULAR, first: 5) { nodes { ${whole('Video')} } } }`,
    to: '/videos',
    sent: ['items'],
    shown: ['chartVideos', 'nodes'],
  },
  'edges of videos': {
    query: `{ chartVideos(chart: MOST_POPULAR, first: 4) { edges { node { ${whole('Video')} } } } }`,
    to: '/videos',
    sent: ['items'],
    shown: ['chartVideos', 'edges'],
  },
  'videos by id': {
    query: `{ videos(videoIds: ${JSON.stringify(sampleVideos.own.slice(0, 3))}) { ${whole('Video')} } }`,
    to: '/videos',
    sent: ['items'],
    shown: ['videos'],
    key: 'videoId',
  },
  threads: {
    query: `{ video(videoId: "${sampleVideos.own[0]}") { commentThreads(first: 4) { nodes { ${whole('CommentThread')} } } } }`,
    to: '/commentThreads',
    sent: ['items'],
    shown: ['video', 'commentThreads', 'nodes'],
  },
  intents: {
    query: `{ agent(project: "demo") { project intents(first: 6) { nodes { ${whole('Intent')} } } } }`,
    to: '/intents',
    sent: ['intents'],
    shown: ['agent', 'intents', 'nodes'],
  },
  messages: {
    query: `{ messages(messageIds: ${JSON.stringify(messageIds)}) { ${whole('Message')} } }`,
    to: '/tweets',
    sent: ['data'],
    shown: ['messages'],
    key: 'messageId',
  },
  likers: {
    query: `{ message(messageId: "${sampleMessages.own}") { likingUsers(first: 5) { nodes { ${whole('MessageUser')} } } } }`,
    to: '/liking_users',
    sent: ['data'],
    shown: ['message', 'likingUsers', 'nodes'],
  },
  series: {
    query: `{ metrics { query(query: "up", time: "${end}") { ${whole('MetricsResult')} } } }`,
    to: '/query',
    sent: ['data', 'result'],
    shown: ['metrics', 'query', 'series'],
  },
  samples: {
    query: `{ metrics { queryRange(query: "up", start: "${end - 60}", end: "${end}", step: "15s") { series { samples { time value float } } } } }`,
    to: '/query_range',
    sent: ['data', 'result', 0, 'values'],
    shown: ['metrics', 'queryRange', 'series', 0, 'samples'],
  },
  'rule groups': {
    query: `{ metrics { ruleGroups { ${whole('MetricsRuleGroup')} } } }`,
    to: '/rules',
    sent: ['data', 'groups'],
    shown: ['metrics', 'ruleGroups'],
  },
  alerts: {
    query: `{ metrics { alerts { ${whole('MetricsAlert')} } } }`,
    to: '/alerts',
    sent: ['data', 'alerts'],
    shown: ['metrics', 'alerts'],
  },
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

/** The paths of everything in a value, the value itself first. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
}

/** The value without what stands at the path, or with something else there. */
function changed(value: unknown, path: Path, other: unknown): unknown {
  const copy: unknown = structuredClone(value)
  const last = path.at(-1) as string
  const parent = at(copy, path.slice(0, -1))
  if (typeof parent !== 'object' || parent === null) return copy
  if (other !== undefined) Reflect.set(parent, last, other)
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else Reflect.deleteProperty(parent, last)
  return copy
}

const others = [undefined, null, 0, -1, 1.5, 1e300, '', 'NaN', 'x', true, [], {}, [null], [{}], { a: 1 }]

/** What becomes of the service's JSON on its way. */
let alter: (body: unknown, path: string) => unknown = (body) => body

const now = Date.now()
const sandbox = keepForFile(await startSandbox({ synthetic: true, now: () => now }))
const service = keepForFile(
  await startScripted(async ({ method, path, query, headers, body }) => {
    const form = headers['content-type'] === 'application/x-www-form-urlencoded'
    const search = new URLSearchParams(query)
    const response = await fetch(`${sandbox.url}${path}?${search}`, {
      method,
      ...(body === undefined
        ? {}
        : {
            body: form ? new URLSearchParams(body) : JSON.stringify(body),
            headers: { 'content-type': headers['content-type'] ?? 'application/json' },
          }),
    })
    const json: unknown = await response.json()
    return { status: response.status, body: response.ok ? alter(json, path) : json }
  }),
)
const graph = keepForFile(await startGraph({ urls: forEachService(() => service.url) }))

/** What is answered and what was sent for it, as long as nothing is changed on its way. */
async function asUsual(query: string, to: string): Promise<{ usual: GraphAnswer; plain: unknown }> {
  let plain: unknown
  alter = (body, path) => {
    if (path.endsWith(to)) plain ??= body
    return body
  }
  return { usual: await graph.ask(query), plain }
}

describe('one odd place in what a service sends', () => {
  test.each(Object.keys(asked))('takes nothing else of its list along: %s', async (name) => {
    const { query, to, sent, shown, key } = asked[name] as Asked
    const { usual, plain } = await asUsual(query, to)
    expect(usual.errors).toEqual([])
    const items = at(plain, sent) as readonly unknown[]
    const before = at(usual.data, shown) as readonly unknown[]
    expect(before.length).toBeGreaterThan(1)
    const place = fc
      .nat(before.length - 1)
      .chain((index) =>
        fc.record({ index: fc.constant(index), path: fc.constantFrom(...pathsIn(items[index])) }),
      )
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom(...others), async ({ index, path }, other) => {
        const where = [...sent, String(index), ...path]
        alter = (body, sentTo) => (sentTo.endsWith(to) ? changed(body, where, other) : body)
        const { data, errors } = await graph.ask(query)
        const codes = new Set(errors.map(({ extensions }) => extensions.code))
        expect([...codes].filter((code) => code !== 'UPSTREAM_BAD_RESPONSE')).toEqual([])
        const after = at(data, shown) as readonly unknown[]
        expect(Array.isArray(after), JSON.stringify(errors)).toBe(true)
        if (key !== undefined) {
          const changedId = (items[index] as { readonly id: string }).id
          const others = before.filter(
            (each) => (each as Record<string, unknown> | null)?.[key] !== changedId,
          )
          expect(after.length).toBe(before.length)
          for (const each of others) expect(after).toContainEqual(each)
          return
        }
        const besides = before.filter((_, each) => each !== index)
        expect(after.length === before.length ? after.filter((_, each) => each !== index) : after).toEqual(
          besides,
        )
      }),
      { numRuns: campaignSize(400) },
    )
  })

  test('anywhere in it is not a fault of the gateway', async () => {
    for (const { query, to } of Object.values(asked)) {
      const { plain } = await asUsual(query, to)
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...pathsIn(plain).slice(1)),
          fc.constantFrom(...others),
          async (path, other) => {
            alter = (body, sentTo) => (sentTo.endsWith(to) ? changed(body, path, other) : body)
            const { errors } = await graph.ask(query)
            expect(errors.map(({ extensions }) => extensions.code)).not.toContain('INTERNAL_SERVER_ERROR')
          },
        ),
        { numRuns: campaignSize(150) },
      )
    }
  })
})

/** Ways in which routers ask a service for what is executed there in different places. */
const waysOfRouters = [
  { method: 'POST', headers: {} },
  { method: 'POST', headers: { 'apollo-federation-include-trace': 'ftv1' } },
  { method: 'GET', headers: {} },
] as const

async function askService(
  url: string,
  query: string,
  { method, headers }: (typeof waysOfRouters)[number],
): Promise<GraphAnswer> {
  const search = method === 'GET' ? `?${new URLSearchParams({ query })}` : ''
  const response = await fetch(`${url}${search}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'router-authorization': `Bearer ${serviceSecret}`,
      ...headers,
    },
    body: method === 'POST' ? JSON.stringify({ query }) : null,
  })
  return answerFrom(response)
}

/** Without the order of errors, which is that in which they came. */
const plain = ({ data, errors }: GraphAnswer) => ({
  data,
  errors: errors.map(({ path, extensions }) => JSON.stringify([path, extensions.code])).sort(),
})

describe('an odd item deep in an answer', () => {
  const badAt = (path: Path) => ({ path, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } })

  /** What the graph answers over services that send this each time: the same in one process and over a service of `name`. */
  async function over(name: ServiceName, body: unknown, query: string): Promise<GraphAnswer> {
    await using scripted = await startScripted({ body })
    await using own = await startGraph({ urls: forEachService(() => scripted.url) })
    await using services = await startServices(scripted.url, {}, [name])
    await using split = await startGraph({ env: services.env, urls: forEachService(() => scripted.url) })
    const first = await own.ask(query)
    // What comes again is executed by other code.
    for (let time = 0; time < 4; time++) {
      expect((await own.ask(query)).data).toEqual(first.data)
      expect(plain(await split.ask(query))).toEqual(plain(first))
    }
    for (const way of waysOfRouters) {
      if (way.method === 'GET' && query.startsWith('mutation')) continue
      expect(plain(await askService(services.urls[name], query, way))).toEqual(plain(first))
    }
    return first
  }
  test('is left out: a link without a start, a user without a name', async () => {
    const link = (start: number | undefined) => ({ start, end: 9, url: `https://t.example/${start}` })
    const messages = await over(
      'messages',
      { data: [{ id: '1', text: 'a', entities: { urls: [link(1), link(undefined), link(3)] } }] },
      '{ messages(messageIds: ["1"]) { text entities { urls { start url } } } }',
    )
    expect(messages.data.messages).toEqual([
      {
        text: 'a',
        entities: {
          urls: [
            { start: 1, url: 'https://t.example/1' },
            { start: 3, url: 'https://t.example/3' },
          ],
        },
      },
    ])
    expect(messages.errors).toMatchObject([badAt(['messages', 0, 'entities', 'urls', 1, 'start'])])

    const users = [{ id: '1', name: 'A', username: 'a' }, { id: '2', username: 'b' }, { name: 'C' }]
    const likers = await over(
      'messages',
      { data: users },
      '{ message(messageId: "1") { likingUsers(first: 3) { nodes { userId name } } } }',
    )
    expect(likers.data.message.likingUsers.nodes).toEqual([{ userId: '1', name: 'A' }])
    const byDepth = likers.errors.toSorted((a, b) => (a.path?.length ?? 0) - (b.path?.length ?? 0))
    expect(byDepth).toHaveLength(2)
    expect(byDepth).toMatchObject([
      badAt(['message', 'likingUsers']),
      badAt(['message', 'likingUsers', 'nodes', 1, 'name']),
    ])
  })

  test('is null alone at its place: a confidence that is not a number', async () => {
    const contexts = ['a', 'b', 'c'].map((id) => ({
      name: `projects/demo/agent/sessions/s/contexts/${id}`,
      lifespanCount: id === 'b' ? 'NaN' : 2,
    }))
    const { data, errors } = await over(
      'agents',
      { queryResult: { queryText: 'hello', intentDetectionConfidence: 'NaN', outputContexts: contexts } },
      `mutation { detectIntent(input: { project: "demo", session: "s", queryInput: { text: { text: "hello", languageCode: "en" } } }) {
         queryResult { queryText intentDetectionConfidence outputContexts { contextId lifespanCount } } } }`,
    )
    expect(data.detectIntent.queryResult).toEqual({
      queryText: 'hello',
      intentDetectionConfidence: null,
      outputContexts: [
        { contextId: 'a', lifespanCount: 2 },
        { contextId: 'c', lifespanCount: 2 },
      ],
    })
    expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(
      new Set(['UPSTREAM_BAD_RESPONSE']),
    )
  })

  test('is null alone at its place: JSON of thousands of levels', async () => {
    const levels = 3000
    const parameters = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
    const { data, errors } = await over(
      'agents',
      { queryResult: { queryText: 'hello', parameters, webhookPayload: { a: [1] } } },
      `mutation { detectIntent(input: { project: "demo", session: "s", queryInput: { text: { text: "hello", languageCode: "en" } } }) {
         queryResult { queryText parameters webhookPayload } } }`,
    )
    expect(data.detectIntent.queryResult).toEqual({
      queryText: 'hello',
      parameters: null,
      webhookPayload: { a: [1] },
    })
    expect(errors).toMatchObject([badAt(['detectIntent', 'queryResult', 'parameters'])])
  })

  test('is null if it is not an object, and not an object of nulls', async () => {
    const videos = await over(
      'videos',
      { items: [{ id: 'a', snippet: 5, status: 'public', statistics: { viewCount: '1' } }] },
      '{ video(videoId: "a") { snippet { title } status { privacyStatus } statistics { viewCount } } }',
    )
    expect(videos.data.video).toEqual({ snippet: null, status: null, statistics: { viewCount: '1' } })
    expect(plain(videos).errors).toEqual([
      '[["video","snippet"],"UPSTREAM_BAD_RESPONSE"]',
      '[["video","status"],"UPSTREAM_BAD_RESPONSE"]',
    ])
  })

  test('is reported if it was an entry of a map', async () => {
    const map = { de: null, en: { title: 'E' }, fr: 'x' }
    const { data, errors } = await over(
      'videos',
      { items: [{ id: 'a', localizations: map, snippet: { title: 't', thumbnails: 'none' } }] },
      '{ video(videoId: "a") { localizations { key title } snippet { title thumbnails { key } } } }',
    )
    expect(data.video).toEqual({
      localizations: [{ key: 'en', title: 'E' }],
      snippet: { title: 't', thumbnails: null },
    })
    const places = errors.map(({ path, extensions }) => [path?.join('.'), extensions.code]).sort()
    expect(places).toEqual([
      ['video.localizations.0', 'UPSTREAM_BAD_RESPONSE'],
      ['video.localizations.2', 'UPSTREAM_BAD_RESPONSE'],
      ['video.snippet.thumbnails', 'UPSTREAM_BAD_RESPONSE'],
    ])
  })

  test.each<[ServiceName, unknown, string, Path]>([
    [
      'videos',
      (time: string) => ({ items: [{ id: 'a', snippet: { publishedAt: time } }] }),
      '{ video(videoId: "a") { snippet { publishedAt } } }',
      ['video', 'snippet', 'publishedAt'],
    ],
    [
      'messages',
      (time: string) => ({ data: [{ id: '1', created_at: time }] }),
      '{ message(messageId: "1") { createdAt } }',
      ['message', 'createdAt'],
    ],
    [
      'metrics',
      (time: string) => ({ status: 'success', data: { alerts: [{ labels: {}, activeAt: time }] } }),
      '{ metrics { alerts { activeAt } } }',
      ['metrics', 'alerts', 0, 'activeAt'],
    ],
  ])(
    'is null if it is not a point in time, which typed clients could not read: %s',
    async (name, of, query, path) => {
      const body = of as (time: string) => unknown
      for (const time of ['1969-01-01T00:00:00Z', '2026-11-20T20:21:07.389276077+02:00']) {
        const { data, errors } = await over(name, body(time), query)
        expect(errors).toEqual([])
        expect(at(data, path)).toBe(time)
      }
      const { data, errors } = await over(name, body('yesterday'), query)
      expect(at(data, path)).toBeNull()
      expect(errors).toMatchObject([badAt(path)])
    },
  )
})

describe('an answer without its list', () => {
  const askedOfIt: readonly (readonly ['videos' | 'messages' | 'agents', string, string])[] = [
    ['videos', 'video', '{ video(videoId: "abc") { snippet { title } } }'],
    ['videos', 'chartVideos', '{ chartVideos(chart: MOST_POPULAR, first: 2) { nodes { videoId } } }'],
    [
      'videos',
      'channel',
      '{ channel(channelId: "UCabc") { commentThreads(first: 2) { nodes { threadId } } } }',
    ],
    ['messages', 'message', '{ message(messageId: "1") { text } }'],
    ['messages', 'likes', '{ message(messageId: "1") { likingUsers(first: 2) { nodes { userId } } } }'],
    ['agents', 'intents', '{ agent(project: "demo") { intents(first: 2) { nodes { displayName } } } }'],
  ]
  const answerTo = async (name: ServiceName, query: string, body: unknown) => {
    await using scripted = await startScripted(({ path, query: { ids } }) => ({
      // The message is there, and the users who like it are asked for.
      body: query.includes('likingUsers') && ids !== undefined ? { data: [{ id: '1', text: path }] } : body,
    }))
    await using graph = await startGraph({ urls: { [name]: scripted.url } })
    return await graph.ask(query)
  }

  const lists = { videos: 'items', messages: 'data', agents: 'intents' } as const

  test.each(askedOfIt)('of %s is empty: %s', async (name, _, query) => {
    for (const body of [{}, { [lists[name]]: [] }, { [lists[name]]: null }])
      expect((await answerTo(name, query, body)).errors).toEqual([])
  })

  test.each(askedOfIt)('of %s is an error if it has something else there: %s', async (name, _, query) => {
    expect((await answerTo(name, query, { [lists[name]]: { a: 1 } })).errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
    ])
  })
})
