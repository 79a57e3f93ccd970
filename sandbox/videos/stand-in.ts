/** The routes of the video service: its quota, its credentials, and the operations on videos. */
import { randomBytes } from 'node:crypto'
import type { Route, StandIn, StandInAnswer, StandInRequest } from '../stand-in.ts'
import { createAccess } from './access.ts'
import { answerOf, Refused, refuse } from './errors.ts'
import { changeCatalogue } from './external-changes.ts'
import type { Catalogue, Video } from './model.ts'
import { checkParameters, readParts } from './parameters.ts'
import { prices } from './prices.ts'
import { partNames } from './resource-parts.ts'
import { type Rendering, videoResource } from './resources.ts'
import { sampleChannels } from './sample-ids.ts'
import { isSyntheticVideo, syntheticVideo } from './sample-videos.ts'
import { createCatalogue } from './samples.ts'
import { createThreads } from './threads.ts'
import { createUploads, type ReceivedUpload } from './uploads.ts'
import { createVideoList } from './video-list.ts'
import { newVideo, readResource, writtenParts } from './writes.ts'

export interface VideosStandInOptions {
  /** The first path segment, which is also the name in kinds and error domains. */
  readonly namespace: string
  readonly requireAuth: boolean
  /** For benchmarks: every id that begins with `syn` exists. */
  readonly synthetic: boolean
  /** Units per day; unlimited by default. */
  readonly dailyQuota: number | undefined
  readonly now: () => number
}

export interface VideosStandIn extends StandIn {
  readonly uploads: readonly ReceivedUpload[]
}

export function createVideosStandIn(options: VideosStandInOptions): VideosStandIn {
  return new VideosService(options)
}

class VideosService implements VideosStandIn {
  readonly #namespace: string
  readonly #synthetic: boolean
  readonly #now: () => number
  /** Undefined until it is used. */
  #made: Catalogue | undefined
  readonly #access
  readonly #charge
  readonly #callerOf
  readonly #requireScope
  readonly #writers
  readonly #uploads
  readonly #videoList
  readonly #threads
  readonly service
  readonly uploads: readonly ReceivedUpload[]
  readonly routes

  constructor(options: VideosStandInOptions) {
    const { namespace, requireAuth, synthetic, dailyQuota, now } = options
    this.#namespace = namespace
    this.#synthetic = synthetic
    this.#now = now
    this.#access = createAccess({ namespace: this.#namespace, requireAuth, dailyQuota, now: this.#now })
    const { charge, callerOf, requireScope, writers } = this.#access
    this.#charge = charge
    this.#callerOf = callerOf
    this.#requireScope = requireScope
    this.#writers = writers
    this.#uploads = createUploads({
      partNames,
      now: this.#now,
      finish: (metadata, parts) => {
        const id = randomBytes(8).toString('base64url')
        const owner = { channelId: sampleChannels.own, channelTitle: 'Harbour Kitchen' }
        const video = newVideo(id, metadata, parts, owner, this.#now())
        this.#catalogue.videos.set(id, video)
        return { id, resource: videoResource(video, parts, {}, this.#rendering()) }
      },
    })
    this.#videoList = createVideoList({
      namespace: this.#namespace,
      synthetic: this.#synthetic,
      access: this.#access,
      catalogue: () => this.#catalogue,
      findVideo: this.#findVideo,
      rendering: this.#rendering,
    })
    this.#threads = createThreads({
      namespace: this.#namespace,
      synthetic: this.#synthetic,
      now: this.#now,
      catalogue: () => this.#catalogue,
      findVideo: this.#findVideo,
      rendering: this.#rendering,
      access: this.#access,
    })
    this.service = 'videos'
    this.uploads = this.#uploads.received
    this.routes = [
      this.#route('GET', `/${this.#namespace}/v3/videos`, 'videos.list', this.#videoList.list),
      this.#route('PUT', `/${this.#namespace}/v3/videos`, 'videos.update', this.#updateVideo),
      this.#route('DELETE', `/${this.#namespace}/v3/videos`, 'videos.delete', this.#deleteVideo),
      this.#route('GET', `/${this.#namespace}/v3/commentThreads`, 'commentThreads.list', (call) =>
        this.#threads.list(call),
      ),
      this.#route('POST', `/${this.#namespace}/v3/commentThreads`, 'commentThreads.insert', (call) =>
        this.#threads.insert(call),
      ),
      this.#route('GET', `/${this.#namespace}/v3/comments`, 'comments.list', (call) =>
        this.#threads.replies(call),
      ),
      this.#route(
        'POST',
        `/upload/${this.#namespace}/v3/videos`,
        'videos.insert',
        (request) => {
          this.#requireScope(this.#callerOf(request), `${this.#namespace}.upload`, ...this.#writers)
          return this.#uploads.post(request, () => this.#charge(request, prices.insert))
        },
        true,
      ),
      this.#route(
        'PUT',
        `/upload/${this.#namespace}/v3/videos`,
        'videos.upload',
        async (request) => {
          const before = this.#uploads.received.length
          const answer = await this.#uploads.put(request)
          if (this.#uploads.received.length > before)
            request.recordWrite(this.#uploads.received.at(-1)?.videoId ?? '')
          return answer
        },
        true,
      ),
    ]
  }

  get #catalogue(): Catalogue {
    this.#made ??= createCatalogue(this.#namespace)
    return this.#made
  }

  change(change: Readonly<Record<string, unknown>>): void {
    changeCatalogue(this.#catalogue, change, this.#now())
  }

  reset() {
    this.#made = undefined
    this.#access.reset()
    this.#videoList.reset()
    this.#threads.reset()
    this.#uploads.reset()
  }

  readonly #rendering = (): Rendering => ({ namespace: this.#namespace, now: this.#now() })

  readonly #findVideo = (id: string): Video | undefined => {
    return (
      this.#catalogue.videos.get(id) ??
      (this.#synthetic && isSyntheticVideo(id) ? syntheticVideo(id, this.#namespace) : undefined)
    )
  }

  #ownVideo(id: unknown): Video {
    const video = typeof id === 'string' ? this.#findVideo(id) : undefined
    if (video === undefined)
      refuse(404, 'videoNotFound', 'The video that you are trying to change cannot be found.', {
        domain: 'video',
        location: 'id',
      })
    if (!video.owned)
      refuse(403, 'forbidden', 'The video cannot be changed by this user.', { domain: 'video' })
    return video
  }

  readonly #updateVideo = (request: StandInRequest): StandInAnswer => {
    this.#charge(request, prices.update)
    this.#requireScope(this.#callerOf(request), ...this.#writers)
    checkParameters(request, ['part', 'onBehalfOfContentOwner'])
    const parts = readParts(request, partNames)
    const body = readResource(request.json(), parts)
    const video = this.#ownVideo(body.id)
    const changed: Video = { ...video, parts: writtenParts(body, parts, video.parts) }
    this.#catalogue.videos.set(video.id, changed)
    request.recordWrite(video.id)
    return { status: 200, body: videoResource(changed, parts, {}, this.#rendering()) }
  }

  readonly #deleteVideo = (request: StandInRequest): StandInAnswer => {
    this.#charge(request, prices.delete)
    this.#requireScope(this.#callerOf(request), ...this.#writers)
    checkParameters(request, ['id', 'onBehalfOfContentOwner'])
    const video = this.#ownVideo(request.query.get('id'))
    this.#catalogue.videos.delete(video.id)
    this.#catalogue.threads.delete(video.id)
    request.recordWrite(video.id)
    return { status: 204 }
  }

  #guarded(handler: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>): Route['handler'] {
    return async (request) => {
      try {
        return await handler(request)
      } catch (error) {
        if (error instanceof Refused) return answerOf(error.problem, this.#namespace)
        throw error
      }
    }
  }

  #route(
    method: string,
    path: string,
    operation: string,
    handler: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>,
    streamed = false,
  ): Route {
    return { method, path, operation, streamed, handler: this.#guarded(handler) }
  }
}
