/**
 * Lists what the sandbox has: ids, names and expressions to try. The list is computed from the sample data, so
 * `tessera sandbox` and docs/sandbox.md cannot name what does not exist.
 */
import { sampleAgents } from './agents/index.ts'
import { sampleMessages } from './messages/index.ts'
import { sampleExpressions, sampleRuleFiles } from './metrics/index.ts'
import { sampleChannels, sampleVideos } from './videos/index.ts'

/** An id, a name or an expression of the sample data. */
export interface ListedSample {
  readonly description: string
  readonly value: string
}

/** The sample data of one service. */
export interface ServiceListing {
  readonly service: string
  /** The path of the service's operations below the sandbox's address. */
  readonly path: string
  readonly samples: readonly ListedSample[]
}

/** `namespace` is the first path segment of the video service, as passed to `startSandbox`. */
export function listSamples({ namespace = 'media' }: { readonly namespace?: string } = {}): ServiceListing[] {
  const [firstOwn, secondOwn] = sampleVideos.own
  const { intents } = sampleAgents
  return [
    listing('videos', `/${namespace}/v3`, [
      ['your channel', sampleChannels.own],
      [
        `two of your ${sampleVideos.own.length} videos, the first with 120 comment threads`,
        `${firstOwn} ${secondOwn}`,
      ],
      ['another video, live now', sampleVideos.live],
      ['a video whose comments are disabled', sampleVideos.commentsDisabled],
      ['a video with counters beyond 2^53', sampleVideos.huge],
      ['a channel with 120 threads on 60 videos', sampleChannels.busy],
      ['a channel whose pages of threads may be empty', sampleChannels.gappy],
    ]),
    listing('agents', '/v2beta1', [
      [`the project with an agent of ${sampleAgents.intentCount} intents`, sampleAgents.project],
      ['a project without an agent', sampleAgents.emptyProject],
      ['the environments', sampleAgents.environments.join(' ')],
      ['an intent that asks for the parameters that are missing', intents.order],
      ['an intent with a webhook', intents.weather],
      ['a phrase that the agent understands', 'I want 2 pizzas with ham'],
    ]),
    listing('messages', '/2', [
      ['your user id', sampleMessages.demoUser],
      ['a message of yours, with private metrics', sampleMessages.own],
      ['a message with a hashtag, a mention and an address', sampleMessages.ordinary],
      [
        'messages with a photo, a video and a poll',
        [sampleMessages.photo, sampleMessages.video, sampleMessages.poll].join(' '),
      ],
      ['a message that quotes another', sampleMessages.quote],
      ['a message that 250 users like', sampleMessages.popular],
      ['a message of a protected user', sampleMessages.protected],
      ['an id without a message', sampleMessages.unknown],
    ]),
    listing('metrics', '/api/v1', [
      ['whether each target is up', sampleExpressions.vector],
      ['requests a second by job', sampleExpressions.rate],
      ['a classic histogram', sampleExpressions.classicHistogram],
      ['a native histogram', sampleExpressions.nativeHistogram],
      ['NaN, infinities and other special floats', sampleExpressions.specialFloats],
      ['an expression that parses and is not implemented', sampleExpressions.unsupported],
      ['the rule files', sampleRuleFiles.join(' ')],
    ]),
  ]
}

function listing(
  service: string,
  path: string,
  samples: readonly (readonly [description: string, value: string])[],
): ServiceListing {
  return { service, path, samples: samples.map(([description, value]) => ({ description, value })) }
}

/** The listing as text for a terminal, with the full address of each service. */
export function printSamples(url: string, listing: readonly ServiceListing[]): string {
  const width = Math.max(
    ...listing.flatMap(({ samples }) => samples.map(({ description }) => description.length)),
  )
  return listing
    .flatMap(({ service, path, samples }) => [
      `${service} at ${url}${path}`,
      ...samples.map(({ description, value }) => `  ${description.padEnd(width)}  ${value}`),
      '',
    ])
    .join('\n')
}
