/**
 * What one request holds of the videos subgraph: the client, and the look-up of videos by id and part. Parts for
 * the owner alone go in calls of their own.
 */

import type { PartialErrors } from '../../contract/partial-errors.ts'
import type { ReadQuota } from '../../contract/quota.ts'
import type { SubgraphRequest } from '../../contract/request.ts'
import { createLookUps, type LookUp, type Sharing } from '../kit/lookup/index.ts'
import type { Upstream } from '../kit/upstream/index.ts'
import type { VideosClient } from './client.ts'
import type { VideosLive } from './live.ts'
import type { VideoModel } from './model.ts'
import { operations } from './operations.ts'
import { ownerOnly, type Parts } from './parts.ts'
import type { Uploads } from './upload/index.ts'

export interface Context extends PartialErrors {
  readonly request: SubgraphRequest
  readonly client: VideosClient
  /** The most ids of one list. */
  readonly maxIds: number
  readonly readQuota: ReadQuota
  readonly uploads: Uploads
  readonly live: VideosLive
  readonly credentialKey: string
  /**
   * Null where there is no such video; at once where it was read before. The id is well-formed; `parts` are public
   * ones, or the owner's.
   */
  readVideo(videoId: string, parts: Parts): Promise<VideoModel | null> | VideoModel | null
  /** The same for several ids, at their positions; an error stands at that of an id that cannot be read. */
  readonly readVideos: LookUp<Parts, VideoModel>['readAll']
  /** Forgets what was read of a video: it was changed. */
  forget(videoId: string): void
}

export function createContexts(
  upstream: Upstream,
  client: VideosClient,
  options: {
    readonly share: boolean | Sharing
    readonly maxIds: number
    readonly readQuota: ReadQuota
    readonly uploads: Uploads
    readonly live: VideosLive
  },
): (request: SubgraphRequest) => Context {
  const lookUps = () =>
    createLookUps<Parts, ReadonlyMap<string, VideoModel | Error>, VideoModel>({
      share: options.share,
      maxIds: operations.list.maxIds,
      fetch: client.videosById,
      pick: (id, videos) => videos.get(id) ?? null,
      unite: (some, others) => some | others,
      covers: (fetched, wanted) => (fetched & wanted) === wanted,
    })
  const everybody = lookUps()
  const owners = lookUps()

  return (request) => {
    const credentialKey = upstream.credentialKey(request)
    const ofEverybody = everybody(request, credentialKey)
    const ofOwner = owners(request, credentialKey)
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
      readVideo: (videoId, parts) => lookUpOf(parts).read(videoId, parts),
      readVideos: (videoIds, parts) => lookUpOf(parts).readAll(videoIds, parts),
      forget(videoId) {
        ofEverybody.forget(videoId)
        ofOwner.forget(videoId)
      },
    }
  }
}
