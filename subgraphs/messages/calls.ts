/** What the fields of the messages subgraph cost in calls. */
import { distinct, type LookupCalls, type ServiceCalls } from '../lib/calls.ts'
import { maxIds, maxUsers } from './client.ts'

const ids: ReadonlySet<string> = new Set(['id', 'messageId', 'likingUsers', '__typename'])
const lookup: LookupCalls = { kind: 'lookup', operation: 'messages.lookup', batch: maxIds }
const reached: LookupCalls = { ...lookup, free: ids }

export const messagesCalls: ServiceCalls = {
  service: 'messages',
  prices: {},
  fields: {
    'Query.message': lookup,
    'Query.messages': { ...lookup, keys: ({ messageIds }) => distinct(messageIds) },
    'Message.likingUsers': {
      kind: 'list',
      operation: 'messages.likingUsers',
      maxPageSize: maxUsers,
      defaultPageSize: maxUsers,
    },
    'ReferencedMessage.message': reached,
    'MessageUser.pinnedMessage': reached,
    'LikeMessagePayload.message': reached,
    'Mutation.likeMessage': { kind: 'plain', calls: () => ['messages.like'] },
  },
  entities: { Message: reached },
  apart: {},
}
