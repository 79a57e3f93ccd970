/**
 * The messages subgraph: short messages, the users who like them, and likes, over the short-message
 * service. This file is its whole surface.
 */
import { parse } from 'graphql'
import { createSubgraph, readSchemaFile, type ServiceOptions, type Subgraph } from '../lib/subgraph.ts'
import { createUpstream } from '../lib/upstream.ts'
import { createContexts } from './context.ts'
import { createFailureReader } from './failure.ts'
import type { Vocabulary } from './needs.ts'
import { createResolvers } from './resolvers.ts'

export { messagesCalls } from './calls.ts'
export interface MessagesOptions extends ServiceOptions {
  /** Which of the service's two vocabularies is sent; answers are understood in both. `tweet` unless said. */
  readonly vocabulary?: Vocabulary | undefined
  /** The clock, in milliseconds; limits end at absolute times. */
  readonly now?: (() => number) | undefined
}

export function createMessagesSubgraph(options: MessagesOptions): Subgraph {
  const upstream = createUpstream({
    service: 'messages',
    baseUrl: options.baseUrl,
    credential: options.credential,
    failure: createFailureReader(options.now ?? Date.now),
    tuning: options.tuning,
    observe: options.observe,
    traceHeaders: options.traceHeaders,
  })
  return createSubgraph({
    name: 'messages',
    resolvers: createResolvers(parse(readSchemaFile('messages'))),
    createContext: createContexts(upstream, {
      share: options.share ?? true,
      vocabulary: options.vocabulary ?? 'tweet',
    }),
    state: upstream.state,
    close: () => upstream.close(),
  })
}
