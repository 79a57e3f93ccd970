/**
 * What one request holds of the messages subgraph: the client, and the look-up of messages by id, with what the
 * selections need of them and nothing else.
 */

import type { SubgraphRequest } from '../../contract/request.ts'
import { createLookUps } from '../kit/lookup/index.ts'
import type { Upstream } from '../kit/upstream/index.ts'
import { createMessagesClient, type MessagesAnswer, type MessagesClient } from './client.ts'
import { isNotFoundProblem, problemError } from './failure.ts'
import type { MessageModel } from './model.ts'
import { covers, type Needs, unite, type Vocabulary } from './needs.ts'
import { operations } from './operations.ts'

export interface Context {
  readonly request: SubgraphRequest
  readonly client: MessagesClient
  /** The most ids of one list. */
  readonly maxIds: number
  /**
   * Null where there is no such message, at once where it was read before; fails where the caller may not see it.
   * The id is well-formed.
   */
  readMessage(messageId: string, needs: Needs): Promise<MessageModel | null> | MessageModel | null
  /** Forgets what was read: something has been changed. */
  forget(): void
}

/** What an answer says about one id that was asked for. */
function messageFrom(id: string, { byId, answer }: MessagesAnswer): MessageModel | null | Error {
  const json = byId.get(id)
  if (json !== undefined) return { messageId: id, json, answer }
  const problem = answer.problemOf('message', id) ?? answer.general[0]
  return problem === undefined || isNotFoundProblem(problem) ? null : problemError(problem)
}

export function createContexts(
  upstream: Upstream,
  options: { readonly share: boolean; readonly vocabulary: Vocabulary; readonly maxIds: number },
): (request: SubgraphRequest) => Context {
  const client = createMessagesClient(upstream, options.vocabulary)
  const messages = createLookUps<Needs, MessagesAnswer, MessageModel>({
    share: options.share,
    maxIds: operations.lookup.maxIds,
    fetch: client.lookup,
    pick: messageFrom,
    unite,
    covers,
  })

  return (request) => {
    const { read, forget } = messages(request, upstream.credentialKey(request))
    return { request, client, maxIds: options.maxIds, readMessage: read, forget: () => forget() }
  }
}
