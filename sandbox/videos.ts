/**
 * The stand-in of the video and comment-thread service, as strict as its public contract: filters, parts,
 * bounds, page tokens, quota, error bodies, part-wise updates, uploads. Items come in another order than they
 * were asked for, and ids that do not exist are simply missing.
 */
import { randomBytes } from 'node:crypto'
import {
  type Caller,
  callerFrom,
  type Route,
  type StandIn,
  type StandInAnswer,
  type StandInRequest,
} from './stand-in.ts'
import {
  type Catalogue,
  createCatalogue,
  type Json,
  sampleChannels,
  syntheticVideo,
  type Video,
} from './videos/data.ts'
import { answerOf, Refused, refuse } from './videos/errors.ts'
import { checkParameters, pageOf, readFilter, readParts, readSize, readToken } from './videos/parameters.ts'
import { prices } from './videos/prices.ts'
import { etagOf, type Rendering, resourceAnswer, videoResource } from './videos/resources.ts'
import { createThreads } from './videos/threads.ts'
import { createUploads, type ReceivedUpload } from './videos/uploads.ts'
import { newVideo, readResource, writtenParts } from './videos/writes.ts'

export { sampleChannels, sampleVideos } from './videos/data.ts'
export type { ReceivedUpload } from './videos/uploads.ts'

export interface VideosStandInOptions {
  /** The path segment, and the name in kinds and error domains. */
  readonly namespace: string
  readonly requireAuth: boolean
  /** Whether every well-formed id that begins with `syn` exists. */
  readonly synthetic: boolean
  /** Units a day; no end unless given. */
  readonly dailyQuota: number | undefined
  readonly now: () => number
}

export interface VideosStandIn extends StandIn {
  readonly uploads: readonly ReceivedUpload[]
}

const partNames = [
  'id',
  'snippet',
  'contentDetails',
  'status',
  'statistics',
  'player',
  'topicDetails',
  'recordingDetails',
  'fileDetails',
  'processingDetails',
  'suggestions',
  'liveStreamingDetails',
  'localizations',
] as const
const ownerParts: ReadonlySet<string> = new Set(['fileDetails', 'processingDetails', 'suggestions'])
const videoSizes = { most: 50, usual: 5 }
const idForm = /^[A-Za-z0-9_-]{1,64}$/

/** Made once: one holds 27 KiB beside the heap until that is collected, and takes longer than an answer. */
const days = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' })

/** The day where the service is at home. */
function dayAt(now: number): string {
  return days.format(now)
}

export function createVideosStandIn(options: VideosStandInOptions): VideosStandIn {
  const { namespace, requireAuth, synthetic, dailyQuota, now } = options
  let catalogue: Catalogue = createCatalogue(namespace)
  let spent = { day: dayAt(now()), units: 0 }
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

  function charge(request: StandInRequest, units: number): void {
    const day = dayAt(now())
    if (day !== spent.day) spent = { day, units: 0 }
    if (dailyQuota !== undefined && spent.units + units > dailyQuota) {
      refuse(
        403,
        'quotaExceeded',
        'The request cannot be completed because you have exceeded your <a href="/quota">quota</a>.',
        {
          domain: 'quota',
        },
      )
    }
    spent.units += units
    request.charge(units)
  }

  /** Who calls; a key alone names nobody. */
  function callerOf(request: StandInRequest): Caller {
    const caller = callerFrom(request.headers, requireAuth)
    const key = request.query.get('key') ?? request.headers['x-goog-api-key']
    if (key !== undefined && key !== null && !/^[\w.:-]{1,200}$/.test(String(key))) {
      refuse(400, 'keyInvalid', 'Bad Request', { domain: 'usageLimits' })
    }
    if (requireAuth && caller.anonymous && (key === undefined || key === null)) {
      refuse(403, 'forbidden', 'The request is missing a valid API key.')
    }
    return caller
  }

  function requireScope(caller: Caller, ...names: readonly string[]): void {
    if (caller.anonymous && !caller.has('')) {
      refuse(401, 'required', 'Login Required.', { location: 'Authorization', locationType: 'header' })
    }
    if (!names.some((name) => caller.has(name) || caller.has(`https://www.googleapis.com/auth/${name}`))) {
      refuse(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
    }
  }
  const readers = [namespace, `${namespace}.force-ssl`, `${namespace}.readonly`]
  const writers = [namespace, `${namespace}.force-ssl`]

  function findVideo(id: string): Video | undefined {
    return (
      catalogue.videos.get(id) ??
      (synthetic && id.startsWith('syn') ? syntheticVideo(id, namespace) : undefined)
    )
  }

  const threads = createThreads({
    namespace,
    synthetic,
    now,
    catalogue: () => catalogue,
    findVideo,
    rendering,
    charge,
    callerOf,
    requireScope,
  })

  /** Texts of answers that never change, for benchmarks. */
  const remembered = new Map<string, string>()

  function listVideos(request: StandInRequest): StandInAnswer {
    charge(request, prices.list)
    const caller = callerOf(request)
    const key = synthetic ? request.query.toString() : undefined
    const known = key === undefined ? undefined : remembered.get(key)
    if (known !== undefined) return { status: 200, body: known }
    checkParameters(request, [
      'part',
      'chart',
      'id',
      'myRating',
      'maxResults',
      'pageToken',
      'hl',
      'regionCode',
      'videoCategoryId',
      'maxHeight',
      'maxWidth',
      'onBehalfOfContentOwner',
    ])
    const parts = readParts(request, partNames)
    const filter = readFilter(request, ['chart', 'id', 'myRating'])
    const size = (name: string): number | undefined => {
      const text = request.query.get(name)
      if (text === null) return undefined
      if (!/^\d+$/.test(text) || Number(text) < 72 || Number(text) > 8192) {
        refuse(400, 'invalidParameter', `Values must be within the range: [72, 8192]`, { location: name })
      }
      return Number(text)
    }
    const view = {
      hl: request.query.get('hl') ?? undefined,
      maxHeight: size('maxHeight'),
      maxWidth: size('maxWidth'),
    }
    const page = filter === 'id' ? byIds(request) : byList(request, filter, caller)
    if (parts.some((part) => ownerParts.has(part))) {
      requireScope(caller, ...readers)
      if (page.videos.some(({ owned }) => !owned)) {
        refuse(
          403,
          'forbidden',
          'The request is not properly authorized to access video file or processing information.',
          {
            domain: 'video',
            location: 'part',
          },
        )
      }
    }
    const items = page.videos.map((video) => videoResource(video, parts, view, rendering()))
    const body: Json = {
      kind: `${namespace}#videoListResponse`,
      etag: etagOf([items.map(({ etag }) => etag), page.next]),
      ...(page.next === undefined ? {} : { nextPageToken: page.next }),
      ...(page.previous === undefined ? {} : { prevPageToken: page.previous }),
      items,
      pageInfo: { totalResults: page.total, resultsPerPage: page.perPage },
    }
    if (key !== undefined && filter === 'id') {
      if (remembered.size > 20_000) remembered.clear()
      remembered.set(key, JSON.stringify(body))
    }
    return resourceAnswer(request, body)
  }

  interface VideoPage {
    readonly videos: readonly Video[]
    readonly next?: string | undefined
    readonly previous?: string | undefined
    readonly total: number
    readonly perPage: number
  }

  function byIds(request: StandInRequest): VideoPage {
    const paging = ['maxResults', 'pageToken'].filter((name) => request.query.has(name))
    if (paging.length > 0) {
      refuse(400, 'unexpectedParameter', 'The request specifies unexpected pagination parameters.', {
        domain: 'parameter',
        location: 'maxResults,pageToken',
      })
    }
    const ids = request.list('id')
    if (ids.length > 50) {
      refuse(400, 'invalidFilters', 'The request specifies an invalid filter parameter.', {
        domain: 'parameter',
        location: 'parameters.',
        locationType: 'other',
      })
    }
    if (ids.length === 0 || ids.some((id) => !idForm.test(id))) {
      refuse(400, 'invalidParameter', 'Invalid video id.', { location: 'id' })
    }
    // Another order than asked: nobody promised one.
    const videos = [...new Set(ids)].reverse().flatMap((id) => findVideo(id) ?? [])
    return { videos, total: videos.length, perPage: videos.length }
  }

  function byList(request: StandInRequest, filter: string, caller: Caller): VideoPage {
    let ids: readonly string[]
    const value = request.query.get(filter)
    const region = request.query.get('regionCode')
    const category = request.query.get('videoCategoryId')
    if (filter === 'chart') {
      if (value !== 'mostPopular')
        refuse(400, 'videoChartNotFound', 'The requested video chart is not supported or is not available.', {
          domain: 'video',
          location: 'chart',
        })
      if (region !== null && !/^[A-Z]{2}$/.test(region))
        refuse(400, 'invalidRegionCode', 'The region code is invalid.', {
          domain: 'parameter',
          location: 'regionCode',
        })
      const all =
        region === null
          ? catalogue.chart
          : catalogue.chart.filter((_, i) => (i + (region.codePointAt(0) ?? 0)) % 3 === 0)
      ids = all.filter(
        (id) =>
          category === null ||
          category === '0' ||
          catalogue.videos.get(id)?.parts.snippet?.categoryId === category,
      )
      if (ids.length === 0 || region === 'ZZ') {
        refuse(404, 'videoChartNotFound', 'The requested video chart is not supported or is not available.', {
          domain: 'video',
          location: 'chart',
        })
      }
    } else {
      if (region !== null || category !== null)
        refuse(400, 'incompatibleParameters', 'regionCode and videoCategoryId go with chart only.', {
          domain: 'parameter',
        })
      requireScope(caller, ...readers)
      if (value !== 'like' && value !== 'dislike')
        refuse(400, 'invalidParameter', `Invalid value '${value}'.`, { location: 'myRating' })
      ids = value === 'like' ? catalogue.liked : catalogue.disliked
    }
    const list = `${filter} ${value} ${region} ${category}`
    const size = readSize(request, videoSizes)
    const { page, next, previous } = pageOf(ids, list, readToken(request, list), size, 'even')
    return {
      videos: page.flatMap((id) => findVideo(id) ?? []),
      next,
      previous,
      total: ids.length,
      perPage: size,
    }
  }

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
    request.wrote(video.id)
    return { status: 200, body: videoResource(changed, parts, {}, rendering()) }
  }

  function deleteVideo(request: StandInRequest): StandInAnswer {
    charge(request, prices.delete)
    requireScope(callerOf(request), ...writers)
    checkParameters(request, ['id', 'onBehalfOfContentOwner'])
    const video = ownVideo(request.query.get('id'))
    catalogue.videos.delete(video.id)
    catalogue.threads.delete(video.id)
    request.wrote(video.id)
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
      route('GET', `/${namespace}/v3/videos`, 'videos.list', listVideos),
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
          if (uploads.received.length > before) request.wrote(uploads.received.at(-1)?.videoId ?? '')
          return answer
        },
        true,
      ),
    ],
    reset() {
      catalogue = createCatalogue(namespace)
      spent = { day: dayAt(now()), units: 0 }
      remembered.clear()
      threads.reset()
      uploads.reset()
    },
  }
}
