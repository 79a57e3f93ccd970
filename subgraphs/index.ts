/**
 * The roll of services: all that the gateway sees of them. Adding a service is one folder, one SDL, one
 * stand-in, and one line here and in codegen.ts.
 */

import type { ServiceCalls } from '../contract/service-calls.ts'
import type { Subgraph } from '../contract/subgraph.ts'
import { agentsCalls, createAgentsSubgraph } from './agents/index.ts'
import type { ServiceOptions } from './kit/subgraph.ts'
import { createMessagesSubgraph, messagesCalls } from './messages/index.ts'
import { createMetricsSubgraph, metricsCalls } from './metrics/index.ts'
import { createNodesSubgraph } from './nodes/index.ts'
import { createVideosSubgraph, type QuotaReader, type UploadOptions, videosCalls } from './videos/index.ts'

/** Services that are reached over REST; the names are those of the subgraphs. */
export const serviceNames = ['videos', 'agents', 'messages', 'metrics'] as const
export type ServiceName = (typeof serviceNames)[number]

/** Every subgraph, in the order of their default ports (4001 …). */
export const subgraphNames = [...serviceNames, 'nodes'] as const
export type SubgraphName = (typeof subgraphNames)[number]

/** What the fields of each service cost in calls. */
export const serviceCalls: readonly ServiceCalls[] = [videosCalls, agentsCalls, messagesCalls, metricsCalls]

/** The service that sells units. */
export const meteredService: ServiceName = 'videos'

export interface SubgraphsOptions {
  readonly services: Readonly<Record<ServiceName, ServiceOptions>>
  /** The most ids of one list, for the subgraph that has no service. */
  readonly maxIds?: number | undefined
  /** The path segment that stands in for the media service's own name. */
  readonly videosNamespace?: string | undefined
  readonly uploads: UploadOptions
  /** Answers `mediaQuota`. */
  readonly quota?: QuotaReader | undefined
  /** Prices that differ from the published ones, by operation. */
  readonly prices?: Readonly<Record<string, number>> | undefined
  /** Which of the message service's vocabularies is sent. */
  readonly messagesVocabulary?: 'tweet' | 'post' | undefined
}

export function createSubgraphByName(name: SubgraphName, options: SubgraphsOptions): Subgraph {
  const {
    services,
    videosNamespace: namespace,
    uploads,
    quota,
    prices,
    messagesVocabulary: vocabulary,
  } = options
  switch (name) {
    case 'videos':
      return createVideosSubgraph({ ...services.videos, namespace, uploads, quota, prices })
    case 'agents':
      return createAgentsSubgraph(services.agents)
    case 'messages':
      return createMessagesSubgraph({ ...services.messages, vocabulary })
    case 'metrics':
      return createMetricsSubgraph(services.metrics)
    case 'nodes':
      return createNodesSubgraph({ maxIds: options.maxIds })
  }
}

/** Where a subgraph listens when it is served by itself and nothing else is said. */
export function defaultSubgraphPort(name: SubgraphName): number {
  return 4001 + subgraphNames.indexOf(name)
}
