/**
 * The context of one request to the videos subgraph: the client, and the lookup of videos by id and part.
 * Owner-only parts are requested in calls of their own.
 */

import type { GraphQLError } from 'graphql'
import type { PartialErrors } from '../../shared/graphql/partial-errors.ts'
import type { ReadQuota } from '../../shared/quota.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'
import { createLookUps, type LookUp, type Sharing } from '../kit/batching/index.ts'
import { memoized } from '../kit/memoized.ts'
import { queryOf } from '../kit/operation.ts'
import type { Page } from '../kit/pagination/index.ts'
import type { Pollers } from '../kit/polling/index.ts'
import type { Upstream } from '../kit/rest-client/index.ts'
import type { PageOptions, ThreadFilter, VideoFilter, VideosClient } from './client.ts'
import { isAboutOwner } from './failure.ts'
import type { CommentModel, ThreadModel, VideoModel } from './model.ts'
import { operations } from './operations.ts'
import { ownerOnly, type Parts } from './parts.ts'
import type { Uploads } from './upload/index.ts'

/** How a video is shown, as parameters of a call. */
type VideoView = Readonly<Record<string, string>>

/** What all requests share. */
interface SharedParts {
  /** The most ids of one list. */
  readonly maxIds: number
  readonly readQuota: ReadQuota
  readonly uploads: Uploads
  readonly live: Pollers
}

export interface Context extends PartialErrors, SharedParts {
  readonly request: SubgraphRequest
  readonly client: VideosClient
  readonly credentialKey: string
  /**
   * Null if the video does not exist. Returned without a promise if it was read before. The id must be well-formed.
   * `parts` are either all public or all owner-only.
   */
  readVideo(videoId: string, parts: Parts, view?: VideoView): Awaitable<VideoModel | null>
  /** The same for several ids, in order. An id that cannot be read has an error at its position. */
  readVideos(
    videoIds: readonly string[],
    parts: Parts,
    view?: VideoView,
  ): ReturnType<LookUp<Parts, VideoModel>['readAll']>
  /** Null if the thread does not exist. */
  readThread(threadId: string, withReplies: boolean): Awaitable<ThreadModel | null>
  /** A page of a list, which is read once in a request. */
  videoPage(filter: VideoFilter, parts: Parts, page: PageOptions): Promise<Page<VideoModel>>
  threadPage(filter: ThreadFilter, page: PageOptions): Promise<Page<ThreadModel>>
  replyPage(threadId: string, page: PageOptions): Promise<Page<CommentModel>>
  /** Forgets all pages, and what was read of the video that was changed. Without an id it forgets all videos. */
  forget(videoId?: string): void
}

export function createContexts(
  upstream: Upstream,
  client: VideosClient,
  options: SharedParts & { readonly share: boolean | Sharing },
): (request: SubgraphRequest) => Context {
  const lookUps = (concernsOne?: (error: GraphQLError) => boolean) =>
    createLookUps<Parts, ReadonlyMap<string, VideoModel | Error>, VideoModel>({
      share: options.share,
      maxIds: operations.list.maxIds,
      fetch: (ids, parts, request, view) => client.videosById(ids, parts, request, { view }),
      pick: (id, videos) => videos.get(id) ?? null,
      unite: (some, others) => some | others,
      covers: (fetched, wanted) => (fetched & wanted) === wanted,
      ...(concernsOne === undefined ? {} : { concernsOne }),
    })
  const threads = createLookUps<boolean, ReadonlyMap<string, ThreadModel | Error>, ThreadModel>({
    share: options.share,
    maxIds: operations.listThreads.maxIds,
    fetch: (ids, withReplies, request) => client.threadsById(ids, withReplies, request),
    pick: (id, found) => found.get(id) ?? null,
    unite: (some, others) => some || others,
    covers: (fetched, wanted) => fetched || !wanted,
  })
  const everybody = lookUps()
  const owners = lookUps(isAboutOwner)

  return (request) => {
    const credentialKey = upstream.credentialKey(request)
    const ofEverybody = everybody(request, credentialKey)
    const ofOwner = owners(request, credentialKey)
    const ofThreads = threads(request, credentialKey)
    // The resources of all lists have the same form.
    const pages = new Map<string, Promise<Page<VideoModel | ThreadModel | CommentModel>>>()
    const lookUpOf = (parts: Parts): typeof ofOwner => ((parts & ownerOnly) === 0 ? ofEverybody : ofOwner)
    return {
      partialErrors: [],
      request,
      client,
      maxIds: options.maxIds,
      readQuota: options.readQuota,
      uploads: options.uploads,
      live: options.live,
      credentialKey,
      readVideo: (videoId, parts, view = {}) => lookUpOf(parts).read(videoId, parts, queryOf(view)),
      readVideos: (videoIds, parts, view = {}) => lookUpOf(parts).readAll(videoIds, parts, queryOf(view)),
      readThread: (threadId, withReplies) => ofThreads.read(threadId, withReplies),
      videoPage: (filter, parts, page) =>
        memoized(pages, ['videos', filter, parts, page], () =>
          client.videoPage(filter, parts, page, request),
        ),
      threadPage: (filter, page) =>
        memoized(pages, ['threads', filter, page], () => client.threadPage(filter, page, request)),
      replyPage: (threadId, page) =>
        memoized(pages, ['replies', threadId, page], () => client.replyPage(threadId, page, request)),
      forget(videoId) {
        pages.clear()
        ofEverybody.forget(videoId)
        ofOwner.forget(videoId)
      },
    }
  }
}
