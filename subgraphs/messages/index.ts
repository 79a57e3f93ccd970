/** The messages subgraph: short messages, likes, and the users who like. This file is its whole surface. */
import type { Subgraph } from '../../shared/subgraph.ts'
import { defaultMaxIds } from '../kit/id-list.ts'
import { createPollers } from '../kit/polling/index.ts'
import { describeService, oneOf } from '../kit/service.ts'
import {
  createServiceUpstream,
  createSubgraph,
  ofService,
  parseSchemaFile,
  type ServiceOptions,
} from '../kit/subgraph.ts'
import { MessagesClient } from './client.ts'
import { createContexts } from './context.ts'
import { createFailureReader } from './failure.ts'
import { messagesCalls } from './operations.ts'
import type { Vocabulary } from './requested-fields.ts'
import { createResolvers } from './resolvers.ts'

export interface MessagesOptions extends ServiceOptions {
  /** Which of the service's two vocabularies is sent. Responses are understood in both. The default is `tweet`. */
  readonly vocabulary?: Vocabulary | undefined
  /** The clock in milliseconds, because limits end at absolute times. */
  readonly now?: (() => number) | undefined
}

export const messages = describeService({
  name: 'messages',
  title: 'the message service',
  port: 4003,
  settings: {
    vocabulary: oneOf(['tweet', 'post'], {
      default: 'tweet',
      description: "Which of the message service's two vocabularies is sent.",
    }),
  },
  calls: messagesCalls,
  nodeKeys: { Message: /^[1-9][0-9]{0,18}$/ },
  probe: { what: 'a message', operation: '{ message(messageId: "20") { messageId text } }' },
  create: (options, { vocabulary }) => createMessagesSubgraph({ ...options, vocabulary }),
})

export function createMessagesSubgraph(options: MessagesOptions): Subgraph {
  const readFailure = createFailureReader(options.now ?? Date.now)
  const upstream = createServiceUpstream('messages', options, readFailure)
  const client = new MessagesClient(upstream, options.vocabulary ?? 'tweet')
  const live = createPollers(upstream, options.live)
  return createSubgraph({
    name: 'messages',
    resolvers: () => createResolvers(parseSchemaFile('messages')),
    createContext: createContexts(upstream, client, {
      share: options.share ?? true,
      maxIds: options.maxIds ?? defaultMaxIds,
      live,
    }),
    ...ofService(upstream, live),
  })
}
