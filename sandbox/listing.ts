/**
 * Lists what the sandbox has: ids, names and expressions to try. The list is computed from the sample data, so
 * `tessera sandbox` and docs/sandbox.md cannot name what does not exist.
 */
import { sampleAgents } from './agents/index.ts'
import { sampleMessages } from './messages/index.ts'
import { sampleExpressions, sampleRuleFiles } from './metrics/index.ts'
import { sampleChannels, sampleVideos } from './videos/index.ts'

export interface ListedSample {
  readonly description: string
  readonly value: string
}

export interface ServiceListing {
  readonly service: string
  /** The path of the service's operations below the sandbox's address. */
  readonly path: string
  readonly samples: readonly ListedSample[]
}

/** `namespace` is the first path segment of the video service, as passed to `startSandbox`. */
export function listSamples({ namespace = 'media' }: { readonly namespace?: string } = {}): ServiceListing[] {
  const [firstOwn = '', secondOwn = ''] = sampleVideos.own
  const { intents } = sampleAgents
  return [
    {
      service: 'videos',
      path: `/${namespace}/v3`,
      samples: [
        { description: 'your channel', value: sampleChannels.own },
        {
          description: `two of your ${sampleVideos.own.length} videos, the first with 120 comment threads`,
          value: `${firstOwn} ${secondOwn}`,
        },
        { description: 'another video, live now', value: sampleVideos.live },
        { description: 'a video whose comments are disabled', value: sampleVideos.commentsDisabled },
        { description: 'a video with counters beyond 2^53', value: sampleVideos.huge },
        { description: 'a channel with 120 threads on 60 videos', value: sampleChannels.busy },
        { description: 'a channel whose pages of threads may be empty', value: sampleChannels.gappy },
      ],
    },
    {
      service: 'agents',
      path: '/v2beta1',
      samples: [
        {
          description: `the project with an agent of ${sampleAgents.intentCount} intents`,
          value: sampleAgents.project,
        },
        { description: 'a project without an agent', value: sampleAgents.emptyProject },
        { description: 'the environments', value: sampleAgents.environments.join(' ') },
        { description: 'an intent that asks for the parameters that are missing', value: intents.order },
        { description: 'an intent with a webhook', value: intents.weather },
        { description: 'a phrase that the agent understands', value: 'I want 2 pizzas with ham' },
      ],
    },
    {
      service: 'messages',
      path: '/2',
      samples: [
        { description: 'your user id', value: sampleMessages.demoUser },
        { description: 'a message of yours, with private metrics', value: sampleMessages.own },
        { description: 'a message with a hashtag, a mention and an address', value: sampleMessages.ordinary },
        {
          description: 'messages with a photo, a video and a poll',
          value: [sampleMessages.photo, sampleMessages.video, sampleMessages.poll].join(' '),
        },
        { description: 'a message that quotes another', value: sampleMessages.quote },
        { description: 'a message that 250 users like', value: sampleMessages.popular },
        { description: 'a message of a protected user', value: sampleMessages.protected },
        { description: 'an id without a message', value: sampleMessages.unknown },
      ],
    },
    {
      service: 'metrics',
      path: '/api/v1',
      samples: [
        { description: 'whether each target is up', value: sampleExpressions.vector },
        { description: 'requests a second by job', value: sampleExpressions.rate },
        { description: 'a classic histogram', value: sampleExpressions.classicHistogram },
        { description: 'a native histogram', value: sampleExpressions.nativeHistogram },
        { description: 'NaN, infinities and other special floats', value: sampleExpressions.specialFloats },
        {
          description: 'an expression that parses and is not implemented',
          value: sampleExpressions.unsupported,
        },
        { description: 'the rule files', value: sampleRuleFiles.join(' ') },
      ],
    },
  ]
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
