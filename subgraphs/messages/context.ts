/**
 * What one request holds of the messages subgraph: the client, and the loader of messages.
 *
 * All messages that are wanted in one tick (over all requests with the same credential, where sharing is
 * on) are looked up together, a hundred ids a call, with what the selections need of them and nothing else.
 * A request asks for nothing twice: what it wanted before serves every want that needs no more.
 */
import { type Batch, chunk, createBatch } from '../lib/loader.ts'
import type { SubgraphRequest } from '../lib/request.ts'
import type { Upstream } from '../lib/upstream.ts'
import { createMessagesClient, type MessagesAnswer, type MessagesClient, maxIds } from './client.ts'
import { isNotFoundProblem, problemError } from './failure.ts'
import type { MessageModel } from './model.ts'
import { covers, type Needs, union, type Vocabulary } from './needs.ts'

export interface Context {
  readonly request: SubgraphRequest
  readonly client: MessagesClient
  /** Null where there is no such message; fails where the caller may not see it. The id is well-formed. */
  readMessage(messageId: string, needs: Needs): Promise<MessageModel | null>
  /** Forgets what was read: something has been changed. */
  forget(): void
}

interface MessageWant {
  readonly id: string
  readonly needs: Needs
}

interface Read {
  readonly needs: Needs
  readonly message: Promise<MessageModel | null>
}

/** What an answer says about one id that was asked for. */
function messageFrom(id: string, { byId, answer }: MessagesAnswer): MessageModel | null | Error {
  const json = byId.get(id)
  if (json !== undefined) return { messageId: id, json, answer }
  const problem = answer.problemOf('message', id) ?? answer.general[0]
  return problem === undefined || isNotFoundProblem(problem) ? null : problemError(problem)
}

function createMessageBatch(client: MessagesClient, share: boolean): Batch<MessageWant, MessageModel | null> {
  return createBatch<MessageWant, MessageModel | null>({
    share,
    async fetch(wants, request) {
      const wanted = new Map<string, Needs>()
      for (const { id, needs } of wants) {
        const before = wanted.get(id)
        wanted.set(id, before === undefined ? needs : union(new Set([before, needs])))
      }
      const answers = new Map<string, MessagesAnswer | Error>()
      await Promise.all(
        chunk([...wanted], maxIds).map(async (part) => {
          const ids = part.map(([id]) => id)
          const answer = await client
            .lookup(ids, union(new Set(part.map(([, needs]) => needs))), request)
            .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
          for (const id of ids) answers.set(id, answer)
        }),
      )
      return wants.map(({ id }) => {
        const answer = answers.get(id)
        if (answer === undefined) return null
        return answer instanceof Error ? answer : messageFrom(id, answer)
      })
    },
  })
}

export function createContexts(
  upstream: Upstream,
  options: { readonly share: boolean; readonly vocabulary: Vocabulary },
): (request: SubgraphRequest) => Context {
  const client = createMessagesClient(upstream, options.vocabulary)
  const messages = createMessageBatch(client, options.share)

  return (request) => {
    const read = new Map<string, Read[]>()
    const load = messages.of(request, upstream.credentialKey(request))
    return {
      request,
      client,
      readMessage(messageId, needs) {
        const before = read.get(messageId) ?? []
        const known = before.find((earlier) => covers(earlier.needs, needs))
        if (known !== undefined) return known.message
        const message = load({ id: messageId, needs })
        read.set(messageId, [...before, { needs, message }])
        return message
      },
      forget: () => read.clear(),
    }
  }
}
