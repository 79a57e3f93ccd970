/**
 * Maps the graph to the service: root fields, references, and fields that cost a call. Fields that have the same
 * name in the service's JSON need no resolver, because the JSON is the model.
 */

import type { GraphQLResolveInfo } from 'graphql'
import { badInput, tesseraError } from '../../shared/errors.ts'
import { keyOfReference, toGlobalId } from '../../shared/graphql/global-id.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { readIdList } from '../kit/id-list.ts'
import { isObject, type Json, malformed, textOf } from '../kit/json.ts'
import { type ConnectionArgs, connect, headEdge } from '../kit/pagination/index.ts'
import { isoDateTime, uint64, unsignedInt } from '../kit/scalars.ts'
import { nodesOf, type Selection, selectionOf } from '../kit/selection.ts'
import { writeOnce } from '../kit/write-once.ts'
import { wrongArgument } from '../kit/wrong-argument.ts'
import type { ThreadFilter, VideoFilter } from './client.ts'
import type { Context } from './context.ts'
import { findThread } from './earlier-attempt.ts'
import { checkId, checkThreadId, idForm, threadListName, viewFrom } from './ids.ts'
import { subscriptions } from './live.ts'
import {
  type ChannelModel,
  type CommentModel,
  channelFrom,
  entriesOf,
  isResource,
  isServiceId,
  repliesOf,
  snippetOf,
  type ThreadConnectionModel,
  type ThreadModel,
  type VideoConnectionModel,
  type VideoModel,
} from './model.ts'
import { operations } from './operations.ts'
import { type Needed, neededBy, type OwnerPart, partsOf } from './parts.ts'
import type {
  CommentModerationStatus,
  CommentOrder,
  Resolvers,
  VideoChart,
  VideoRating,
} from './types.generated.ts'
import { changeFrom, newUploadFrom, partsToRead, patchOf, replacementOf } from './update.ts'

const moderation: Readonly<Record<CommentModerationStatus, string>> = {
  HELD_FOR_REVIEW: 'heldForReview',
  LIKELY_SPAM: 'likelySpam',
}
const charts: Readonly<Record<VideoChart, string>> = { MOST_POPULAR: 'mostPopular' }
const ratings: Readonly<Record<VideoRating, string>> = { LIKE: 'like', DISLIKE: 'dislike' }

/**
 * A video that a root field looks up. If only owner-only parts are selected, their call is the only one. If it is
 * refused, those fields fail and the video's ids stay.
 */
function lookedUp(
  id: string,
  { parts, idOnly, ownerParts }: Needed,
  context: Context,
  view?: Readonly<Record<string, string>>,
): Awaitable<VideoModel | null> {
  if (!idOnly || ownerParts === 0) return context.readVideo(id, parts, view)
  const owned = context.readVideo(id, ownerParts)
  return owned instanceof Promise ? owned.catch(() => ({ id })) : owned
}

/** The same for several ids. An id that cannot be read has an error at its position. */
function allLookedUp(
  ids: readonly string[],
  { parts, idOnly, ownerParts }: Needed,
  context: Context,
  view: Readonly<Record<string, string>>,
): Awaitable<readonly (VideoModel | null | Error)[]> {
  if (!idOnly || ownerParts === 0) return context.readVideos(ids, parts, view)
  const orIds = (owned: readonly (VideoModel | null | Error)[]) =>
    owned.map((video, at) => (video instanceof Error ? { id: ids[at] as string } : video))
  const owned = context.readVideos(ids, ownerParts)
  return owned instanceof Promise ? owned.then(orIds) : orIds(owned)
}

/**
 * A video of which only ids are selected costs no lookup, and is never null. Any other is null if it does not
 * exist.
 */
function videoOf(id: string, selection: Selection, context: Context): Awaitable<VideoModel | null> {
  const { parts, idOnly } = neededBy(selection)
  return idOnly ? { id } : context.readVideo(id, parts)
}

function videoList(
  filter: VideoFilter,
  args: ConnectionArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<VideoConnectionModel> {
  const parts = nodesOf(selectionOf(info)).reduce((all, node) => all | neededBy(node).parts, 0)
  return connect(
    args,
    {
      list: `videos ${JSON.stringify(filter)}`,
      pages: operations.list.pages,
      service: 'videos',
      keyOf: ({ id }) => id,
      tokens: context.client.tokens,
      fetch: (token, size) => context.videoPage(filter, parts, { token, size }),
    },
    info,
    context,
  )
}

const hasReplies = (thread: Selection): boolean => thread.has('replies') || thread.has('repliesComplete')

interface ThreadArgs extends ConnectionArgs {
  readonly order?: CommentOrder | null
  readonly searchTerms?: string | null
  readonly status?: CommentModerationStatus | null
}

function threadList(
  by: ThreadFilter['by'],
  id: string,
  args: ThreadArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<ThreadConnectionModel> {
  const withReplies = nodesOf(selectionOf(info)).some(hasReplies)
  const order = args.order === 'RELEVANCE' ? 'relevance' : 'time'
  const searchTerms = textOf(args.searchTerms)
  const moderationStatus = args.status == null ? undefined : moderation[args.status]
  const filter = { by, id, order, searchTerms, withReplies, moderationStatus } as const
  return connect(
    { first: args.first, after: args.after },
    {
      list: threadListName(by, id, order, searchTerms, moderationStatus),
      pages: operations.listThreads.pages,
      service: 'videos',
      keyOf: ({ id }) => id,
      tokens: context.client.tokens,
      fetch: (token, size) => context.threadPage(filter, { token, size }),
    },
    info,
    context,
  )
}

function ownerPart(part: OwnerPart): (video: VideoModel, args: object, context: Context) => Promise<never> {
  const parts = partsOf(part)
  return async (video, _, context) =>
    // The video of a subscription's event has the part already, or null.
    (video[part] === undefined ? (await context.readVideo(video.id, parts))?.[part] : video[part]) as never
}

function commentVideo(
  resource: Json,
  context: Context,
  info: GraphQLResolveInfo,
): Awaitable<VideoModel | null> {
  const id = textOf(snippetOf(resource).videoId)
  return id === undefined || !isServiceId(id) ? null : videoOf(id, selectionOf(info), context)
}

/** The snippet of a comment, whose members are fields of the comment itself. The schema checks their values. */
const membersOf = (comment: Json): Readonly<Record<string, never>> =>
  snippetOf(comment) as Readonly<Record<string, never>>

const queryResolvers: NonNullable<Resolvers['Query']> = {
  video: (_, { videoId, ...view }, context, info) =>
    lookedUp(checkId(videoId, 'videoId'), neededBy(selectionOf(info)), context, viewFrom(view)),
  async commentThread(_, { threadId }, context, info) {
    return context.readThread(checkThreadId(threadId, 'threadId'), hasReplies(selectionOf(info)))
  },
  videos(_, { videoIds, ...args }, context, info) {
    const view = viewFrom(args)
    const needed = neededBy(selectionOf(info))
    // The generated type allows no errors in a list.
    return readIdList({
      argument: 'videoIds',
      ids: videoIds,
      maxIds: context.maxIds,
      expected: idForm,
      isId: isServiceId,
      readAll: (ids) => allLookedUp(ids, needed, context, view),
    }) as Awaitable<VideoModel[]>
  },
  chartVideos(_, { chart, regionCode, videoCategoryId, hl, maxHeight, maxWidth, ...args }, context, info) {
    if (regionCode && !/^[A-Z]{2}$/.test(regionCode)) {
      throw wrongArgument('regionCode', 'must be a country in ISO 3166-1 alpha-2, such as DE.')
    }
    const filter: VideoFilter = {
      chart: charts[chart],
      ...(regionCode ? { regionCode } : {}),
      ...(videoCategoryId ? { videoCategoryId } : {}),
      ...viewFrom({ hl, maxHeight, maxWidth }),
    }
    return videoList(filter, args, context, info)
  },
  ratedVideos: (_, { rating, hl, maxHeight, maxWidth, ...args }, context, info) =>
    videoList({ myRating: ratings[rating], ...viewFrom({ hl, maxHeight, maxWidth }) }, args, context, info),
  channel: (_, { channelId }) => ({ channelId: checkId(channelId, 'channelId') }),
  videoUpload: (_, { url }, context) => context.uploads.state(url, context.request),
  mediaQuota: (_, __, context) => context.readQuota(context.credentialKey),
}

const mutationResolvers: NonNullable<Resolvers['Mutation']> = {
  async insertVideo(_, { input }, context) {
    const upload = newUploadFrom(input)
    return { upload: await context.uploads.open(upload, context.request) }
  },
  async updateVideo(_, { input }, context) {
    checkId(input.videoId, 'input.videoId')
    const change = changeFrom(input)
    const { client, request } = context
    let resource: VideoModel
    if (input.replace === true) resource = replacementOf(change)
    else {
      const parts = partsOf(...partsToRead(change))
      const found = await client.videosById([change.videoId], parts, request, { cacheable: false })
      const current = found.get(change.videoId)
      if (current === undefined)
        throw tesseraError('NOT_FOUND', 'There is no such video.', { service: 'videos' })
      if (current instanceof Error) throw current
      resource = patchOf(change, current)
    }
    const written = await client.update(resource, change.parts, request)
    context.forget(change.videoId)
    const returned = change.parts.filter((part) => isObject(written[part]))
    return { videoId: change.videoId, written, parts: partsOf(...returned) }
  },
  async deleteVideo(_, { input }, context) {
    const videoId = checkId(input.videoId, 'input.videoId')
    const { client, request } = context
    await writeOnce(request, {
      service: 'videos',
      async write() {
        await client.delete(videoId, request)
        return true
      },
      findOut: async () =>
        (await client.videosById([videoId], partsOf('snippet'), request)).size === 0 ? true : undefined,
    })
    context.forget(videoId)
    return { deletedId: toGlobalId('Video', videoId), deletedVideoId: videoId }
  },
  async insertCommentThread(_, { input }, context) {
    const { videoId, channelId, textOriginal } = input
    if (!videoId && !channelId) {
      throw badInput('`input` must name where the thread begins: `videoId`, `channelId`, or both.')
    }
    const length = [...textOriginal].length
    if (textOriginal.trim() === '' || length > 10_000) {
      throw wrongArgument(
        'input.textOriginal',
        `must have 1 to 10000 characters that are not all blank; it has ${length}.`,
      )
    }
    const snippet: Json = {
      ...(channelId ? { channelId: checkId(channelId, 'input.channelId') } : {}),
      ...(videoId ? { videoId: checkId(videoId, 'input.videoId') } : {}),
      topLevelComment: { snippet: { textOriginal } },
    }
    const { client, request } = context
    const thread = await writeOnce(request, {
      service: 'videos',
      write: () => client.insertThread({ snippet }, request),
      findOut: ({ since }) => findThread(client, { videoId, channelId, textOriginal, since }, request),
    })
    context.forget()
    const list = videoId
      ? threadListName('videoId', videoId, 'time')
      : threadListName('channelId', channelId ?? '', 'time')
    return {
      commentThread: thread,
      commentThreadEdge: headEdge(list, operations.listThreads.pages.defaultPageSize, thread),
    }
  },
}

const updateVideoPayloadResolvers: NonNullable<Resolvers['UpdateVideoPayload']> = {
  // Parts that the service did not return are read only if they are selected.
  async video({ videoId, written, parts }, _, context, info) {
    const { parts: needed, idOnly } = neededBy(selectionOf(info))
    const missing = needed & ~parts
    if (missing === 0 && (parts !== 0 || idOnly)) return written
    return { ...written, ...(await context.readVideo(videoId, missing)) }
  },
}

const videoResolvers: NonNullable<Resolvers['Video']> = {
  __resolveReference: (reference, context, info) =>
    videoOf(keyOfReference(reference, 'Video', 'videoId', isServiceId), selectionOf(info, 'Video'), context),
  id: ({ id }) => toGlobalId('Video', id),
  videoId: ({ id }) => id,
  fileDetails: ownerPart('fileDetails'),
  processingDetails: ownerPart('processingDetails'),
  suggestions: ownerPart('suggestions'),
  localizations: ({ localizations }, { key }) => entriesOf(localizations, key) as never,
  channel(video, _, { request }) {
    const { channelId, channelTitle } = snippetOf(video)
    return withTitle(channelFrom(channelId, channelTitle), request)
  },
  commentThreads: ({ id }, args, context, info) => threadList('videoId', id, args, context, info),
  moderatedCommentThreads: ({ id }, args, context, info) => threadList('videoId', id, args, context, info),
}

/**
 * The titles that a request has read with videos and comments. A deferred title is looked up by the channel's key, with
 * which the service tells none.
 */
const titles = new WeakMap<SubgraphRequest, Map<string, string>>()

function withTitle(channel: ChannelModel | null, request: SubgraphRequest): ChannelModel | null {
  if (channel?.title === undefined) return channel
  getOrInsert(titles, request, () => new Map()).set(channel.channelId, channel.title)
  return channel
}

const channelResolvers: NonNullable<Resolvers['Channel']> = {
  __resolveReference(reference, { request }) {
    const channelId = keyOfReference(reference, 'Channel', 'channelId', isServiceId)
    return { channelId, title: titles.get(request)?.get(channelId) }
  },
  id: ({ channelId }) => toGlobalId('Channel', channelId),
  title: ({ title }: ChannelModel) => title ?? null,
  commentThreads: ({ channelId }, args, context, info) =>
    threadList('channelId', channelId, args, context, info),
  allCommentThreads: ({ channelId }, args, context, info) =>
    threadList('allThreadsRelatedToChannelId', channelId, args, context, info),
  moderatedCommentThreads: ({ channelId }, args, context, info) =>
    threadList('allThreadsRelatedToChannelId', channelId, args, context, info),
}

const commentThreadResolvers: NonNullable<Resolvers['CommentThread']> = {
  id: ({ id }) => toGlobalId('CommentThread', id),
  threadId: ({ id }) => id,
  channelId: (thread) => textOf(snippetOf(thread).channelId) ?? null,
  videoId: (thread) => textOf(snippetOf(thread).videoId) ?? null,
  topLevelComment,
  canReply: (thread) => (snippetOf(thread).canReply ?? null) as boolean | null,
  totalReplyCount: (thread) => (snippetOf(thread).totalReplyCount ?? null) as number | null,
  isPublic: (thread) => (snippetOf(thread).isPublic ?? null) as boolean | null,
  replies: repliesOf,
  allReplies: (thread, args, context, info) =>
    connect(
      { first: args.first, after: args.after },
      {
        list: `replies ${JSON.stringify(thread.id)}`,
        pages: operations.listComments.pages,
        service: 'videos',
        keyOf: (comment: CommentModel) => comment.id,
        tokens: context.client.tokens,
        // Most threads of a page have no replies, and the thread has said so.
        fetch: async (token, size) =>
          snippetOf(thread).totalReplyCount === 0
            ? { items: [] }
            : context.replyPage(checkThreadId(thread.id, 'id'), { token, size }),
      },
      info,
      context,
    ),
  repliesComplete: (thread) => repliesOf(thread).length === (snippetOf(thread).totalReplyCount ?? 0),
  video: (thread, _, context, info) => commentVideo(thread, context, info),
  channel: (thread) => channelFrom(snippetOf(thread).channelId),
}

const commentResolvers: NonNullable<Resolvers['Comment']> = {
  id: ({ id }) => toGlobalId('Comment', id),
  commentId: ({ id }) => id,
  authorChannel(comment, _, { request }) {
    const { authorChannelId, authorDisplayName } = snippetOf(comment)
    return isObject(authorChannelId)
      ? withTitle(channelFrom(authorChannelId.value, authorDisplayName), request)
      : null
  },
  video: (comment, _, context, info) => commentVideo(comment, context, info),
  // Each field has a function of its own, because V8 compiles an access by a constant name faster than one by a
  // variable.
  videoId: (comment) => membersOf(comment).videoId ?? null,
  channelId: (comment) => membersOf(comment).channelId ?? null,
  textOriginal: (comment) => membersOf(comment).textOriginal ?? null,
  textDisplay: (comment) => membersOf(comment).textDisplay ?? null,
  authorDisplayName: (comment) => membersOf(comment).authorDisplayName ?? null,
  authorProfileImageUrl: (comment) => membersOf(comment).authorProfileImageUrl ?? null,
  authorChannelUrl: (comment) => membersOf(comment).authorChannelUrl ?? null,
  parentId: (comment) => membersOf(comment).parentId ?? null,
  canRate: (comment) => membersOf(comment).canRate ?? null,
  viewerRating: (comment) => membersOf(comment).viewerRating ?? null,
  likeCount: (comment) => membersOf(comment).likeCount ?? null,
  moderationStatus: (comment) => membersOf(comment).moderationStatus ?? null,
  publishedAt: (comment) => membersOf(comment).publishedAt ?? null,
  updatedAt: (comment) => membersOf(comment).updatedAt ?? null,
}

export function createResolvers(): Resolvers {
  return {
    DateTime: isoDateTime,
    UInt64: uint64,
    UnsignedInt: unsignedInt,
    Query: queryResolvers,
    Mutation: mutationResolvers,
    Subscription: subscriptions,
    UpdateVideoPayload: updateVideoPayloadResolvers,
    VideoUpload: {
      video: ({ video }, _, context, info) =>
        video === null ? null : lookedUp(video.id, neededBy(selectionOf(info)), context),
    },
    Video: videoResolvers,
    VideoSnippet: {
      thumbnails: (snippet, { key }) => entriesOf((snippet as unknown as Json).thumbnails, key) as never,
    },
    Channel: channelResolvers,
    CommentThread: commentThreadResolvers,
    Comment: commentResolvers,
  }
}

function topLevelComment(thread: ThreadModel): CommentModel | null {
  const { topLevelComment: comment = null } = snippetOf(thread)
  if (comment === null || isResource(comment)) return comment
  throw malformed('videos', 'The video service answered with a comment that has no id.')
}
