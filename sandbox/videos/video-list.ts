/** The list operation on videos: by ids, by chart, and by the caller's rating. */
import type { Caller } from '../caller.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import { prices } from './access.ts'
import { refuse } from './errors.ts'
import type { Catalogue, Json, Service, Video } from './model.ts'
import { checkParameters, pageOf, readFilter, readParts, readSize, readToken } from './parameters.ts'
import { etagOf, ownerParts, partNames, resourceAnswer, type VideoView, videoResource } from './resources.ts'
import { isSyntheticVideo, syntheticVideo } from './sample-videos.ts'
import { SerializedVideos } from './serialized-videos.ts'

interface VideoPage {
  readonly videos: readonly Video[]
  readonly next?: string | undefined
  readonly previous?: string | undefined
  readonly total: number
  readonly perPage: number
}

const filters = ['chart', 'id', 'myRating']
/** Parameters that go with the filter `chart` only. */
const ofCharts = ['regionCode', 'videoCategoryId']
const paging = ['maxResults', 'pageToken']
const ofView = ['hl', 'maxHeight', 'maxWidth']
const listParameters = ['part', ...filters, ...ofCharts, ...paging, ...ofView, 'onBehalfOfContentOwner']
const videoSizes = { most: 50, usual: 5 }
const idForm = /^[A-Za-z0-9_-]{1,64}$/

export function createVideoList(service: Service): (request: StandInRequest) => StandInAnswer {
  const { namespace, synthetic, access, catalogue, findVideo } = service
  const serialized = new SerializedVideos(namespace)

  /** A benchmark video that nobody has changed. */
  const isUnchanged = (id: string): boolean => isSyntheticVideo(id) && !catalogue().videos.has(id)

  function list(request: StandInRequest): StandInAnswer {
    access.charge(request, prices.list)
    const caller = access.callerOf(request)
    const again = synthetic ? serialized.again(request) : undefined
    if (again !== undefined) return again
    checkParameters(request, listParameters)
    const parts = readParts(request, partNames)
    const filter = readFilter(request, filters)
    const view = viewOf(request)
    const ids = filter === 'id' ? idsOf(request) : undefined
    const forOwners = parts.some((part) => ownerParts.has(part))
    if (synthetic && ids?.every(isUnchanged) === true) {
      if (forOwners) access.requireScope(caller, ...access.readers)
      const asked = `${parts.join(',')} ${JSON.stringify(view)}`
      return serialized.answer(request, ids, asked, (id) =>
        videoResource(syntheticVideo(id, namespace), parts, view, service),
      )
    }
    const page = ids === undefined ? byList(request, filter, caller) : byIds(ids, findVideo)
    if (forOwners) {
      access.requireScope(caller, ...access.readers)
      if (page.videos.some(({ owned }) => !owned)) {
        refuse(
          403,
          'forbidden',
          'The request is not properly authorized to access video file or processing information.',
          { domain: 'video', location: 'part' },
        )
      }
    }
    const items = page.videos.map((video) => videoResource(video, parts, view, service))
    const body: Json = {
      kind: `${namespace}#videoListResponse`,
      etag: etagOf([items.map(({ etag }) => etag), page.next]),
      nextPageToken: page.next,
      prevPageToken: page.previous,
      items,
      pageInfo: { totalResults: page.total, resultsPerPage: page.perPage },
    }
    return resourceAnswer(request, body.etag, body)
  }

  function byList(request: StandInRequest, filter: string, caller: Caller): VideoPage {
    const ids = filter === 'chart' ? chartIds(request, catalogue()) : ratedIds(request, caller)
    const { query } = request
    const list = `${filter} ${query.get(filter)} ${query.get('regionCode')} ${query.get('videoCategoryId')}`
    const size = readSize(request, videoSizes)
    const { page, next, previous } = pageOf(ids, list, readToken(request, list), size, 'even')
    const videos = page.flatMap((id) => findVideo(id) ?? [])
    return { videos, next, previous, total: ids.length, perPage: size }
  }

  function ratedIds({ query }: StandInRequest, caller: Caller): readonly string[] {
    if (ofCharts.some((name) => query.has(name)))
      refuse(400, 'incompatibleParameters', 'regionCode and videoCategoryId go with chart only.', {
        domain: 'parameter',
      })
    access.requireScope(caller, ...access.readers)
    const rating = query.get('myRating')
    if (rating !== 'like' && rating !== 'dislike')
      refuse(400, 'invalidParameter', `Invalid value '${rating}'.`, { location: 'myRating' })
    return rating === 'like' ? catalogue().liked : catalogue().disliked
  }

  return list
}

/** The chart of a region and a category. Each region has a third of the whole chart, and `ZZ` has none. */
function chartIds({ query }: StandInRequest, { chart, videos }: Catalogue): readonly string[] {
  if (query.get('chart') !== 'mostPopular') refuseChart(400)
  const region = query.get('regionCode')
  if (region !== null && !/^[A-Z]{2}$/.test(region))
    refuse(400, 'invalidRegionCode', 'The region code is invalid.', {
      domain: 'parameter',
      location: 'regionCode',
    })
  const category = query.get('videoCategoryId')
  const isOfCategory = (id: string): boolean =>
    category === null || category === '0' || videos.get(id)?.parts.snippet?.categoryId === category
  const ofRegion =
    region === null ? chart : chart.filter((_, i) => (i + (region.codePointAt(0) ?? 0)) % 3 === 0)
  const ids = ofRegion.filter(isOfCategory)
  if (ids.length === 0 || region === 'ZZ') refuseChart(404)
  return ids
}

function refuseChart(status: number): never {
  refuse(status, 'videoChartNotFound', 'The requested video chart is not supported or is not available.', {
    domain: 'video',
    location: 'chart',
  })
}

function byIds(ids: readonly string[], findVideo: Service['findVideo']): VideoPage {
  const videos = ids.flatMap((id) => findVideo(id) ?? [])
  return { videos, total: videos.length, perPage: videos.length }
}

/** Each id once. The contract promises no order, so the order differs from that of the request. */
function idsOf(request: StandInRequest): string[] {
  if (paging.some((name) => request.query.has(name))) {
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
    })
  }
  if (ids.length === 0 || ids.some((id) => !idForm.test(id))) {
    refuse(400, 'invalidParameter', 'Invalid video id.', { location: 'id' })
  }
  return [...new Set(ids)].reverse()
}

function viewOf({ query }: StandInRequest): VideoView {
  const size = (name: string): number | undefined => {
    const text = query.get(name)
    if (text === null) return undefined
    if (!/^\d+$/.test(text) || Number(text) < 72 || Number(text) > 8192) {
      refuse(400, 'invalidParameter', 'Values must be within the range: [72, 8192]', { location: name })
    }
    return Number(text)
  }
  return { hl: query.get('hl') ?? undefined, maxHeight: size('maxHeight'), maxWidth: size('maxWidth') }
}
