/**
 * The operations of a soak. Reads come from a bounded stock, each with its own variables, whose right responses are
 * known before there are faults. Writes are all different, so that each can be found in the services' records.
 */
import type { Answer } from './judge.ts'
import type { Random } from './random.ts'

export interface Asked {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** One field of a mutation: its expected value, and what the service records. */
export interface WriteField {
  readonly alias: string
  /** There are few texts, as with real clients, and the variables differ. */
  readonly text: string
  readonly takes: Readonly<Record<string, { readonly type: string; readonly value: unknown }>>
  readonly operation: string
  /** Set if the client chooses the recorded key. */
  readonly key?: string
  /** Set if the service chooses it: reads it from the response. */
  keyFrom?(value: unknown): string | undefined
  readonly gives: unknown
}

const project = 'demo'
/** The sandbox's own user, because no other user may like. */
const user = '2244994945'
const stock = 40

const videoOf = (index: number): string => `syn${index}`
const messageOf = (index: number): string => `77000000000000${String(10_000 + index)}`

const readTexts = [
  {
    weight: 4,
    query:
      'query R1($video: ID!) { video(videoId: $video) { videoId snippet { title channelTitle } contentDetails { duration } } }',
  },
  {
    weight: 2,
    query: `query R2($video: ID!, $messages: [ID!]!) {
      video(videoId: $video) { videoId commentThreads(first: 5) { nodes { threadId topLevelComment { textDisplay } } } }
      messages(messageIds: $messages) { messageId text authorId } }`,
  },
  {
    weight: 4,
    query: `query R3($video: ID!, $message: ID!, $query: String!) {
      video(videoId: $video) { videoId snippet { title } }
      message(messageId: $message) { messageId text lang }
      agent(project: "${project}") { project displayName timeZone }
      metrics { query(query: $query, time: "1700000000") { resultType scalar { value } } } }`,
  },
  {
    weight: 2,
    query: `query R4($query: String!) {
      agent(project: "${project}") { project intents(first: 5) { nodes { displayName priority } } }
      metrics { query(query: $query, time: "1700000000") { scalar { value } } buildInfo { version } } }`,
  },
] as const

/** The stock of reads, by weight. */
export const reads: readonly { readonly weight: number; readonly item: Asked }[] = readTexts.flatMap(
  ({ weight, query }) =>
    Array.from({ length: stock }, (_, index) => {
      const all: Record<string, unknown> = {
        video: videoOf(index),
        message: messageOf(index),
        messages: [index, index + 1, index + 2].map(messageOf),
        query: `${index} + 1`,
      }
      const named = Object.entries(all).filter(([name]) => query.includes(`$${name}:`))
      return { weight: weight / stock, item: { query, variables: Object.fromEntries(named) } }
    }),
)

const makers: readonly { readonly weight: number; readonly item: (serial: number) => WriteField }[] = [
  {
    weight: 4,
    item(serial) {
      const message = `779${String(serial).padStart(16, '0')}`
      return {
        alias: 'like',
        text: `likeMessage(input: { userId: "${user}", messageId: $message }) { liked }`,
        takes: { message: { type: 'ID!', value: message } },
        operation: 'messages.like',
        key: `${user}:${message}`,
        gives: { liked: true },
      }
    },
  },
  {
    weight: 2,
    item(serial) {
      const session = `projects/${project}/agent/environments/draft/users/-/sessions/c${serial}`
      return {
        alias: 'forget',
        text: `deleteContexts(input: { project: "${project}", session: $forgotten }) { session }`,
        takes: { forgotten: { type: 'ID!', value: `c${serial}` } },
        operation: 'agents.deleteContexts',
        key: `c${serial}`,
        gives: { session },
      }
    },
  },
  {
    weight: 2,
    item(serial) {
      return {
        alias: 'say',
        text: `detectIntent(input: { project: "${project}", session: $spoken, queryInput: { text: { text: "hello", languageCode: "en" } } }) { queryResult { queryText } }`,
        takes: { spoken: { type: 'ID!', value: `d${serial}` } },
        operation: 'agents.detectIntent',
        key: `d${serial}`,
        gives: { queryResult: { queryText: 'hello' } },
      }
    },
  },
  {
    weight: 2,
    item(serial) {
      return {
        alias: 'comment',
        text: 'insertCommentThread(input: { videoId: $commented, textOriginal: $comment }) { commentThread { threadId } }',
        takes: {
          commented: { type: 'ID!', value: videoOf(1000 + (serial % 50)) },
          comment: { type: 'String!', value: `Number ${serial}` },
        },
        operation: 'commentThreads.insert',
        keyFrom: (value) =>
          (value as { commentThread?: { threadId?: string } } | null)?.commentThread?.threadId,
        gives: undefined,
      }
    },
  },
]

/** One to three writes to different services in one request. */
export function nextWrite(random: Random, serial: number): readonly WriteField[] {
  const first = random.draw(makers)(serial)
  if (random.next() > 0.3) return [first]
  const fields = [first]
  for (const { item } of makers) {
    const field = item(serial)
    if (random.next() < 0.5 && fields.every(({ alias }) => alias !== field.alias)) fields.push(field)
  }
  return fields
}

export function mutationOf(fields: readonly WriteField[]): Asked {
  const taken = fields.flatMap(({ takes }) => Object.entries(takes))
  const declared = taken.map(([name, { type }]) => `$${name}: ${type}`)
  return {
    query: `mutation W(${declared.join(', ')}) { ${fields.map(({ alias, text }) => `${alias}: ${text}`).join(' ')} }`,
    variables: Object.fromEntries(taken.map(([name, { value }]) => [name, value])),
  }
}

/** The expected result of the whole mutation. What the service chose is taken from the response. */
export function expectedOf(fields: readonly WriteField[], { data }: Answer): unknown {
  const given = (data ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    fields.map(({ alias, gives, keyFrom }) => {
      if (keyFrom === undefined) return [alias, gives]
      const key = keyFrom(given[alias])
      return [alias, { commentThread: { threadId: key ?? 'a thread' } }]
    }),
  )
}
