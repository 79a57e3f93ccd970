/**
 * Six operations with variables that differ from request to request, so that no candidate gains by answering equal
 * requests once. Every candidate gets the same texts in the same order.
 */

export interface Operation {
  readonly name: string
  readonly what: string
  readonly text: string
  /** The variables of the request with this number. */
  variables(index: number): Readonly<Record<string, unknown>>
  /** How many clients run at the same time. */
  readonly connections: number
  /** The operation's name in the text, if it differs from its name here. */
  readonly operationName?: string
}

const small = 32
/** For responses of megabytes, because more clients would only measure socket buffers. */
const large = 4

const ids = 5000
/** As long as real ids, because V8's JSON parser interns strings of up to ten characters, which costs extra. */
const videoId = (index: number): string => `syn${String(index % ids).padStart(8, '0')}`
/** All digits but the last five are fixed. Numbers this long exceed JavaScript numbers. */
const messageId = (index: number): string => `77000000000000${String(10_000 + (index % ids))}`
const batch = Array.from({ length: 50 }, (_, at) => at)
/** Projects with an agent, which the services make in advance. */
export const projects: readonly string[] = Array.from({ length: 200 }, (_, at) => `bench-${at}`)

export const demoUser = '2244994945'

/**
 * The service caches the texts of sixteen range queries. Fewer different queries keep its own work out of the
 * figures.
 */
const ranges = 12
const rangeStart = 1_700_000_000
const points = 1000
const step = 15

export function rangeOf(index: number): { readonly start: number; readonly end: number } {
  const start = rangeStart + (index % ranges) * step
  return { start, end: start + (points - 1) * step }
}

const rangeVariables = (index: number): Record<string, unknown> => {
  const { start, end } = rangeOf(index)
  return { start: String(start), end: String(end), step: `${step}s` }
}

export const operations: readonly Operation[] = [
  {
    name: 'Q1',
    what: 'one video, three fields of two parts',
    text: 'query Q1($id: ID!) { video(videoId: $id) { videoId snippet { title channelTitle } statistics { viewCount } } }',
    variables: (index) => ({ id: videoId(index) }),
    connections: small,
  },
  {
    name: 'Q2',
    what: '50 videos, all common fields',
    text: `query Q2($ids: [ID!]!) { videos(videoIds: $ids) { videoId etag
      snippet { publishedAt channelId title description channelTitle categoryId defaultLanguage }
      statistics { viewCount likeCount commentCount } contentDetails { duration definition } status { privacyStatus } } }`,
    variables: (index) => ({ ids: batch.map((at) => videoId(index * 7 + at)) }),
    connections: small,
  },
  {
    name: 'Q3',
    what: 'a video, 20 threads with author, text and video, and 5 messages',
    text: `query Q3($id: ID!, $messages: [ID!]!) {
      video(videoId: $id) { videoId snippet { title }
        commentThreads(first: 20) { nodes { threadId
          topLevelComment { authorDisplayName textDisplay likeCount publishedAt }
          video { videoId snippet { title } } } } }
      messages(messageIds: $messages) { messageId text authorId createdAt publicMetrics { likeCount } } }`,
    variables: (index) => ({
      id: videoId(index),
      messages: [0, 1, 2, 3, 4].map((at) => messageId(index * 5 + at)),
    }),
    connections: small,
  },
  {
    name: 'Q4',
    what: 'one root field of each of the four services',
    text: `query Q4($id: ID!, $message: ID!, $project: ID!, $time: MetricsTime!) {
      video(videoId: $id) { videoId snippet { title } }
      message(messageId: $message) { messageId text authorId }
      agent(project: $project) { parent displayName timeZone }
      metrics { query(query: "up", time: $time) { resultType raw } } }`,
    variables: (index) => ({
      id: videoId(index),
      message: messageId(index),
      project: projects[index % projects.length],
      time: String(rangeStart + (index % 1000)),
    }),
    connections: small,
  },
  {
    name: 'Q5raw',
    what: '100 series of 1,000 points, as the service sent them',
    text: `query Q5raw($start: MetricsTime!, $end: MetricsTime!, $step: MetricsDuration!) {
      metrics { queryRange(query: "bench_series", start: $start, end: $end, step: $step) { raw } } }`,
    variables: rangeVariables,
    connections: large,
  },
  {
    name: 'Q5typed',
    what: '100 series of 1,000 points, each with its time and value',
    text: `query Q5typed($start: MetricsTime!, $end: MetricsTime!, $step: MetricsDuration!) {
      metrics { queryRange(query: "bench_series", start: $start, end: $end, step: $step) {
        series { label(name: "series") samples { time value } } } } }`,
    variables: rangeVariables,
    connections: large,
  },
  {
    name: 'Q6',
    what: 'a write: a like',
    text: 'mutation Q6($user: ID!, $message: ID!) { likeMessage(input: { userId: $user, messageId: $message }) { liked } }',
    variables: (index) => ({ user: demoUser, message: messageId(index) }),
    connections: small,
  },
]

export function operationNamed(name: string, among = operations): Operation {
  const found = among.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`There is no operation ${name}.`)
  return found
}

export function bodyOf(operation: Operation, index: number): string {
  return JSON.stringify({
    query: operation.text,
    variables: operation.variables(index),
    operationName: operation.operationName ?? operation.name,
  })
}
