/**
 * Tasks for which the agent writes documents, and tasks in which something goes wrong: a missing scope, a used-up
 * budget, a response over its bound, a change whose response is lost.
 */
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import type { Reading, ScriptedAgent } from './client.ts'
import type { Task } from './task.ts'
import { strictCalls, strictUnits } from './world.ts'

const [video = ''] = sampleVideos.own
const { own } = sampleMessages

/** The path of the first search result whose name has this ending. */
async function pathOf(agent: ScriptedAgent, words: string, end: string): Promise<string> {
  const { json } = await agent.call('search_schema', { words })
  const found = json.found as { path: string }[]
  return found.find(({ path }) => path.endsWith(end))?.path ?? ''
}

const authoring: readonly Task[] = [
  {
    asks: `Is ${video} in high definition?`,
    golden: 'hd',
    async solve(agent) {
      // Such as query.video.contentDetails.definition.
      const path = (await pathOf(agent, 'video definition hd', '.definition')).split('.')
      const [, root, part, leaf] = path
      const document = `query($id: ID!) { ${root}(videoId: $id) { ${part} { ${leaf} } } }`
      const { json } = await agent.call('execute_operation', { document, variables: { id: video } })
      return json.data[root ?? ''][part ?? ''][leaf ?? '']
    },
  },
  {
    asks: 'Which other languages does the agent of demo speak?',
    golden: ['de', 'fr'],
    async solve(agent) {
      const { text } = await agent.call('describe_schema', { coordinates: ['Agent'] })
      const [field] = /\bsupported\w*Codes\b/.exec(text) ?? []
      const document = `{ agent(project: "demo") { ${field} } }`
      const { json } = await agent.call('execute_operation', { document })
      return json.data.agent[field ?? '']
    },
  },
  {
    asks: `How many likes have the video ${video} and the message ${own} together?`,
    golden: 3_500_013,
    async solve(agent) {
      const document = `{ video(videoId: "${video}") { statistics { likeCount } } message(messageId: "${own}") { publicMetrics { likeCount } } }`
      const { json } = await agent.call('execute_operation', { document })
      return Number(json.data.video.statistics.likeCount) + json.data.message.publicMetrics.likeCount
    },
  },
  {
    asks: 'What would the descriptions of the fifty most popular videos cost, in units?',
    golden: 1,
    async solve(agent) {
      const document = '{ chartVideos(chart: MOST_POPULAR, first: 50) { nodes { snippet { description } } } }'
      const { json } = await agent.call('explain_operation', { document })
      return json.units
    },
  },
  {
    asks: 'What is the newest video called? (The first document has a mistake.)',
    golden: 'The first escapement',
    async solve(agent) {
      const wrong = '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { snippet { titel } } } }'
      const first = await agent.call('execute_operation', { document: wrong })
      // The error suggests the right field.
      const [, meant] = /Did you mean \\?"(\w+)\\?"/.exec(first.text) ?? []
      const document = wrong.replace('titel', meant ?? 'title')
      const { json } = await agent.call('execute_operation', { document })
      return json.data.chartVideos.nodes[0].snippet[meant ?? '']
    },
  },
]

const missing = ({ status, scope }: Reading): unknown => [status, scope]

const refusals: readonly Task[] = [
  {
    asks: `Who likes ${own}? (The token may not read likes.)`,
    golden: [403, 'tweet.read users.read like.read'],
    scope: 'tweet.read users.read',
    solve: async (agent) => missing(await agent.call('messageLikes', { messageId: own })),
  },
  {
    asks: 'Which alerts fire? (There is no token.)',
    golden: [401, 'rules.read'],
    scope: null,
    solve: async (agent) => missing(await agent.call('metricsAlerts')),
  },
  {
    asks: 'Which scopes would likes and rules need, if none is there? Nothing is to be run.',
    golden: ['like.read', 'rules.read', 'tweet.read', 'users.read'],
    scope: null,
    async solve(agent) {
      const document = `{ message(messageId: "${own}") { likingUsers(first: 1) { nodes { name } } } metrics { alerts { name } } }`
      const { json } = await agent.call('explain_operation', { document })
      return [...json.scopes.missing].sort()
    },
  },
  {
    asks: 'Ask for the chart until the budget of units is spent: how much was there?',
    golden: ['units each minute', strictUnits],
    isStrict: true,
    async solve(agent) {
      for (let times = 0; times < strictUnits; times += 1) await agent.call('chartVideos', { first: 1 })
      const { json, isError } = await agent.call('chartVideos', { first: 1 })
      return isError && [json.budget, json.used]
    },
  },
  {
    asks: 'Ask for message 20 until the budget of calls is spent: when may you go on, and what still works?',
    golden: ['calls each minute', true, true],
    isStrict: true,
    async solve(agent) {
      for (let times = 0; times < strictCalls; times += 1)
        await agent.call('messagesById', { messageIds: ['20'], maxTokens: 300 })
      const { json } = await agent.call('messagesById', { messageIds: ['20'], maxTokens: 300 })
      const still = await agent.call('explain_operation', { document: '{ mediaQuota { used } }' })
      return [json.budget, json.backInSeconds > 0, still.json.valid]
    },
  },
]

/** Reads until nothing is left of a cut response. */
async function whole(agent: ScriptedAgent, first: Reading, maxTokens?: number): Promise<readonly Reading[]> {
  const readings = [first]
  for (let last = first; last.json.more !== undefined; ) {
    const bound = maxTokens === undefined ? {} : { maxTokens }
    last = await agent.call('more', { handle: last.json.more.handle, ...bound })
    readings.push(last)
  }
  return readings
}

const count = (readings: readonly Reading[], word: RegExp): number =>
  new Set(readings.flatMap(({ text }) => text.match(word) ?? [])).size

const long: readonly Task[] = [
  {
    asks: 'How many intents has the agent of demo? (More than an answer holds.)',
    golden: 230,
    async solve(agent) {
      const names = new Set<string>()
      let after: string | undefined
      do {
        const { json } = await agent.call('agentIntents', {
          project: 'demo',
          first: 1000,
          ...(after === undefined ? {} : { after }),
        })
        const { nodes, pageInfo } = json.data.agent.intents
        for (const { name } of nodes) names.add(name)
        after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined
      } while (after !== undefined)
      return names.size
    },
  },
  {
    asks: `How many of the newest 50 comment threads on ${video} are there, read 1,500 tokens at a time?`,
    golden: 50,
    maxTokens: 1_500,
    async solve(agent) {
      const maxTokens = 1_500
      const first = await agent.call('videoComments', { videoId: video, first: 50, maxTokens })
      return count(await whole(agent, first, maxTokens), /Ug[\w-]{20,}/g)
    },
  },
]

const comment = (text: string) => ({ videoId: video, text })

const changes: readonly Task[] = [
  {
    asks: `Comment "Well done." on ${video}, once the user has agreed.`,
    golden: 'Well done.',
    writes: 'commentThreads.insert',
    async solve(agent) {
      const asked = await agent.call('insertComment', comment('Well done.'))
      const { confirmation } = asked.json
      const { json } = await agent.call('insertComment', { ...comment('Well done.'), confirmation })
      return json.data.insertCommentThread.commentThread.topLevelComment.textOriginal
    },
  },
  {
    asks: `Comment "Lost?" on ${video}. (The answer of the service is lost on its way.)`,
    golden: [true, 'Lost?'],
    writes: 'commentThreads.insert',
    async solve(agent, { proxy }) {
      const asked = await agent.call('insertComment', comment('Lost?'))
      const confirmed = { ...comment('Lost?'), confirmation: asked.json.confirmation }
      proxy.become({ kind: 'deaf' })
      const lost = await agent.call('insertComment', confirmed)
      proxy.become({ kind: 'sound' })
      const isTold = lost.text.includes('UNKNOWN')
      const { json } = await agent.call('insertComment', confirmed)
      return [isTold, json.data.insertCommentThread.commentThread.topLevelComment.textOriginal]
    },
  },
]

export const hardTasks: readonly Task[] = [...authoring, ...refusals, ...long, ...changes]
