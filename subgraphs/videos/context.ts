/**
 * The context of one request to the videos subgraph: the client, and the lookup of videos by id and part.
 * Owner-only parts are requested in calls of their own.
 */

import type { GraphQLError } from 'graphql'
import type { ReadQuota } from '../../shared/quota.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { createLookUps, type Sharing } from '../kit/batching/index.ts'
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

interface SharedParts {
  readonly maxIds: number
  readonly readQuota: ReadQuota
  readonly uploads: Uploads
  readonly live: Pollers
}

export type Context = ReturnType<ReturnType<typeof createContexts>>

export function createContexts(
  upstream: Upstream,
  client: VideosClient,
  { share, ...shared }: SharedParts & { readonly share: boolean | Sharing },
) {
  const lookUps = (concernsOne?: (error: GraphQLError) => boolean) =>
    createLookUps<Parts, ReadonlyMap<string, VideoModel | Error>, VideoModel>({
      share,
      maxIds: operations.list.maxIds,
      fetch: (ids, parts, request, view) => client.videosById(ids, parts, request, { view }),
      pick: (id, videos) => videos.get(id) ?? null,
      unite: (some, others) => some | others,
      covers: (fetched, wanted) => (fetched & wanted) === wanted,
      ...(concernsOne === undefined ? {} : { concernsOne }),
    })
  const threads = createLookUps<boolean, ReadonlyMap<string, ThreadModel | Error>, ThreadModel>({
    share,
    maxIds: operations.listThreads.maxIds,
    fetch: (ids, withReplies, request) => client.threadsById(ids, withReplies, request),
    pick: (id, found) => found.get(id) ?? null,
    unite: (some, others) => some || others,
    covers: (fetched, wanted) => fetched || !wanted,
  })
  const everybody = lookUps()
  const owners = lookUps(isAboutOwner)

  return (request: SubgraphRequest) => {
    const credentialKey = upstream.credentialKey(request)
    const ofEverybody = everybody(request, credentialKey)
    const ofOwner = owners(request, credentialKey)
    const ofThreads = threads(request, credentialKey)
    // The resources of all lists have the same form.
    const pages = new Map<string, Promise<Page<VideoModel | ThreadModel | CommentModel>>>()
    const lookUpOf = (parts: Parts): typeof ofOwner => ((parts & ownerOnly) === 0 ? ofEverybody : ofOwner)
    return {
      ...shared,
      partialErrors: [] as GraphQLError[],
      request,
      client,
      credentialKey,
      /**
       * Null if the video does not exist. Returned without a promise if it was read before. The id must be well-formed.
       * `parts` are either all public or all owner-only.
       */
      readVideo: (videoId: string, parts: Parts, view: VideoView = {}) =>
        lookUpOf(parts).read(videoId, parts, queryOf(view)),
      /** The same for several ids, in order. An id that cannot be read has an error at its position. */
      readVideos: (videoIds: readonly string[], parts: Parts, view: VideoView = {}) =>
        lookUpOf(parts).readAll(videoIds, parts, queryOf(view)),
      /** Null if the thread does not exist. */
      readThread: (threadId: string, withReplies: boolean) => ofThreads.read(threadId, withReplies),
      videoPage: (filter: VideoFilter, parts: Parts, page: PageOptions) =>
        memoized(pages, ['videos', filter, parts, page], () =>
          client.videoPage(filter, parts, page, request),
        ),
      threadPage: (filter: ThreadFilter, page: PageOptions) =>
        memoized(pages, ['threads', filter, page], () => client.threadPage(filter, page, request)),
      replyPage: (threadId: string, page: PageOptions) =>
        memoized(pages, ['replies', threadId, page], () => client.replyPage(threadId, page, request)),
      /** Forgets all pages, and what was read of the video that was changed. Without an id it forgets all videos. */
      forget(videoId?: string) {
        pages.clear()
        ofEverybody.forget(videoId)
        ofOwner.forget(videoId)
      },
    }
  }
}
