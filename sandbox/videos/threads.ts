/** The operations on comment threads: the lists of a video and of a channel, replies, and new threads. */
import { randomBytes } from 'node:crypto'
import { type SerializedJson, serialize } from '../serialized-json.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import { prices } from './access.ts'
import { refuse } from './errors.ts'
import type { Json, Service, Thread, ThreadList } from './model.ts'
import { checkParameters, pageOf, readFilter, readParts, readSize, readToken } from './parameters.ts'
import { etagOf, repliesOf, resourceAnswer, threadResource } from './resources.ts'
import { sampleChannels } from './sample-ids.ts'
import { syntheticThreads } from './samples.ts'
import { readResource } from './writes.ts'

const threadSizes = { most: 100, usual: 20 }
const threadParts = ['id', 'snippet', 'replies']
const filters = ['videoId', 'channelId', 'allThreadsRelatedToChannelId', 'id']
/** Parameters that do not go with the filter `id`. */
const listing = ['maxResults', 'moderationStatus', 'order', 'pageToken', 'searchTerms']
const domain = 'commentThread'

export function newThread(
  about: Pick<Thread, 'videoId' | 'channelId' | 'text' | 'author'>,
  now: number,
): Thread {
  const id = `Ug${randomBytes(18).toString('base64url')}`
  return { ...about, id, likes: 0, publishedAt: new Date(now).toISOString(), replies: [] }
}

function wantsHtml({ query }: StandInRequest): boolean {
  return (query.get('textFormat') ?? 'html') === 'html'
}

export class CommentThreads {
  readonly #service: Service
  /** Serialized responses for benchmarks, which never change. */
  readonly #kept = new Map<string, SerializedJson>()

  constructor(service: Service) {
    this.#service = service
  }

  list(request: StandInRequest): StandInAnswer {
    const { access, namespace, synthetic, findVideo } = this.#service
    access.charge(request, prices.list)
    const caller = access.callerOf(request)
    const key = synthetic ? request.query.toString() : undefined
    const known = key === undefined ? undefined : this.#kept.get(key)
    if (known !== undefined) return { status: 200, body: known }
    checkParameters(request, ['part', ...filters, ...listing, 'textFormat'])
    const parts = readParts(request, threadParts)
    const filter = readFilter(request, filters)
    const value = request.query.get(filter) ?? ''
    const order = request.query.get('order') ?? 'time'
    if (order !== 'time' && order !== 'relevance')
      refuse(400, 'invalidParameter', `Invalid value '${order}'.`, { location: 'order' })
    const moderation = request.query.get('moderationStatus') ?? 'published'
    if (!['published', 'heldForReview', 'likelySpam'].includes(moderation))
      refuse(400, 'invalidParameter', `Invalid value '${moderation}'.`, { location: 'moderationStatus' })
    if (moderation !== 'published') access.requireScope(caller, `${namespace}.force-ssl`)
    const html = wantsHtml(request)
    const { items, paging } = this.#threadsBy(request, filter, value)
    const isOwn = filter === 'videoId' ? findVideo(value)?.owned === true : value === sampleChannels.own
    if (moderation !== 'published' && !isOwn)
      refuse(403, 'forbidden', 'The request is not properly authorized.', {
        domain,
        location: 'moderationStatus',
      })
    const terms = (request.query.get('searchTerms') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    const shown = items.filter((thread) => (thread.moderation ?? 'published') === moderation)
    const found = shown.filter(({ text }) => terms.every((term) => text.toLowerCase().includes(term)))
    const sorted = order === 'time' ? found : [...found].sort((a, b) => b.likes - a.likes)
    const listed = `${filter} ${value} ${order} ${moderation} ${terms.join(' ')}`
    const size = readSize(request, threadSizes)
    const { page, next } = pageOf(sorted, listed, readToken(request, listed), size, paging)
    const resources = page.map((thread) => threadResource(thread, parts, html, namespace))
    const body: Json = {
      kind: `${namespace}#commentThreadListResponse`,
      etag: etagOf([resources.map(({ etag }) => etag), next]),
      nextPageToken: next,
      pageInfo: { totalResults: page.length, resultsPerPage: size },
      items: resources,
    }
    if (key !== undefined) {
      if (this.#kept.size > 20_000) this.#kept.clear()
      this.#kept.set(key, serialize(body))
    }
    return resourceAnswer(request, body.etag, body)
  }

  replies(request: StandInRequest): StandInAnswer {
    const { access, namespace } = this.#service
    access.charge(request, prices.list)
    access.callerOf(request)
    checkParameters(request, ['part', 'parentId', 'maxResults', 'pageToken', 'textFormat'])
    readParts(request, ['id', 'snippet'])
    const parentId = request.query.get('parentId')
    const thread = this.#all().find(({ id }) => id === parentId)
    if (thread === undefined)
      refuse(404, 'commentNotFound', 'The comment could not be found.', {
        domain: 'comment',
        location: 'parentId',
      })
    const size = readSize(request, threadSizes)
    const listed = `parentId ${parentId}`
    const all = repliesOf(thread, wantsHtml(request), namespace)
    const { page, next } = pageOf(all, listed, readToken(request, listed), size, 'even')
    return {
      status: 200,
      body: {
        kind: `${namespace}#commentListResponse`,
        etag: etagOf(page),
        nextPageToken: next,
        pageInfo: { totalResults: page.length, resultsPerPage: size },
        items: page,
      },
    }
  }

  insert(request: StandInRequest): StandInAnswer {
    const { access, namespace, now, catalogue, findVideo } = this.#service
    access.charge(request, prices.insertThread)
    access.requireScope(access.callerOf(request), `${namespace}.force-ssl`)
    checkParameters(request, ['part'])
    const parts = readParts(request, threadParts)
    const body = readResource(request.json(), parts)
    const snippet = (body.snippet ?? {}) as Json
    const comment = ((snippet.topLevelComment as Json | undefined)?.snippet ?? {}) as Json
    const text = comment.textOriginal
    const { videoId, channelId } = snippet as { videoId?: string; channelId?: string }
    const key = videoId ?? channelId
    if (key === undefined)
      refuse(400, 'channelOrVideoIdMissing', 'The request must specify a channel or a video.', { domain })
    if (typeof text !== 'string' || text === '')
      refuse(400, 'commentTextRequired', 'The comment text is required.', { domain })
    if ([...text].length > 10_000)
      refuse(400, 'commentTextTooLong', 'The comment text is too long.', { domain })
    const video = videoId === undefined ? undefined : findVideo(videoId)
    if (videoId !== undefined && video === undefined)
      refuse(404, 'videoNotFound', 'The video could not be found.', { domain })
    if (videoId !== undefined && catalogue().commentsDisabled.has(videoId))
      refuse(403, 'commentsDisabled', 'Comments are disabled.', { domain })
    if (videoId === undefined && !sampleChannels.all.includes(key))
      refuse(404, 'channelNotFound', 'The channel could not be found.', { domain })
    const channel = channelId ?? String(video?.parts.snippet?.channelId ?? sampleChannels.own)
    const author = { name: 'Demo', channelId: sampleChannels.own }
    const thread = newThread({ videoId, channelId: channel, text, author }, now())
    const kept = catalogue().threads.get(key)
    if (kept === undefined) catalogue().threads.set(key, { paging: 'even', items: [thread] })
    else kept.items.unshift(thread)
    request.recordWrite(thread.id)
    return { status: 200, body: threadResource(thread, parts, true, namespace) }
  }

  #all(): Thread[] {
    return [...this.#service.catalogue().threads.values()].flatMap(({ items }) => items)
  }

  #threadsBy(request: StandInRequest, filter: string, value: string): ThreadList {
    const { catalogue, findVideo, synthetic } = this.#service
    const kept = catalogue().threads.get(value)
    switch (filter) {
      case 'videoId':
        if (findVideo(value) === undefined) {
          refuse(404, 'videoNotFound', 'The video identified by the videoId parameter could not be found.', {
            domain,
            location: 'videoId',
          })
        }
        if (catalogue().commentsDisabled.has(value)) {
          refuse(
            403,
            'commentsDisabled',
            `The video identified by the <code><a href="/docs">videoId</a></code> parameter has disabled comments.`,
            { domain, location: 'videoId' },
          )
        }
        return kept ?? { items: synthetic ? syntheticThreads(value) : [], paging: 'even' }
      case 'channelId':
      case 'allThreadsRelatedToChannelId': {
        if (!sampleChannels.all.includes(value)) {
          refuse(
            404,
            'channelNotFound',
            'The channel identified by the channelId parameter could not be found.',
            { domain, location: 'channelId' },
          )
        }
        const own = kept ?? { items: [], paging: 'even' }
        if (filter === 'channelId') return own
        const onVideos = this.#all().filter(
          ({ videoId, channelId }) =>
            videoId !== undefined &&
            channelId === value &&
            !own.items.some((thread) => thread.videoId === videoId),
        )
        return { items: [...own.items, ...onVideos], paging: 'even' }
      }
      default: {
        const mixed = listing.find((name) => request.query.has(name))
        if (mixed !== undefined)
          refuse(400, 'incompatibleParameters', `id does not go with ${mixed}.`, { domain: 'parameter' })
        const ids = new Set(request.list('id'))
        return { items: this.#all().filter(({ id }) => ids.has(id)), paging: 'even' }
      }
    }
  }
}
