/** Fields whose values depend on arguments, such as a language, have the same values if they are deferred. */
import { expect, test } from 'vitest'
import { sampleAgents } from '../../../sandbox/agents/index.ts'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import type { Service } from '../../support/federation.ts'
import { startGraph } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'
import { startInFront } from '../../support/router.ts'
import { ask } from './kit.ts'

const graph = keepForFile(await startGraph())

const incremental = 'multipart/mixed;incrementalSpec=v0.2'

/** The object below these keys, with what has been deferred of it. */
async function deferred(url: string, query: string, path: readonly string[], token = ''): Promise<unknown> {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
  await using answer = await ask(url, query, incremental, { headers })
  const { data } = await answer.next()
  const first = path.reduce((value, key) => value[key], data)
  const later = (await answer.rest()).flatMap(({ incremental = [] }) => incremental)
  expect(later.length).toBeGreaterThan(0)
  return Object.assign(first, ...later.map((each) => each.data))
}

test.each<[what: string, path: readonly string[], query: (directive: string) => string]>([
  [
    'the language and the size of a video',
    ['video'],
    (directive) =>
      `{ video(videoId: "${sampleVideos.own[0]}", hl: "it", maxWidth: 320)
        { videoId ...${directive} { snippet { localized { title } } player { embedWidth } } } }`,
  ],
  [
    'the language of an intent',
    ['intent'],
    (directive) =>
      `{ intent(name: "${sampleAgents.intents.welcome}", languageCode: "de")
        { name ...${directive} { trainingPhrases { parts { text } } messages { __typename } } } }`,
  ],
])('%s', async (_what, path, query) => {
  const { data } = await graph.ask(query(''))
  const whole = path.reduce((value, key) => value[key], data)
  const token = await graph.token('agents.read')
  expect(await deferred(graph.url, query(' @defer'), path, token)).toEqual(whole)
})

// With the second field the object is looked up for the outer fragment, too.
test.each(['', 'displayName'])(
  'what is deferred within a deferred object is looked up when that object is there: %j',
  async (other) => {
    const query = `{ intent(name: "${sampleAgents.intents.welcome}", languageCode: "de") { ... @defer {
      agent { tier ... @defer { supportedLanguageCodes } ${other} } events @stream(initialCount: 1) } } }`
    const headers = { authorization: `Bearer ${await graph.token('agents.read')}` }
    await using answer = await ask(graph.url, query, incremental, { headers })
    const later = (await answer.rest()).flatMap(({ incremental = [] }) => incremental)
    expect(later.map(({ data }) => data)).toContainEqual({ supportedLanguageCodes: ['de', 'fr'] })
  },
)

test('the title of a channel, which the service tells with a video only', async () => {
  const query = (directive: string): string =>
    `{ video(videoId: "${sampleVideos.own[0]}") { channel { channelId ...${directive} { title } } } }`
  await using answer = await ask(graph.url, query(' @defer'), incremental)
  expect((await answer.next()).data.video.channel).toEqual({ channelId: expect.any(String) })
  const [last] = await answer.rest()
  const { data } = await graph.ask(query(''))
  expect(data.video.channel.title).toEqual(expect.any(String))
  expect(last?.incremental[0].data).toEqual({ title: data.video.channel.title })
})

const texts: Service = {
  sdl: `
    type Query { text(id: ID!, language: String): Text texts(kind: String!, first: Int): [Text!]! }
    type Mutation { change(id: ID!, language: String!): Text }
    type Text @key(fields: "id") { id: ID! words: String next: Text }
  `,
  resolvers: {
    Query: { text: (_: unknown, given: Given) => textOf(given), texts: () => [textOf({ id: '1' })] },
    Mutation: { change: (_: unknown, given: Given) => textOf(given) },
    Text: { __resolveReference: (given: Given) => textOf(given) },
  },
}

interface Given {
  readonly id: string
  readonly language?: string
}

const textOf = ({ id, language = 'en' }: Given): object => ({
  ...{ id, words: `${id} in ${language}` },
  next: () => textOf({ id: 'next', language }),
})

test('an object is looked up for what is deferred only if no argument can have chosen it', async () => {
  const { router, service } = await startInFront({ service: texts })
  for (const [query, path, words, fetches] of [
    ['{ text(id: 1, language: "it") { id ... @defer { words } } }', ['text'], '1 in it', 1],
    ['mutation { change(id: 1, language: "it") { id ... @defer { words } } }', ['change'], '1 in it', 1],
    ['{ text(id: 1) { id ... @defer { words } } }', ['text'], '1 in en', 2],
    ['{ texts(kind: "a", first: 1) { id ... @defer { words } } }', ['texts', '0'], '1 in en', 2],
    [
      '{ text(id: 1, language: "it") { next { id ... @defer { words } } } }',
      ['text', 'next'],
      'next in it',
      1,
    ],
    ['{ text(id: 1) { next { id ... @defer { words } } } }', ['text', 'next'], 'next in en', 2],
  ] as const) {
    service.asked.length = 0
    expect(await deferred(`${router.origin}/graphql`, query, path)).toMatchObject({ words })
    expect([query, service.asked.length]).toEqual([query, fetches])
  }
})

test('such an object is not looked up in another subgraph either', async () => {
  const shared = { ...texts, sdl: texts.sdl.replace('words: String', 'words: String @shareable') }
  const copies: Service = {
    sdl: 'type Text @key(fields: "id") { id: ID! words: String @shareable }',
    resolvers: { Text: { __resolveReference: ({ id }: Given) => textOf({ id, language: 'copy' }) } },
  }
  const { router } = await startInFront({ texts: shared, copies })
  const query = '{ text(id: 1, language: "it") { id ... @defer { words } } }'
  expect(await deferred(`${router.origin}/graphql`, query, ['text'])).toMatchObject({ words: '1 in it' })
})
