/**
 * The agents subgraph: one conversational agent for each project, its intents and its sessions. This file is its
 * whole surface.
 */
import type { Subgraph } from '../../shared/subgraph.ts'
import { createPollers } from '../kit/polling/index.ts'
import { describeService } from '../kit/service.ts'
import {
  createServiceUpstream,
  createSubgraph,
  ofService,
  parseSchemaFile,
  type ServiceOptions,
} from '../kit/subgraph.ts'
import { AgentsClient } from './client.ts'
import { createContexts } from './context.ts'
import { createFailureReader } from './failure.ts'
import { agentsCalls } from './operations.ts'
import { createResolvers } from './resolvers.ts'

export const agents = describeService({
  name: 'agents',
  title: 'the agent service',
  port: 4002,
  settings: {},
  calls: agentsCalls,
  nodeKeys: {
    Agent: /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/,
    Intent: /^projects\/[^/\p{Cc}]+\/agent\/intents\/[^/\p{Cc}]+$/u,
  },
  probe: { what: 'an agent', operation: '{ agent(project: "tessera-check") { displayName } }' },
  create: createAgentsSubgraph,
})

export function createAgentsSubgraph(options: ServiceOptions): Subgraph {
  const upstream = createServiceUpstream('agents', options, createFailureReader())
  const client = new AgentsClient(upstream)
  const live = createPollers(upstream, options.live)
  return createSubgraph({
    name: 'agents',
    resolvers: () => createResolvers(parseSchemaFile('agents')),
    createContext: createContexts(upstream, client, {
      share: options.share ?? true,
      live,
    }),
    ...ofService(upstream, live),
  })
}
