/** Tasks that read with one or several prepared operations. */
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import type { Task } from './task.ts'

const [ownVideo = '', secondVideo = ''] = sampleVideos.own
const { own, popular, unliked, unknown, quote } = sampleMessages
const project = 'demo'

interface Thread {
  readonly topLevelComment: {
    readonly authorDisplayName: string
    readonly textOriginal: string
    readonly likeCount: number
  }
}

const videos: readonly Task[] = [
  {
    asks: 'What is the most popular video called?',
    golden: 'The first escapement',
    async solve(agent) {
      const { json } = await agent.call('chartVideos', { first: 1 })
      return json.data.chartVideos.nodes[0].snippet.title
    },
  },
  {
    asks: 'Which video is sixth, if you look at five at a time?',
    golden: 'The first second violin',
    async solve(agent) {
      const { json } = await agent.call('chartVideos', { first: 5 })
      const after = json.data.chartVideos.pageInfo.endCursor
      const next = await agent.call('chartVideos', { first: 5, after })
      return next.json.data.chartVideos.nodes[0].snippet.title
    },
  },
  {
    asks: 'Which of the ten most popular videos was published last?',
    golden: 'One hour with the soup',
    async solve(agent) {
      const { json } = await agent.call('chartVideos')
      const nodes = json.data.chartVideos.nodes as { snippet: { title: string; publishedAt: string } }[]
      return nodes.toSorted(
        (a, b) => Date.parse(b.snippet.publishedAt) - Date.parse(a.snippet.publishedAt),
      )[0]?.snippet.title
    },
  },
  {
    asks: `How long is the video ${secondVideo}?`,
    golden: 'PT5M57S',
    async solve(agent) {
      const { json } = await agent.call('videosById', { videoIds: [secondVideo] })
      return json.data.videos[0].contentDetails.duration
    },
  },
  {
    asks: `Which of ${ownVideo}, ${secondVideo} and aaaaaaaaaaa are there?`,
    golden: [ownVideo, secondVideo],
    async solve(agent) {
      const { json } = await agent.call('videosById', { videoIds: [ownVideo, secondVideo, 'aaaaaaaaaaa'] })
      return (json.data.videos as ({ videoId: string } | null)[]).flatMap((video) => video?.videoId ?? [])
    },
  },
  {
    asks: `Who wrote the newest comment on ${ownVideo}?`,
    golden: 'Ada',
    async solve(agent) {
      const { json } = await agent.call('videoComments', { videoId: ownVideo, first: 1 })
      return json.data.video.commentThreads.nodes[0].topLevelComment.authorDisplayName
    },
  },
  {
    asks: `What does the most liked of the newest twenty comments on ${ownVideo} say?`,
    golden: 'Lovely light in this one.',
    async solve(agent) {
      const { json } = await agent.call('videoComments', { videoId: ownVideo, first: 20 })
      const threads = json.data.video.commentThreads.nodes as Thread[]
      const [best] = threads.toSorted((a, b) => b.topLevelComment.likeCount - a.topLevelComment.likeCount)
      return best?.topLevelComment.textOriginal
    },
  },
  {
    asks: `How many comment threads on ${ownVideo} have the word "works"?`,
    golden: 17,
    async solve(agent) {
      const { json } = await agent.call('videoComments', { videoId: ownVideo, words: 'works', first: 100 })
      return json.data.video.commentThreads.nodes.length
    },
  },
  {
    asks: 'Who commented last on the second most popular video?',
    golden: 'Ada',
    async solve(agent) {
      const chart = await agent.call('chartVideos', { first: 2 })
      const videoId = chart.json.data.chartVideos.nodes[1].videoId
      const { json } = await agent.call('videoComments', { videoId, first: 1 })
      return json.data.video.commentThreads.nodes[0].topLevelComment.authorDisplayName
    },
  },
  {
    asks: `May one comment on ${sampleVideos.commentsDisabled}?`,
    golden: 'FORBIDDEN',
    async solve(agent) {
      const { json } = await agent.call('videoComments', { videoId: sampleVideos.commentsDisabled, first: 1 })
      return json.errors?.[0]?.code ?? 'yes'
    },
  },
]

const agents: readonly Task[] = [
  {
    asks: 'In which time zone is the agent of demo?',
    golden: 'Europe/Berlin',
    async solve(agent) {
      const { json } = await agent.call('agentIntents', { project, first: 1 })
      return json.data.agent.timeZone
    },
  },
  {
    asks: 'Which of the first twenty intents of demo are fallbacks?',
    golden: ['Default Fallback Intent', 'pizza fallback'],
    async solve(agent) {
      const { json } = await agent.call('agentIntents', { project })
      const nodes = json.data.agent.intents.nodes as { displayName: string; isFallback: boolean }[]
      return nodes.filter(({ isFallback }) => isFallback).map(({ displayName }) => displayName)
    },
  },
  {
    asks: 'What does the agent of demo answer to "hello"?',
    golden: 'Hello! What can I do for you?',
    async solve(agent) {
      const { json } = await agent.call('detectIntent', { project, session: 'hello', text: 'hello' })
      return json.data.detectIntent.queryResult.fulfillmentText
    },
  },
  {
    asks: 'Which intent of demo matches "I want a pizza"?',
    golden: 'pizza.order',
    async solve(agent) {
      const { json } = await agent.call('detectIntent', { project, session: 'pizza', text: 'I want a pizza' })
      return json.data.detectIntent.queryResult.intent?.displayName
    },
  },
  {
    asks: 'Which intent matches "bye" after a greeting, in one conversation?',
    golden: 'goodbye',
    async solve(agent) {
      await agent.call('detectIntent', { project, session: 'talk', text: 'hello' })
      const { json } = await agent.call('detectIntent', { project, session: 'talk', text: 'bye' })
      return json.data.detectIntent.queryResult.intent?.displayName
    },
  },
]

const messages: readonly Task[] = [
  {
    asks: 'What does message 20 say?',
    golden: 'just setting up my tiles',
    async solve(agent) {
      const { json } = await agent.call('messagesById', { messageIds: ['20'] })
      return json.data.messages[0].text
    },
  },
  {
    asks: `Who wrote ${own} and ${quote}?`,
    golden: ['tessera_demo', 'radia_trees'],
    async solve(agent) {
      const { json } = await agent.call('messagesById', { messageIds: [own, quote] })
      return (json.data.messages as { author: { username: string } }[]).map(({ author }) => author.username)
    },
  },
  {
    asks: `Which of ${own}, ${popular} and ${unliked} is liked most?`,
    golden: popular,
    async solve(agent) {
      const { json } = await agent.call('messagesById', { messageIds: [own, popular, unliked] })
      const found = json.data.messages as { messageId: string; publicMetrics: { likeCount: number } }[]
      return found.toSorted((a, b) => b.publicMetrics.likeCount - a.publicMetrics.likeCount)[0]?.messageId
    },
  },
  {
    asks: `Who likes ${own}?`,
    golden: ['first_account', 'ada_counts', 'grace_compiles'],
    async solve(agent) {
      const { json } = await agent.call('messageLikes', { messageId: own })
      const users = json.data.message.likingUsers.nodes as { username: string }[]
      return users.map(({ username }) => username)
    },
  },
  {
    asks: `Is there a message ${unknown}?`,
    golden: 'no',
    async solve(agent) {
      const { json } = await agent.call('messagesById', { messageIds: [unknown] })
      return json.data.messages[0] === null ? 'no' : 'yes'
    },
  },
]

const metrics: readonly Task[] = [
  {
    asks: 'Which targets of the job "retired" are down?',
    golden: ['retired-1:8080'],
    async solve(agent) {
      const { json } = await agent.call('metricsNow', { query: 'up{job="retired"} == 0' })
      const series = json.data.metrics.query.series as { metric: { instance: string } }[]
      return series.map(({ metric }) => metric.instance).sort()
    },
  },
  {
    asks: 'How many targets has each job?',
    golden: { api: 3, database: 1, metrics: 1, retired: 1, worker: 2 },
    async solve(agent) {
      const { json } = await agent.call('metricsNow', { query: 'count by (job) (up)' })
      const series = json.data.metrics.query.series as {
        metric: { job: string }
        sample: { value: string }
      }[]
      return Object.fromEntries(series.map(({ metric, sample }) => [metric.job, Number(sample.value)]))
    },
  },
  {
    asks: 'What is vector(2) * 4 at each quarter of the first hour of 2026?',
    golden: ['8', '8', '8', '8', '8'],
    async solve(agent) {
      const { json } = await agent.call('metricsOverTime', {
        query: 'vector(2) * 4',
        start: '2026-01-01T00:00:00Z',
        end: '2026-01-01T01:00:00Z',
        step: '15m',
      })
      const [series] = json.data.metrics.queryRange.series as { samples: { value: string }[] }[]
      return series?.samples.map(({ value }) => value)
    },
  },
  {
    asks: 'In which state is the alert Watchdog?',
    golden: 'FIRING',
    async solve(agent) {
      const { json } = await agent.call('metricsAlerts')
      const alerts = json.data.metrics.alerts as { name: string; state: string }[]
      return alerts.find(({ name }) => name === 'Watchdog')?.state
    },
  },
  {
    asks: 'Which rules of the group "recording" cannot be evaluated?',
    golden: ['broken:ratio'],
    async solve(agent) {
      const { json } = await agent.call('metricsRules', { ruleGroups: ['recording'] })
      const [group] = json.data.metrics.ruleGroupsConnection.nodes as {
        rules: { name: string; health: string }[]
      }[]
      return group?.rules.filter(({ health }) => health === 'ERR').map(({ name }) => name)
    },
  },
  {
    asks: 'What is the share of targets that are up? (The first try has a mistake.)',
    golden: '1',
    async solve(agent) {
      const first = await agent.call('metricsNow', { query: 'count(up == 1) / count(up' })
      if (first.json.errors === undefined) return 'no mistake was told'
      const { json } = await agent.call('metricsNow', { query: 'count(up == 1) / count(up) > bool 0.5' })
      return json.data.metrics.query.series[0].sample.value
    },
  },
]

export const readingTasks: readonly Task[] = [...videos, ...agents, ...messages, ...metrics]
