/** Random queries over our own schema, with arguments for which the sandbox has something to say. */
import { buildSchema } from 'graphql'
import { sampleAgents } from '../../sandbox/agents/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleChannels, sampleVideos } from '../../sandbox/videos/index.ts'
import { toGlobalId } from '../../shared/graphql/global-id.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import type { OwnQuery } from './own-operations.ts'
import { randomness, randomOperation } from './random-operation.ts'

const json = (value: unknown): string => JSON.stringify(value)

const videos = [sampleVideos.own[0], sampleVideos.own[1], sampleVideos.live, 'missing']
const globalIds = [
  toGlobalId('Video', sampleVideos.live),
  toGlobalId('Message', sampleMessages.ordinary),
  toGlobalId('Intent', sampleAgents.intents.welcome),
  'broken',
]
const languages = ['"it"', '"de"', 'null']
const sizes = ['320', '640', 'null']

/** Literals for arguments by `Type.field.argument`. */
function valuesAt(now: number): Readonly<Record<string, readonly string[]>> {
  const start = json(String(Math.floor(now / 1000) - 90))
  const end = json(String(Math.floor(now / 1000)))
  return {
    'Query.node.id': globalIds.map(json),
    'Query.nodes.ids': [json(globalIds), json(globalIds.slice(1))],
    'Query.video.videoId': videos.map(json),
    'Query.videos.videoIds': [json(videos), json(videos.slice(2)), json(videos.slice(0, 1))],
    ...Object.fromEntries(
      ['video', 'videos', 'chartVideos', 'ratedVideos'].flatMap((field) => [
        [`Query.${field}.hl`, languages],
        [`Query.${field}.maxWidth`, sizes],
        [`Query.${field}.maxHeight`, sizes],
      ]),
    ),
    'Query.channel.channelId': [json(sampleChannels.busy), json(sampleChannels.own)],
    'Query.message.messageId': [json(sampleMessages.ordinary), json(sampleMessages.unknown)],
    'Query.messages.messageIds': [json([sampleMessages.ordinary, sampleMessages.reply])],
    'Query.agent.project': ['"demo"'],
    'Agent.intents.languageCode': languages,
    'Query.intent.name': [json(sampleAgents.intents.welcome), json(sampleAgents.intents.order)],
    'Query.intent.languageCode': languages,
    'Metrics.query.query': ['"up"', '"up[2m]"'],
    'Metrics.query.time': [end],
    'Metrics.queryRange.query': ['"up"', '"up * 0.5"'],
    'Metrics.queryRange.start': [start],
    'Metrics.queryRange.end': [end],
    'Metrics.queryRange.step': ['"15s"', '"30s"'],
  }
}

/** Values that differ with each call, or with what is read at the same time. */
const passing = /\b(mediaQuota|timings|raw|etag)\b/

export function randomOwnOperations(count: number, seed: number, now: number): readonly OwnQuery[] {
  const schema = buildSchema(readSchemaFile('api'))
  const values = valuesAt(now)
  const random = randomness(seed)
  const found: OwnQuery[] = []
  while (found.length < count) {
    const own = { seed: Math.floor(random() * 2 ** 31), size: 5 + Math.floor(random() * 30) }
    const operation = randomOperation(schema, { ...own, values })
    if (operation !== undefined && !passing.test(operation.query)) found.push(operation)
  }
  return found
}
