/**
 * Every operation of the four services as a client of the graph asks for it: what leaves for the service,
 * what comes back, and one input that is refused before any call.
 */
import { expect } from 'vitest'
import { sampleAgents } from '../../sandbox/agents/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'

export interface Operation {
  /** The sandbox's name of it. */
  readonly name: string
  readonly service: string
  readonly ask: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** `METHOD path`, without the query. */
  readonly sent: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** What comes back, as far as it is certain. */
  readonly gives: unknown
  readonly wrong: { readonly ask: string; readonly says: RegExp }
}

const own = sampleVideos.own[1] as string
const { demoUser, ordinary, own: ownMessage } = sampleMessages
const { order, welcome } = sampleAgents.intents
const session = 'projects/demo/agent/environments/draft/users/-/sessions/s1'
const json = expect.any(String)

export const operations: readonly Operation[] = [
  {
    name: 'videos.insert',
    service: 'videos',
    ask: 'mutation { insertVideo(input: { snippet: { title: "T" }, notifySubscribers: false, contentType: "video/mp4", contentLength: "9" }) { upload { method chunkSize } } }',
    sent: 'POST /upload/media/v3/videos',
    query: { uploadType: 'resumable', part: 'snippet', notifySubscribers: 'false' },
    body: { snippet: { title: 'T' } },
    gives: { insertVideo: { upload: { method: 'PUT', chunkSize: 8_388_608 } } },
    wrong: {
      ask: 'mutation { insertVideo(input: { snippet: { title: "T" }, contentType: "text/html", contentLength: "9" }) { upload { url } } }',
      says: /`input.contentType`/,
    },
  },
  {
    name: 'videos.list',
    service: 'videos',
    ask: '{ video(videoId: "ID") { videoId kind statistics { favoriteCount } status { uploadStatus } } }'.replace(
      'ID',
      own,
    ),
    sent: 'GET /media/v3/videos',
    query: { part: 'status,statistics', id: own, prettyPrint: 'false' },
    gives: {
      video: {
        videoId: own,
        kind: 'media#video',
        statistics: { favoriteCount: '0' },
        status: { uploadStatus: 'processed' },
      },
    },
    wrong: { ask: '{ video(videoId: "a b") { etag } }', says: /`videoId`/ },
  },
  {
    name: 'videos.update',
    service: 'videos',
    ask: 'mutation ($id: ID!) { updateVideo(input: { videoId: $id, replace: true, snippet: { title: "New", categoryId: "22" } }) { video { videoId snippet { title description } } } }',
    variables: { id: own },
    sent: 'PUT /media/v3/videos',
    query: { part: 'snippet', prettyPrint: 'false' },
    body: { id: own, snippet: { title: 'New', categoryId: '22' } },
    gives: { updateVideo: { video: { videoId: own, snippet: { title: 'New', description: null } } } },
    wrong: {
      ask: 'mutation { updateVideo(input: { videoId: "a", replace: true, snippet: { title: "x" } }) { video { etag } } }',
      says: /`input.snippet.categoryId`/,
    },
  },
  {
    name: 'videos.delete',
    service: 'videos',
    ask: 'mutation ($id: ID!) { deleteVideo(input: { videoId: $id }) { deletedVideoId } }',
    variables: { id: own },
    sent: 'DELETE /media/v3/videos',
    query: { id: own },
    gives: { deleteVideo: { deletedVideoId: own } },
    wrong: {
      ask: 'mutation { deleteVideo(input: { videoId: "?" }) { deletedId } }',
      says: /`input.videoId`/,
    },
  },
  {
    name: 'commentThreads.insert',
    service: 'videos',
    ask: 'mutation ($id: ID!) { insertCommentThread(input: { videoId: $id, textOriginal: "Hello" }) { commentThread { videoId topLevelComment { textOriginal } } } }',
    variables: { id: own },
    sent: 'POST /media/v3/commentThreads',
    query: { part: 'snippet', prettyPrint: 'false' },
    body: { snippet: { videoId: own, topLevelComment: { snippet: { textOriginal: 'Hello' } } } },
    gives: {
      insertCommentThread: { commentThread: { videoId: own, topLevelComment: { textOriginal: 'Hello' } } },
    },
    wrong: {
      ask: 'mutation { insertCommentThread(input: { textOriginal: "x" }) { commentThread { id } } }',
      says: /`videoId`, `channelId`/,
    },
  },
  {
    name: 'commentThreads.list',
    service: 'videos',
    ask: '{ channel(channelId: "UCx") { commentThreads(first: 2, order: RELEVANCE, searchTerms: "a b") { nodes { threadId } } } }',
    sent: 'GET /media/v3/commentThreads',
    query: {
      part: 'snippet',
      channelId: 'UCx',
      maxResults: '2',
      order: 'relevance',
      searchTerms: 'a b',
      prettyPrint: 'false',
    },
    gives: { channel: { commentThreads: null } },
    wrong: {
      ask: '{ channel(channelId: "UCx") { commentThreads(first: -1) { nodes { id } } } }',
      says: /`first`/,
    },
  },
  {
    name: 'agents.getAgent',
    service: 'agents',
    ask: '{ agent(project: "demo") { project displayName tier } }',
    sent: 'GET /v2beta1/projects/demo/agent',
    gives: { agent: { project: 'demo', displayName: json, tier: json } },
    wrong: { ask: '{ agent(project: "a/b") { displayName } }', says: /`project`/ },
  },
  {
    name: 'agents.setAgent',
    service: 'agents',
    ask: 'mutation { setAgent(input: { project: "demo", displayName: "Pat", timeZone: null, updateMask: ["displayName", "description"] }) { agent { displayName } } }',
    sent: 'POST /v2beta1/projects/demo/agent',
    query: { updateMask: 'displayName,description' },
    body: { parent: 'projects/demo', displayName: 'Pat' },
    gives: { setAgent: { agent: { displayName: 'Pat' } } },
    wrong: {
      ask: 'mutation { setAgent(input: { project: "demo", displayName: "x", updateMask: ["nope"] }) { agent { id } } }',
      says: /nope/,
    },
  },
  {
    name: 'agents.deleteAgent',
    service: 'agents',
    ask: 'mutation { deleteAgent(input: { project: "demo" }) { project } }',
    sent: 'DELETE /v2beta1/projects/demo/agent',
    gives: { deleteAgent: { project: 'demo' } },
    wrong: { ask: 'mutation { deleteAgent(input: { project: "" }) { project } }', says: /`input.project`/ },
  },
  {
    name: 'agents.export',
    service: 'agents',
    ask: 'mutation { exportAgent(input: { project: "demo" }) { agentContent operation { done } } }',
    sent: 'POST /v2beta1/projects/demo/agent:export',
    gives: { exportAgent: { agentContent: expect.stringMatching(/^UEs/), operation: { done: true } } },
    wrong: {
      ask: 'mutation { exportAgent(input: { project: "demo", agentUri: "http://x" }) { agentUri } }',
      says: /`input.agentUri`/,
    },
  },
  {
    name: 'agents.import',
    service: 'agents',
    ask: 'mutation { importAgent(input: { project: "demo", agentUri: "gs://bucket/agent.zip" }) { operation { name } } }',
    sent: 'POST /v2beta1/projects/demo/agent:import',
    body: { agentUri: 'gs://bucket/agent.zip' },
    gives: { importAgent: { operation: { name: expect.stringMatching(/^projects\/demo\/operations\//) } } },
    wrong: {
      ask: 'mutation { importAgent(input: { project: "demo" }) { operation { name } } }',
      says: /agentUri|agentContent/,
    },
  },
  {
    name: 'agents.deleteContexts',
    service: 'agents',
    ask: 'mutation { deleteContexts(input: { project: "demo", session: "s1" }) { session } }',
    sent: `DELETE /v2beta1/${session}/contexts`,
    gives: { deleteContexts: { session } },
    wrong: {
      ask: `mutation { deleteContexts(input: { project: "demo", session: "${'s'.repeat(37)}" }) { session } }`,
      says: /`input.session`.*36/s,
    },
  },
  {
    name: 'agents.detectIntent',
    service: 'agents',
    ask: 'mutation { detectIntent(input: { project: "demo", session: "s1", queryInput: { text: { text: "hello", languageCode: "en" } } }) { queryResult { queryText } } }',
    sent: `POST /v2beta1/${session}:detectIntent`,
    body: { queryInput: { text: { text: 'hello', languageCode: 'en' } } },
    gives: { detectIntent: { queryResult: { queryText: 'hello' } } },
    wrong: {
      ask: 'mutation { detectIntent(input: { project: "demo", session: "s1", queryInput: {} }) { responseId } }',
      says: /queryInput/,
    },
  },
  {
    name: 'agents.intents.create',
    service: 'agents',
    ask: 'mutation { createIntent(input: { project: "demo", displayName: "brand new" }) { intent { displayName } } }',
    sent: 'POST /v2beta1/projects/demo/agent/intents',
    body: { displayName: 'brand new' },
    gives: { createIntent: { intent: { displayName: 'brand new' } } },
    wrong: {
      ask: 'mutation { createIntent(input: { project: "demo", displayName: "" }) { intent { name } } }',
      says: /`input.displayName`/,
    },
  },
  {
    name: 'agents.intents.patch',
    service: 'agents',
    ask: 'mutation ($name: ID!) { updateIntent(input: { name: $name, priority: 7, events: null, updateMask: ["priority", "action"] }) { intent { priority } } }',
    variables: { name: welcome },
    sent: `PATCH /v2beta1/${welcome}`,
    query: { updateMask: 'priority,action' },
    body: { name: welcome, priority: 7 },
    gives: { updateIntent: { intent: { priority: 7 } } },
    wrong: {
      ask: 'mutation { updateIntent(input: { name: "x", priority: 1 }) { intent { name } } }',
      says: /`input.name`/,
    },
  },
  {
    name: 'agents.intents.delete',
    service: 'agents',
    ask: 'mutation ($name: ID!) { deleteIntent(input: { name: $name }) { name } }',
    variables: { name: order },
    sent: `DELETE /v2beta1/${order}`,
    gives: { deleteIntent: { name: order } },
    wrong: {
      ask: 'mutation { deleteIntent(input: { name: "projects/demo" }) { name } }',
      says: /`input.name`/,
    },
  },
  {
    name: 'agents.intents.list',
    service: 'agents',
    ask: '{ agent(project: "demo") { project intents(first: 3) { nodes { displayName } pageInfo { hasNextPage } } } }',
    sent: 'GET /v2beta1/projects/demo/agent/intents',
    query: { pageSize: '3' },
    gives: {
      agent: {
        project: 'demo',
        intents: {
          nodes: [{ displayName: json }, { displayName: json }, { displayName: json }],
          pageInfo: { hasNextPage: true },
        },
      },
    },
    wrong: {
      ask: '{ agent(project: "demo") { project intents(after: "x") { nodes { name } } } }',
      says: /`after`/,
    },
  },
  {
    name: 'messages.lookup',
    service: 'messages',
    ask: `{ message(messageId: "${ordinary}") { messageId lang } }`,
    sent: 'GET /2/tweets',
    query: { ids: ordinary, 'tweet.fields': 'lang' },
    gives: { message: { messageId: ordinary, lang: json } },
    wrong: { ask: '{ message(messageId: "-1") { text } }', says: /`messageId`/ },
  },
  {
    name: 'messages.likingUsers',
    service: 'messages',
    ask: `{ message(messageId: "${ownMessage}") { messageId likingUsers(first: 2) { nodes { username } } } }`,
    sent: `GET /2/tweets/${ownMessage}/liking_users`,
    query: { max_results: '2' },
    gives: { message: { messageId: ownMessage, likingUsers: { nodes: expect.any(Array) } } },
    wrong: {
      ask: `{ message(messageId: "${ownMessage}") { messageId likingUsers(first: 2, last: 2) { nodes { id } } } }`,
      says: /`first`/,
    },
  },
  {
    name: 'messages.like',
    service: 'messages',
    ask: `mutation { likeMessage(input: { userId: "${demoUser}", messageId: "${ordinary}" }) { liked } }`,
    sent: `POST /2/users/${demoUser}/likes`,
    body: { tweet_id: ordinary },
    gives: { likeMessage: { liked: true } },
    wrong: {
      ask: 'mutation { likeMessage(input: { userId: "me", messageId: "1" }) { liked } }',
      says: /`input.userId`/,
    },
  },
  {
    name: 'metrics.query',
    service: 'metrics',
    ask: '{ metrics { query(query: "1 + 1", time: "1700000000") { resultType scalar { value float } warnings } } }',
    sent: 'GET /api/v1/query',
    query: { query: '1 + 1', time: '1700000000' },
    gives: { metrics: { query: { resultType: 'scalar', scalar: { value: '2', float: 2 }, warnings: [] } } },
    wrong: {
      ask: '{ metrics { query(query: "up", time: "yesterday") { resultType } } }',
      says: /yesterday|RFC 3339/,
    },
  },
  {
    name: 'metrics.queryRange',
    service: 'metrics',
    ask: '{ metrics { queryRange(query: "2", start: "100", end: "130", step: "15s") { resultType series { samples { time value } } } } }',
    sent: 'GET /api/v1/query_range',
    query: { query: '2', start: '100', end: '130', step: '15s' },
    gives: {
      metrics: {
        queryRange: {
          resultType: 'matrix',
          series: [
            {
              samples: [
                { time: 100, value: '2' },
                { time: 115, value: '2' },
                { time: 130, value: '2' },
              ],
            },
          ],
        },
      },
    },
    wrong: {
      ask: '{ metrics { queryRange(query: "2", start: "9", end: "1", step: "1s") { resultType } } }',
      says: /end/,
    },
  },
  {
    name: 'metrics.rules',
    service: 'metrics',
    ask: '{ metrics { ruleGroups(type: ALERT, files: ["none"]) { name } } }',
    sent: 'GET /api/v1/rules',
    query: { type: 'alert', 'file[]': 'none' },
    gives: { metrics: { ruleGroups: [] } },
    wrong: { ask: '{ metrics { ruleGroups(type: OTHER) { name } } }', says: /OTHER/ },
  },
  {
    name: 'metrics.alerts',
    service: 'metrics',
    ask: '{ metrics { alerts { state } } }',
    sent: 'GET /api/v1/alerts',
    gives: { metrics: { alerts: expect.any(Array) } },
    wrong: { ask: '{ metrics { alerts(state: "firing") { state } } }', says: /state/ },
  },
  {
    name: 'metrics.buildInfo',
    service: 'metrics',
    ask: '{ metrics { buildInfo { version goVersion } } }',
    sent: 'GET /api/v1/status/buildinfo',
    gives: { metrics: { buildInfo: { version: json, goVersion: json } } },
    wrong: { ask: '{ metrics { buildInfo { nothing } } }', says: /nothing/ },
  },
]
