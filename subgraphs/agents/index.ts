/**
 * The agents subgraph: one conversational agent a project, its intents, and its sessions, over the
 * conversational agent service. This file is its whole surface.
 */
import { parse } from 'graphql'
import type { Subgraph } from '../../contract/subgraph.ts'
import {
  createServiceUpstream,
  createSubgraph,
  readSchemaFile,
  type ServiceOptions,
} from '../kit/subgraph.ts'
import { createContexts } from './context.ts'
import { readFailure } from './failure.ts'
import { createResolvers } from './resolvers.ts'

export { agentsCalls } from './operations.ts'
export type AgentsOptions = ServiceOptions

export function createAgentsSubgraph(options: AgentsOptions): Subgraph {
  const upstream = createServiceUpstream('agents', options, readFailure)
  return createSubgraph({
    name: 'agents',
    resolvers: createResolvers(parse(readSchemaFile('agents'))),
    createContext: createContexts(upstream, { share: options.share ?? true }),
    state: upstream.state,
    close: () => upstream.close(),
  })
}
