/**
 * Maps the graph to the service: root fields, references, and fields that cost a call or need what a response
 * includes. Every other field is read from the service's JSON through the SDL (readers.ts).
 */
import type { DocumentNode, GraphQLResolveInfo } from 'graphql'
import { keyOfReference, toGlobalId } from '../../shared/graphql/global-id.ts'
import { acceptsStreamedLists } from '../../shared/graphql/streamed-list.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'
import { readIdList } from '../kit/id-list.ts'
import { isObject, textOf, textsOf } from '../kit/json.ts'
import { connect, type Page } from '../kit/pagination/index.ts'
import { withReaders } from '../kit/readers.ts'
import { dateTime, unsignedInt } from '../kit/scalars.ts'
import { nodesOf, type Selection, selectionOf } from '../kit/selection.ts'
import type { Context } from './context.ts'
import { isNotFoundProblem, problemError } from './failure.ts'
import { subscriptions } from './live.ts'
import {
  checkId,
  idForm,
  isServiceId,
  type LikedModel,
  type MessageModel,
  type UserModel,
  unreadMessage,
  unreadUser,
  userFrom,
} from './model.ts'
import { messageIds, operations } from './operations.ts'
import { jsonReaders, type ResponseObject, spellingsOf } from './readers.ts'
import { isUserIdsOnly, requestedOfMessage, requestedOfUser } from './requested-fields.ts'
import type { ServiceResponse } from './response.ts'
import type { MutationLikeMessageArgs, Resolvers } from './types.generated.ts'

/**
 * A message of which only ids are selected costs no lookup, and is never null. Any other is null if it does not
 * exist.
 */
function messageOf(id: string, selection: Selection, context: Context): Awaitable<MessageModel | null> {
  if (!selection.hasBeside(messageIds)) return unreadMessage(id)
  return context.messages.read(id, requestedOfMessage(selection))
}

/** A user whom the response includes. Null if the account is gone. Fails if the caller may not see it. */
function userOf(userId: unknown, response: ServiceResponse, selection: Selection): UserModel | null {
  const id = textOf(userId)
  if (id === undefined) return null
  if (isUserIdsOnly(selection)) return unreadUser(id)
  const json = response.included('users', id)
  if (json !== undefined) return userFrom(id, json, response)
  const problem = response.problemOf('user', id)
  if (problem === undefined || isNotFoundProblem(problem)) return null
  throw problemError(problem)
}

function includedParts(
  { json, response }: ResponseObject,
  kind: 'media' | 'polls',
  key: string,
): ResponseObject[] {
  return textsOf(json[key]).flatMap((id) => {
    const object = response.included(kind, id)
    return object === undefined ? [] : [{ json: object, response }]
  })
}

/** Whether the service says that the message does not exist, or why it cannot be shown. */
function refusalOf(messageId: string, response: ServiceResponse): 'gone' | Error | undefined {
  const problem = response.problemOf('message', messageId) ?? response.general[0]
  if (problem === undefined) return undefined
  return isNotFoundProblem(problem) ? 'gone' : problemError(problem)
}

class Gone extends Error {}

const likePayload = {
  liked: ({ liked }: LikedModel) => liked,
  message: ({ messageId }: LikedModel, _: object, context: Context, info: GraphQLResolveInfo) =>
    messageOf(messageId, selectionOf(info), context),
}

const queryResolvers: NonNullable<Resolvers['Query']> = {
  message: (_, { messageId }, context, info) =>
    context.messages.read(checkId(messageId, 'messageId'), requestedOfMessage(selectionOf(info))),
  messages(_, args, context, info) {
    const requested = requestedOfMessage(selectionOf(info))
    // The generated type allows no errors in a list.
    return readIdList({
      argument: 'messageIds',
      ids: args.messageIds,
      maxIds: context.maxIds,
      expected: idForm,
      isId: isServiceId,
      readAll: (ids) => context.messages.readAll(ids, requested),
    }) as Awaitable<MessageModel[]>
  },
}

const changeLike =
  (change: 'like' | 'unlike') =>
  async (_: object, { input }: MutationLikeMessageArgs, context: Context): Promise<LikedModel> => {
    const userId = checkId(input.userId, 'input.userId')
    const messageId = checkId(input.messageId, 'input.messageId')
    const liked = await context.client.changeLike(change, userId, messageId, context.request)
    context.forget()
    return { liked, messageId }
  }

const mutationResolvers: NonNullable<Resolvers['Mutation']> = {
  likeMessage: changeLike('like'),
  unlikeMessage: changeLike('unlike'),
}

const messageResolvers: NonNullable<Resolvers['Message']> = {
  async __resolveReference(reference, context, info) {
    const key = keyOfReference(reference, 'Message', 'messageId', isServiceId)
    return messageOf(key, selectionOf(info, 'Message'), context)
  },
  id: ({ messageId }) => toGlobalId('Message', messageId),
  messageId: ({ messageId }) => messageId,
  author: ({ json, response }, _, __, info) => userOf(json.author_id, response, selectionOf(info)),
  inReplyToUser: ({ json, response }, _, __, info) =>
    userOf(json.in_reply_to_user_id, response, selectionOf(info)),
  displayTextRange: ({ json }) =>
    Array.isArray(json.display_text_range) ? (json.display_text_range as number[]) : null,
  followersOnly: ({ json }) =>
    isObject(json.scopes) && typeof json.scopes.followers === 'boolean' ? json.scopes.followers : null,
  async likingUsers({ messageId }, args, context, info) {
    const requested = new Set(nodesOf(selectionOf(info)).flatMap((node) => [...requestedOfUser(node)]))
    const seen = new Set<string>()
    const fetch = async (token: string | undefined, size: number): Promise<Page<UserModel>> => {
      const page = await context.likingUsers(messageId, { size, token, requested })
      const refusal =
        page.users.length + page.malformedCount === 0 ? refusalOf(messageId, page.response) : undefined
      if (refusal === 'gone') {
        // Items of the first page may have been sent already.
        if (token !== undefined && acceptsStreamedLists(info)) return { items: [] }
        throw new Gone()
      }
      if (refusal !== undefined) throw refusal
      const users = page.users.map((json) => userFrom(String(json.id), json, page.response))
      const fresh = users.filter((user) => !seen.has(user.userId))
      for (const user of fresh) seen.add(user.userId)
      // Hidden accounts are left out, so a page in the middle of the list may be empty. The service returns new
      // tokens endlessly, so a page that has only known users ends the list.
      const repeats = users.length > 0 && fresh.length === 0 && page.next !== token
      return {
        items: fresh.length === 0 ? [] : users,
        malformedCount: page.malformedCount,
        next: repeats ? undefined : page.next,
        previous: page.previous,
      }
    }
    try {
      const source = {
        list: `messages/${messageId}/likingUsers`,
        pages: operations.likingUsers.pages,
        service: 'messages',
        keyOf: ({ userId }: UserModel) => userId,
        tokens: context.client.tokens,
        endsAfterEmptyPages: true,
        fetch,
      }
      return await connect(args, source, info, context)
    } catch (error) {
      if (error instanceof Gone) return null
      throw error
    }
  },
}

const referencedMessageResolvers: NonNullable<Resolvers['ReferencedMessage']> = {
  message({ json }, _, context, info) {
    const id = textOf(json.id)
    return id === undefined || !isServiceId(id) ? null : messageOf(id, selectionOf(info), context)
  },
}

const messageMediaResolvers: NonNullable<Resolvers['MessageMedia']> = {
  viewCount({ json }) {
    const metrics = json.public_metrics
    return isObject(metrics) ? ((metrics.view_count ?? null) as number | null) : null
  },
}

const messageGeoResolvers: NonNullable<Resolvers['MessageGeo']> = {
  place({ json, response }) {
    const id = textOf(json.place_id)
    const place = id === undefined ? undefined : response.included('places', id)
    return place === undefined ? null : { json: place, response }
  },
}

const messageUserResolvers: NonNullable<Resolvers['MessageUser']> = {
  id: ({ userId }) => toGlobalId('MessageUser', userId),
  userId: ({ userId }) => userId,
  subscribesToYou({ json }) {
    const { subscription } = json
    return isObject(subscription) && typeof subscription.subscribes_to_you === 'boolean'
      ? subscription.subscribes_to_you
      : null
  },
  pinnedMessage({ json }, _, context, info) {
    const id = textOf(json.pinned_tweet_id) ?? textOf(json.pinned_post_id)
    return id === undefined || !isServiceId(id) ? null : messageOf(id, selectionOf(info), context)
  },
}

export function createResolvers(document: DocumentNode): Resolvers {
  const explicit: Resolvers = {
    DateTime: dateTime,
    UnsignedInt: unsignedInt,
    Query: queryResolvers,
    Mutation: mutationResolvers,
    Subscription: subscriptions,
    Message: messageResolvers,
    ReferencedMessage: referencedMessageResolvers,
    MessageAttachments: {
      media: (part) => includedParts(part, 'media', 'media_keys'),
      polls: (part) => includedParts(part, 'polls', 'poll_ids'),
    },
    MessageMedia: messageMediaResolvers,
    MessageGeo: messageGeoResolvers,
    MentionEntity: {
      // The service promises only the name of a user who is mentioned.
      user({ json, response }, _, __, info) {
        const id = json.id ?? response.included('users', textOf(json.username) ?? '', 'username')?.id
        return userOf(id, response, selectionOf(info))
      },
    },
    MessageUser: messageUserResolvers,
    LikeMessagePayload: likePayload,
    UnlikeMessagePayload: likePayload,
  }
  return withReaders(explicit, jsonReaders(document), ownTypes, (type, field, read) =>
    type === 'Message' ? guarded(field, read) : read,
  )
}

/** Types whose resolvers return our own plain objects instead of parts of a response. */
const ownTypes: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'PageInfo',
  'MessageUserConnection',
  'MessageUserEdge',
  'LikeMessagePayload',
  'UnlikeMessagePayload',
  'MessageLikeAdded',
])

/** If a message's field is missing because the caller may not see it, that field fails alone. */
function guarded(field: string, read: (part: ResponseObject) => unknown): (message: MessageModel) => unknown {
  const spellings = spellingsOf('Message', field)
  return (message) => {
    const value = read(message)
    if (value !== null) return value
    const problem = message.response.problemOfField(message.messageId, spellings)
    if (problem !== undefined) throw problemError(problem)
    return value
  }
}
