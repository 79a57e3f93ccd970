/**
 * The context of one request to the messages subgraph: the client, and the lookup of messages by id, which
 * requests only selected fields.
 */

import type { PartialErrors } from '../../shared/graphql/partial-errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { createLookUps, type LookUp, type Sharing } from '../kit/batching/index.ts'
import { malformed } from '../kit/json.ts'
import { memoized } from '../kit/memoized.ts'
import type { Pollers } from '../kit/polling/index.ts'
import type { Upstream } from '../kit/rest-client/index.ts'
import type { LikesPage, LookupResponse, MessagesClient, UserPage } from './client.ts'
import { isNotFoundProblem, problemError } from './failure.ts'
import type { MessageModel } from './model.ts'
import { operations } from './operations.ts'
import { covers, type RequestedFields, unite } from './requested-fields.ts'

export interface Context extends PartialErrors {
  readonly request: SubgraphRequest
  readonly client: MessagesClient
  readonly live: Pollers
  /** The most ids of one list. */
  readonly maxIds: number
  /** Lookups of messages by their ids. One that the caller may not see fails. */
  readonly messages: LookUp<RequestedFields, MessageModel>
  /** A page of the users who like a message, which is read once in a request. */
  likingUsers(messageId: string, page: LikesPage): Promise<UserPage>
  /** Forgets what was read, because something was changed. */
  forget(): void
}

/** The result of a response for one requested id. */
function messageFrom(
  id: string,
  { byId, hasMalformed, response }: LookupResponse,
): MessageModel | null | Error {
  const json = byId.get(id)
  if (json !== undefined) return { messageId: id, json, response }
  const problem = response.problemOf('message', id) ?? response.general[0]
  if (problem !== undefined) return isNotFoundProblem(problem) ? null : problemError(problem)
  return hasMalformed
    ? malformed('messages', 'The short-message service returned a malformed message.')
    : null
}

export function createContexts(
  upstream: Upstream,
  client: MessagesClient,
  options: {
    readonly share: boolean | Sharing
    readonly maxIds: number
    readonly live: Pollers
  },
): (request: SubgraphRequest) => Context {
  const messages = createLookUps<RequestedFields, LookupResponse, MessageModel>({
    share: options.share,
    maxIds: operations.lookup.maxIds,
    fetch: (ids, requested, request) => client.lookup(ids, requested, request),
    pick: messageFrom,
    unite,
    covers,
  })

  return (request) => {
    const ofMessages = messages(request, upstream.credentialKey(request))
    const likes = new Map<string, Promise<UserPage>>()
    return {
      partialErrors: [],
      request,
      client,
      maxIds: options.maxIds,
      live: options.live,
      messages: ofMessages,
      likingUsers: (messageId, page) =>
        memoized(likes, [messageId, page.token, page.size, [...page.requested].sort()], () =>
          client.likingUsers(messageId, page, request),
        ),
      forget() {
        likes.clear()
        ofMessages.forget()
      },
    }
  }
}
