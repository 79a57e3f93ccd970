/**
 * The agents subgraph: one conversational agent a project, its intents, and its sessions, over the
 * conversational agent service. This file is its whole surface.
 */
import { parse } from 'graphql'
import { createSubgraph, readSchemaFile, type ServiceOptions, type Subgraph } from '../lib/subgraph.ts'
import { createUpstream } from '../lib/upstream.ts'
import { createContexts } from './context.ts'
import { readFailure } from './failure.ts'
import { createResolvers } from './resolvers.ts'

export { agentsCalls } from './calls.ts'
export type AgentsOptions = ServiceOptions

export function createAgentsSubgraph(options: AgentsOptions): Subgraph {
  const upstream = createUpstream({
    service: 'agents',
    baseUrl: options.baseUrl,
    credential: options.credential,
    failure: readFailure,
    tuning: options.tuning,
    observe: options.observe,
    traceHeaders: options.traceHeaders,
  })
  return createSubgraph({
    name: 'agents',
    resolvers: createResolvers(parse(readSchemaFile('agents'))),
    createContext: createContexts(upstream, { share: options.share ?? true }),
    state: upstream.state,
    close: () => upstream.close(),
  })
}
