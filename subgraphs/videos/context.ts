/**
 * What one request holds of the videos subgraph: the client, and the look-up of videos by id and part.
 *
 * All look-ups of one moment (over all requests with the same credential, where sharing is on) go out
 * together: 50 ids a call, with the union of the parts that are needed. Parts for the owner alone go in calls
 * of their own. A request asks for nothing twice.
 */
import { type Batch, chunk, createBatch } from '../lib/loader.ts'
import type { SubgraphRequest } from '../lib/request.ts'
import type { Upstream } from '../lib/upstream.ts'
import { maxIds, type VideosClient } from './client.ts'
import type { VideoModel } from './model.ts'
import { ownerOnly, type Parts } from './parts.ts'
import type { QuotaReader } from './quota.ts'
import type { Uploads } from './upload.ts'

export interface Context {
  readonly request: SubgraphRequest
  readonly client: VideosClient
  readonly quota: QuotaReader
  readonly uploads: Uploads
  readonly credentialKey: string
  /** Null where there is no such video. The id is well-formed; `parts` are public ones, or the owner's. */
  readVideo(videoId: string, parts: Parts): Promise<VideoModel | null>
  /** Forgets what was read of a video: it was changed. */
  forget(videoId: string): void
}

interface VideoWant {
  readonly id: string
  readonly parts: Parts
}

type Found = ReadonlyMap<string, VideoModel> | Error

function createVideoBatch(client: VideosClient, share: boolean): Batch<VideoWant, VideoModel | null> {
  return createBatch<VideoWant, VideoModel | null>({
    share,
    async fetch(wants, request) {
      const [only] = wants
      if (wants.length === 1 && only !== undefined) {
        return [(await client.videosById([only.id], only.parts, request)).get(only.id) ?? null]
      }
      const wanted = new Map<string, Parts>()
      for (const { id, parts } of wants) wanted.set(id, (wanted.get(id) ?? 0) | parts)
      const found = new Map<string, Found>()
      await Promise.all(
        chunk([...wanted], maxIds).map(async (run) => {
          const ids = run.map(([id]) => id)
          const parts = run.reduce((all, [, own]) => all | own, 0)
          const answer: Found = await client
            .videosById(ids, parts, request)
            .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
          for (const id of ids) found.set(id, answer)
        }),
      )
      return wants.map(({ id }) => {
        const answer = found.get(id)
        return answer instanceof Error ? answer : (answer?.get(id) ?? null)
      })
    },
  })
}

interface Read {
  readonly parts: Parts
  readonly video: Promise<VideoModel | null>
}

export function createContexts(
  upstream: Upstream,
  client: VideosClient,
  options: { readonly share: boolean; readonly quota: QuotaReader; readonly uploads: Uploads },
): (request: SubgraphRequest) => Context {
  const everybody = createVideoBatch(client, options.share)
  const owners = createVideoBatch(client, options.share)

  return (request) => {
    const read = new Map<string, Read[]>()
    const credentialKey = upstream.credentialKey(request)
    const ofEverybody = everybody.of(request, credentialKey)
    const ofOwner = owners.of(request, credentialKey)
    return {
      request,
      client,
      quota: options.quota,
      uploads: options.uploads,
      credentialKey,
      readVideo(videoId, parts) {
        const before = read.get(videoId)
        const isOwners = (parts & ownerOnly) !== 0
        const known = before?.find(
          (earlier) => (earlier.parts & parts) === parts && ((earlier.parts & ownerOnly) !== 0) === isOwners,
        )
        if (known !== undefined) return known.video
        const video = (isOwners ? ofOwner : ofEverybody)({ id: videoId, parts })
        if (before === undefined) read.set(videoId, [{ parts, video }])
        else before.push({ parts, video })
        return video
      },
      forget: (videoId) => {
        read.delete(videoId)
      },
    }
  }
}
