/** The routes of the video service: its quota, its credentials, and the operations on videos. */
import { randomBytes } from 'node:crypto'
import type { Route, StandIn, StandInAnswer, StandInRequest } from '../stand-in.ts'
import { Access, type AccessOptions, prices } from './access.ts'
import { answerOf, Refused, refuse } from './errors.ts'
import { changeCatalogue } from './external-changes.ts'
import type { Catalogue, Service, Video } from './model.ts'
import { checkParameters, readParts } from './parameters.ts'
import { partNames, videoResource } from './resources.ts'
import { sampleChannels } from './sample-ids.ts'
import { isSyntheticVideo, syntheticVideo } from './sample-videos.ts'
import { createCatalogue } from './samples.ts'
import { CommentThreads } from './threads.ts'
import { Uploads } from './uploads.ts'
import { createVideoList } from './video-list.ts'
import { newVideo, readResource, writtenParts } from './writes.ts'

export class VideosStandIn implements StandIn {
  readonly service = 'videos'
  readonly routes: readonly Route[]
  readonly #service: Service
  /** Undefined until it is used. */
  #made: Catalogue | undefined
  readonly #uploads
  readonly #threads

  constructor(options: AccessOptions & { readonly synthetic: boolean }) {
    const { namespace, synthetic, now } = options
    this.#service = {
      ...{ namespace, synthetic, now },
      access: new Access(options),
      catalogue: () => {
        this.#made ??= createCatalogue(namespace)
        return this.#made
      },
      findVideo: this.#findVideo,
    }
    this.#uploads = new Uploads(now, (metadata, parts) => {
      const id = randomBytes(8).toString('base64url')
      const owner = { channelId: sampleChannels.own, channelTitle: 'Harbour Kitchen' }
      const video = newVideo(id, metadata, parts, owner, now())
      this.#service.catalogue().videos.set(id, video)
      return { id, resource: videoResource(video, parts, {}, this.#service) }
    })
    this.#threads = new CommentThreads(this.#service)
    const videos = `/${namespace}/v3/videos`
    const threads = `/${namespace}/v3/commentThreads`
    this.routes = [
      this.#route('GET', videos, 'videos.list', createVideoList(this.#service)),
      this.#route('PUT', videos, 'videos.update', this.#updateVideo),
      this.#route('DELETE', videos, 'videos.delete', this.#deleteVideo),
      this.#route('GET', threads, 'commentThreads.list', (call) => this.#threads.list(call)),
      this.#route('POST', threads, 'commentThreads.insert', (call) => this.#threads.insert(call)),
      this.#route('GET', `/${namespace}/v3/comments`, 'comments.list', (call) => this.#threads.replies(call)),
      { ...this.#route('POST', `/upload${videos}`, 'videos.insert', this.#beginUpload), streamed: true },
      {
        ...this.#route('PUT', `/upload${videos}`, 'videos.upload', (call) => this.#uploads.put(call)),
        streamed: true,
      },
    ]
  }

  change(change: Readonly<Record<string, unknown>>): void {
    changeCatalogue(this.#service.catalogue(), change, this.#service.now())
  }

  readonly #findVideo = (id: string): Video | undefined => {
    const { catalogue, namespace, synthetic } = this.#service
    const known = catalogue().videos.get(id)
    return known ?? (synthetic && isSyntheticVideo(id) ? syntheticVideo(id, namespace) : undefined)
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

  readonly #beginUpload = (request: StandInRequest): Promise<StandInAnswer> => {
    const { access, namespace } = this.#service
    access.requireScope(access.callerOf(request), `${namespace}.upload`, ...access.writers)
    return this.#uploads.post(request, () => access.charge(request, prices.insert))
  }

  #admitWrite(request: StandInRequest, units: number): void {
    const { access } = this.#service
    access.charge(request, units)
    access.requireScope(access.callerOf(request), ...access.writers)
  }

  readonly #updateVideo = (request: StandInRequest): StandInAnswer => {
    this.#admitWrite(request, prices.update)
    checkParameters(request, ['part', 'onBehalfOfContentOwner'])
    const parts = readParts(request, partNames)
    const body = readResource(request.json(), parts)
    const video = this.#ownVideo(body.id)
    const changed: Video = { ...video, parts: writtenParts(body, parts, video.parts) }
    this.#service.catalogue().videos.set(video.id, changed)
    request.recordWrite(video.id)
    return { status: 200, body: videoResource(changed, parts, {}, this.#service) }
  }

  readonly #deleteVideo = (request: StandInRequest): StandInAnswer => {
    this.#admitWrite(request, prices.delete)
    checkParameters(request, ['id', 'onBehalfOfContentOwner'])
    const video = this.#ownVideo(request.query.get('id'))
    this.#service.catalogue().videos.delete(video.id)
    this.#service.catalogue().threads.delete(video.id)
    request.recordWrite(video.id)
    return { status: 204 }
  }

  #route(
    method: string,
    path: string,
    operation: string,
    handle: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>,
  ): Route {
    const handler: Route['handler'] = async (request) => {
      try {
        return await handle(request)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        return answerOf(error, this.#service.namespace)
      }
    }
    return { method, path, operation, handler }
  }
}
