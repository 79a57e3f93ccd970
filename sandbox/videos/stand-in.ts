/** The routes of the video service: its quota, its credentials, and the operations on videos. */
import { randomBytes } from 'node:crypto'
import type { Route, StandIn, StandInAnswer, StandInRequest } from '../stand-in.ts'
import { createAccess } from './access.ts'
import { changeCatalogue } from './changes.ts'
import { answerOf, Refused, refuse } from './errors.ts'
import type { Catalogue, Video } from './model.ts'
import { checkParameters, readParts } from './parameters.ts'
import { partNames } from './parts.ts'
import { prices } from './prices.ts'
import { type Rendering, videoResource } from './resources.ts'
import { sampleChannels } from './sample-ids.ts'
import { isSyntheticVideo, syntheticVideo } from './sample-videos.ts'
import { createCatalogue } from './samples.ts'
import { createThreads } from './threads.ts'
import { createUploads, type ReceivedUpload } from './uploads.ts'
import { createVideoList } from './video-list.ts'
import { newVideo, readResource, writtenParts } from './writes.ts'

export interface VideosStandInOptions {
  /** The path segment, which is also the name in kinds and error domains. */
  readonly namespace: string
  readonly requireAuth: boolean
  /** For benchmarks: every id that begins with `syn` exists. */
  readonly synthetic: boolean
  /** Units a day; unlimited by default. */
  readonly dailyQuota: number | undefined
  readonly now: () => number
}

export interface VideosStandIn extends StandIn {
  readonly uploads: readonly ReceivedUpload[]
}

export function createVideosStandIn(options: VideosStandInOptions): VideosStandIn {
  const { namespace, requireAuth, synthetic, dailyQuota, now } = options
  let catalogue: Catalogue = createCatalogue(namespace)
  const access = createAccess({ namespace, requireAuth, dailyQuota, now })
  const { charge, callerOf, requireScope, writers } = access
  const rendering = (): Rendering => ({ namespace, now: now() })

  const uploads = createUploads({
    partNames,
    now,
    finish(metadata, parts) {
      const id = randomBytes(8).toString('base64url')
      const owner = { channelId: sampleChannels.own, channelTitle: 'Harbour Kitchen' }
      const video = newVideo(id, metadata, parts, owner, now())
      catalogue.videos.set(id, video)
      return { id, resource: videoResource(video, parts, {}, rendering()) }
    },
  })

  function findVideo(id: string): Video | undefined {
    return (
      catalogue.videos.get(id) ??
      (synthetic && isSyntheticVideo(id) ? syntheticVideo(id, namespace) : undefined)
    )
  }

  const videoList = createVideoList({
    namespace,
    synthetic,
    access,
    catalogue: () => catalogue,
    findVideo,
    rendering,
  })
  const threads = createThreads({
    namespace,
    synthetic,
    now,
    catalogue: () => catalogue,
    findVideo,
    rendering,
    access,
  })

  function ownVideo(id: unknown): Video {
    const video = typeof id === 'string' ? findVideo(id) : undefined
    if (video === undefined)
      refuse(404, 'videoNotFound', 'The video that you are trying to change cannot be found.', {
        domain: 'video',
        location: 'id',
      })
    if (!video.owned)
      refuse(403, 'forbidden', 'The video cannot be changed by this user.', { domain: 'video' })
    return video
  }

  function updateVideo(request: StandInRequest): StandInAnswer {
    charge(request, prices.update)
    requireScope(callerOf(request), ...writers)
    checkParameters(request, ['part', 'onBehalfOfContentOwner'])
    const parts = readParts(request, partNames)
    const body = readResource(request.json(), parts)
    const video = ownVideo(body.id)
    const changed: Video = { ...video, parts: writtenParts(body, parts, video.parts) }
    catalogue.videos.set(video.id, changed)
    request.recordWrite(video.id)
    return { status: 200, body: videoResource(changed, parts, {}, rendering()) }
  }

  function deleteVideo(request: StandInRequest): StandInAnswer {
    charge(request, prices.delete)
    requireScope(callerOf(request), ...writers)
    checkParameters(request, ['id', 'onBehalfOfContentOwner'])
    const video = ownVideo(request.query.get('id'))
    catalogue.videos.delete(video.id)
    catalogue.threads.delete(video.id)
    request.recordWrite(video.id)
    return { status: 204 }
  }

  const guarded =
    (handler: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>): Route['handler'] =>
    async (request) => {
      try {
        return await handler(request)
      } catch (error) {
        if (error instanceof Refused) return answerOf(error.problem, namespace)
        throw error
      }
    }

  const route = (
    method: string,
    path: string,
    operation: string,
    handler: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>,
    streamed = false,
  ): Route => ({ method, path, operation, streamed, handler: guarded(handler) })

  return {
    service: 'videos',
    uploads: uploads.received,
    routes: [
      route('GET', `/${namespace}/v3/videos`, 'videos.list', videoList.list),
      route('PUT', `/${namespace}/v3/videos`, 'videos.update', updateVideo),
      route('DELETE', `/${namespace}/v3/videos`, 'videos.delete', deleteVideo),
      route('GET', `/${namespace}/v3/commentThreads`, 'commentThreads.list', threads.list),
      route('POST', `/${namespace}/v3/commentThreads`, 'commentThreads.insert', threads.insert),
      route('GET', `/${namespace}/v3/comments`, 'comments.list', threads.replies),
      route(
        'POST',
        `/upload/${namespace}/v3/videos`,
        'videos.insert',
        (request) => {
          requireScope(callerOf(request), `${namespace}.upload`, ...writers)
          return uploads.post(request, () => charge(request, prices.insert))
        },
        true,
      ),
      route(
        'PUT',
        `/upload/${namespace}/v3/videos`,
        'videos.upload',
        async (request) => {
          const before = uploads.received.length
          const answer = await uploads.put(request)
          if (uploads.received.length > before) request.recordWrite(uploads.received.at(-1)?.videoId ?? '')
          return answer
        },
        true,
      ),
    ],
    change: (change) => changeCatalogue(catalogue, change, now()),
    reset() {
      catalogue = createCatalogue(namespace)
      access.reset()
      videoList.reset()
      threads.reset()
      uploads.reset()
    },
  }
}
