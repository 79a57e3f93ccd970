/** The subscriptions of the short-message service: their resolvers, and how the service is polled for them. */
import { tesseraError } from '../../shared/errors.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import { type Json, objectOf, objectsOf, textOf } from '../kit/json.ts'
import {
  ListPoller,
  type ListPollerPage,
  ObjectPoller,
  type Pace,
  rateLimitIntervalMs,
  readDistinctIds,
  subscriptionField,
} from '../kit/polling/index.ts'
import { type Selection, selectionOf } from '../kit/selection.ts'
import type { PolledJson } from './client.ts'
import type { Context } from './context.ts'
import { collectTexts, facetNames, facetsOf, type RawMessage } from './facets.ts'
import { isNotFoundProblem, type Problem, problemError, problemsFrom } from './failure.ts'
import { checkId, idForm, isServiceId, type LikeAddedModel, type MessageModel, userFrom } from './model.ts'
import { operations } from './operations.ts'
import { requestedOfMessage, requestedOfUser } from './requested-fields.ts'
import { emptyResponse, responseFrom } from './response.ts'
import type { SubscriptionResolvers } from './types.generated.ts'

const messagePace: Pace = { defaultMs: 15_000, leastMs: 1000, idleMs: 120_000 }
const likePace: Pace = { defaultMs: 30_000, leastMs: 1000, idleMs: 300_000 }

/** One list for all subscribers of an operation. */
const neededOf = memoByObject((selection: Selection): readonly string[] =>
  [...requestedOfMessage(selection)].sort(),
)

export const subscriptions: SubscriptionResolvers = {
  messageChanged: subscriptionField(
    (
      { messageIds }: { readonly messageIds: readonly string[] },
      { live, client, maxIds, request }: Context,
      info,
    ) => {
      const ids = readDistinctIds({
        argument: 'messageIds',
        ids: messageIds,
        maxIds,
        expected: idForm,
        isId: isServiceId,
      })
      return live.begin(
        'messages',
        (topicOptions) =>
          new ObjectPoller<readonly string[], RawMessage, MessageModel>(topicOptions, {
            field: 'messageChanged',
            pace: messagePace,
            maxIds: operations.lookup.maxIds,
            units: 0,
            async fetch(page, fields, _, poll) {
              const polled = await client.pollMessages(page, new Set(fields), poll)
              return {
                found: apart(page, polled),
                hasMalformed: polled.data.includes(undefined),
                headers: polled.headers,
              }
            },
            unite: (some, others) => [...new Set([...some, ...others])].sort(),
            covers: (fetched, wanted) => wanted.every((field) => fetched.includes(field)),
            facets: facetsOf,
            read: facetNames,
            valueOf: messageFrom,
          }),
        { ids, needs: neededOf(selectionOf(info)) },
        request,
      )
    },
  ),
  likeAdded: subscriptionField(
    (
      { messageId, after }: { readonly messageId: string; readonly after?: string | null },
      { live, client, request }: Context,
      info,
    ) => {
      const list = `likes ${checkId(messageId, 'messageId')}`
      const requested = requestedOfUser(selectionOf(info).below('user'))
      const { clock, share } = live.host
      return live.begin(
        // The requested user fields are part of the URL, and so of the key.
        `${list} ${[...requested].sort().join(',')}`,
        (topicOptions) =>
          new ListPoller<Json, LikeAddedModel>(topicOptions, {
            field: 'likeAdded',
            list,
            pace: likePace,
            units: 0,
            async fetch(token, _, poll) {
              const polled = await client.pollLikes(messageId, token, requested, poll)
              return { ...pageOf(polled), hintMs: rateLimitIntervalMs(polled.headers, share, clock.now()) }
            },
            idOf: ({ id }) => String(id),
            valueOf: (user, gap, position) => ({
              user: userFrom(String(user.id), user, emptyResponse),
              gap,
              after: position,
            }),
          }),
        after,
        request,
      )
    },
  ),
}

/** Divides a response by message: each id gets its message, and the included objects that the message names. */
function apart(ids: readonly string[], { json, data }: PolledJson): ReadonlyMap<string, RawMessage> {
  const messages = new Map(
    data.flatMap((message) => (message === undefined ? [] : [[String(message.id), message] as const])),
  )
  const errors = objectsOf(json.errors)
  const includes = objectOf(json.includes)
  const found = new Map<string, RawMessage>()
  for (const id of ids) {
    const message = messages.get(id) ?? null
    const named = new Set<unknown>([id])
    collectTexts(message, named)
    const about = errors.filter((error) => {
      const subject = error.resource_id ?? error.value
      return subject === undefined || named.has(subject)
    })
    if (message === null && problemsFrom(about).every(isNotFoundProblem)) continue
    const own = Object.entries(includes).map(([kind, list]) => {
      const objects = objectsOf(list).filter((object) =>
        [object.id, object.media_key, object.username].some((key) => key !== undefined && named.has(key)),
      )
      return [kind, objects] as const
    })
    found.set(id, { message, includes: Object.fromEntries(own), errors: about })
  }
  return found
}

function messageFrom(id: string, { message, includes, errors }: RawMessage): MessageModel | Error {
  const response = responseFrom(includes, problemsFrom(errors))
  if (message !== null) return { messageId: id, json: message, response }
  return refusalFrom(response.problemOf('message', id) ?? response.general[0])
}

/** The error that ends the subscription of a message. */
function refusalFrom(problem: Problem | undefined): Error {
  return problem === undefined || isNotFoundProblem(problem)
    ? tesseraError('NOT_FOUND', 'There is no such message.', { service: 'messages' })
    : problemError(problem)
}

function pageOf({ json, data }: PolledJson): ListPollerPage<Json> {
  if (data.length === 0) {
    const [problem] = problemsFrom(json.errors)
    if (problem !== undefined) throw refusalFrom(problem)
  }
  return { items: data, next: textOf(objectOf(json.meta).next_token) }
}
