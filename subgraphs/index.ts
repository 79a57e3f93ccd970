/**
 * The roll of services: all that the gateway sees of them. Adding a service is one folder, one SDL, one
 * stand-in, and one line here and in codegen.ts.
 */
import { createAgentsSubgraph } from './agents/index.ts'
import type { ServiceOptions, Subgraph } from './lib/subgraph.ts'
import { createMessagesSubgraph } from './messages/index.ts'
import { createMetricsSubgraph } from './metrics/index.ts'
import { createNodesSubgraph } from './nodes/index.ts'
import { createVideosSubgraph, type UploadOptions } from './videos/index.ts'

/** Services that are reached over REST; the names are those of the subgraphs. */
export const serviceNames = ['videos', 'agents', 'messages', 'metrics'] as const
export type ServiceName = (typeof serviceNames)[number]

/** Every subgraph, in the order of their default ports (4001 …). */
export const subgraphNames = [...serviceNames, 'nodes'] as const
export type SubgraphName = (typeof subgraphNames)[number]

export interface SubgraphsOptions {
  readonly services: Readonly<Record<ServiceName, ServiceOptions>>
  /** The path segment that stands in for the media service's own name. */
  readonly videosNamespace?: string | undefined
  readonly uploads: UploadOptions
  /** Which of the message service's vocabularies is sent. */
  readonly messagesVocabulary?: 'tweet' | 'post' | undefined
}

export function createSubgraphByName(name: SubgraphName, options: SubgraphsOptions): Subgraph {
  const { services, videosNamespace: namespace, uploads, messagesVocabulary: vocabulary } = options
  switch (name) {
    case 'videos':
      return createVideosSubgraph({ ...services.videos, namespace, uploads })
    case 'agents':
      return createAgentsSubgraph(services.agents)
    case 'messages':
      return createMessagesSubgraph({ ...services.messages, vocabulary })
    case 'metrics':
      return createMetricsSubgraph(services.metrics)
    case 'nodes':
      return createNodesSubgraph()
  }
}

/** Where a subgraph listens when it is served by itself and nothing else is said. */
export function defaultSubgraphPort(name: SubgraphName): number {
  return 4001 + subgraphNames.indexOf(name)
}
