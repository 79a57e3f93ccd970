/**
 * The operations of the short-message service, and which of them each field needs. The client sends them,
 * connections and lookups keep their bounds, and the gateway estimates operations from them.
 */
import type { ServiceCalls, ServiceOperation } from '../../shared/service-calls.ts'
import { listCalls, lookupCalls, plainCalls } from '../kit/calls.ts'

export const operations = {
  /** With more than `maxIds` ids the service refuses the whole call. */
  lookup: {
    name: 'messages.lookup',
    method: 'GET',
    path: '/2/tweets',
    safe: true,
    cacheable: true,
    maxIds: 100,
  },
  likingUsers: {
    name: 'messages.likingUsers',
    method: 'GET',
    path: '/2/tweets/{message}/liking_users',
    safe: true,
    cacheable: true,
    pages: { maxPageSize: 100, defaultPageSize: 100 },
  },
  /** Liking and unliking share one limit. */
  like: {
    name: 'messages.like',
    method: 'POST',
    path: '/2/users/{user}/likes',
    safe: false,
    bucket: 'messages.likes',
  },
  unlike: {
    name: 'messages.unlike',
    method: 'DELETE',
    path: '/2/users/{user}/likes/{message}',
    safe: false,
    bucket: 'messages.likes',
  },
} as const satisfies Readonly<Record<string, ServiceOperation>>

/** Fields of a message that need only its id. */
export const messageIds: ReadonlySet<string> = new Set(['id', 'messageId', 'likingUsers'])

const reached = lookupCalls(operations.lookup, { free: messageIds })

export const messagesCalls: ServiceCalls = {
  service: 'messages',
  fields: {
    'Query.message': lookupCalls(operations.lookup),
    'Query.messages': lookupCalls(operations.lookup, { keys: 'messageIds' }),
    'Message.likingUsers': listCalls(operations.likingUsers),
    'ReferencedMessage.message': reached,
    'MessageUser.pinnedMessage': reached,
    'LikeMessagePayload.message': reached,
    'UnlikeMessagePayload.message': reached,
    'Mutation.likeMessage': plainCalls(operations.like),
    'Mutation.unlikeMessage': plainCalls(operations.unlike),
  },
  polls: {
    messageChanged: { calls: lookupCalls(operations.lookup, { keys: 'messageIds' }), everySeconds: 15 },
    likeAdded: { calls: plainCalls(operations.likingUsers), everySeconds: 30 },
  },
  entities: { Message: reached },
}
