/** The operations on comment threads: the lists of a video and of a channel, replies, and new threads. */
import { randomBytes } from 'node:crypto'
import { type Printed, print } from '../printed.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import { type Access, prices } from './access.ts'
import { refuse } from './errors.ts'
import type { Catalogue, Json, Paging, Thread, Video } from './model.ts'
import { checkParameters, pageOf, readFilter, readParts, readSize, readToken } from './parameters.ts'
import { etagOf, type Rendering, repliesOf, resourceAnswer, threadResource } from './resources.ts'
import { sampleChannels } from './sample-ids.ts'
import { syntheticThreads } from './sample-threads.ts'
import { readResource } from './writes.ts'

const threadSizes = { most: 100, usual: 20 }

interface ThreadsParts {
  readonly namespace: string
  readonly synthetic: boolean
  readonly now: () => number
  readonly catalogue: () => Catalogue
  findVideo(id: string): Video | undefined
  rendering(): Rendering
  readonly access: Access
}

export class CommentThreads {
  readonly #parts: ThreadsParts
  /** Printed responses for benchmarks, which never change. */
  readonly #kept = new Map<string, Printed>()

  constructor(parts: ThreadsParts) {
    this.#parts = parts
  }

  reset(): void {
    this.#kept.clear()
  }

  list(request: StandInRequest): StandInAnswer {
    this.#parts.access.charge(request, prices.list)
    const caller = this.#parts.access.callerOf(request)
    const key = this.#parts.synthetic ? request.query.toString() : undefined
    const known = key === undefined ? undefined : this.#kept.get(key)
    if (known !== undefined) return { status: 200, body: known }
    checkParameters(request, [
      'part',
      'videoId',
      'channelId',
      'allThreadsRelatedToChannelId',
      'id',
      'maxResults',
      'order',
      'moderationStatus',
      'searchTerms',
      'textFormat',
      'pageToken',
    ])
    const parts = readParts(request, ['id', 'snippet', 'replies'])
    const filter = readFilter(request, ['videoId', 'channelId', 'allThreadsRelatedToChannelId', 'id'])
    const value = request.query.get(filter) ?? ''
    const order = request.query.get('order') ?? 'time'
    if (order !== 'time' && order !== 'relevance')
      refuse(400, 'invalidParameter', `Invalid value '${order}'.`, { location: 'order' })
    const moderation = request.query.get('moderationStatus') ?? 'published'
    if (!['published', 'heldForReview', 'likelySpam'].includes(moderation))
      refuse(400, 'invalidParameter', `Invalid value '${moderation}'.`, { location: 'moderationStatus' })
    if (moderation !== 'published')
      this.#parts.access.requireScope(caller, `${this.#parts.namespace}.force-ssl`)
    const html = (request.query.get('textFormat') ?? 'html') === 'html'
    const { items, paging } = this.#threadsBy(request, filter, value)
    const terms = (request.query.get('searchTerms') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    const shown = items.filter((thread) => (thread.moderation ?? 'published') === moderation)
    const found = shown.filter(({ text }) => terms.every((term) => text.toLowerCase().includes(term)))
    const sorted = order === 'time' ? found : [...found].sort((a, b) => b.likes - a.likes)
    const listed = `${filter} ${value} ${order} ${moderation} ${terms.join(' ')}`
    const size = readSize(request, threadSizes)
    const { page, next } = pageOf(sorted, listed, readToken(request, listed), size, paging)
    const resources = page.map((thread) => threadResource(thread, parts, html, this.#parts.rendering()))
    const body: Json = {
      kind: `${this.#parts.namespace}#commentThreadListResponse`,
      etag: etagOf([resources.map(({ etag }) => etag), next]),
      ...(next === undefined ? {} : { nextPageToken: next }),
      pageInfo: { totalResults: page.length, resultsPerPage: size },
      items: resources,
    }
    if (key !== undefined) {
      if (this.#kept.size > 20_000) this.#kept.clear()
      this.#kept.set(key, print(body))
    }
    return resourceAnswer(request, body.etag, body)
  }

  replies(request: StandInRequest): StandInAnswer {
    this.#parts.access.charge(request, prices.list)
    this.#parts.access.callerOf(request)
    checkParameters(request, ['part', 'parentId', 'maxResults', 'pageToken', 'textFormat'])
    readParts(request, ['id', 'snippet'])
    const parentId = request.query.get('parentId')
    const thread = [...this.#parts.catalogue().threads.values()]
      .flatMap(({ items }) => items)
      .find(({ id }) => id === parentId)
    if (thread === undefined)
      refuse(404, 'commentNotFound', 'The comment could not be found.', {
        domain: 'comment',
        location: 'parentId',
      })
    const html = (request.query.get('textFormat') ?? 'html') === 'html'
    const size = readSize(request, threadSizes)
    const listed = `parentId ${parentId}`
    const { page, next } = pageOf(
      repliesOf(thread, html, this.#parts.rendering()),
      listed,
      readToken(request, listed),
      size,
      'even',
    )
    return {
      status: 200,
      body: {
        kind: `${this.#parts.namespace}#commentListResponse`,
        etag: etagOf(page),
        ...(next === undefined ? {} : { nextPageToken: next }),
        pageInfo: { totalResults: page.length, resultsPerPage: size },
        items: page,
      },
    }
  }

  insert(request: StandInRequest): StandInAnswer {
    this.#parts.access.charge(request, prices.insertThread)
    this.#parts.access.requireScope(
      this.#parts.access.callerOf(request),
      `${this.#parts.namespace}.force-ssl`,
    )
    checkParameters(request, ['part'])
    const parts = readParts(request, ['id', 'snippet', 'replies'])
    const body = readResource(request.json(), parts)
    const snippet = (body.snippet ?? {}) as Json
    const comment = ((snippet.topLevelComment as Json | undefined)?.snippet ?? {}) as Json
    const text = comment.textOriginal
    const { videoId, channelId } = snippet as { videoId?: string; channelId?: string }
    if (videoId === undefined && channelId === undefined) {
      refuse(400, 'channelOrVideoIdMissing', 'The request must specify a channel or a video.', {
        domain: 'commentThread',
      })
    }
    if (typeof text !== 'string' || text === '')
      refuse(400, 'commentTextRequired', 'The comment text is required.', { domain: 'commentThread' })
    if ([...text].length > 10_000)
      refuse(400, 'commentTextTooLong', 'The comment text is too long.', { domain: 'commentThread' })
    const video = videoId === undefined ? undefined : this.#parts.findVideo(videoId)
    if (videoId !== undefined && video === undefined)
      refuse(404, 'videoNotFound', 'The video could not be found.', { domain: 'commentThread' })
    if (videoId !== undefined && this.#parts.catalogue().commentsDisabled.has(videoId))
      refuse(403, 'commentsDisabled', 'Comments are disabled.', { domain: 'commentThread' })
    if (videoId === undefined && channelId !== undefined && !sampleChannels.all.includes(channelId)) {
      refuse(404, 'channelNotFound', 'The channel could not be found.', { domain: 'commentThread' })
    }
    const thread: Thread = {
      id: `Ug${randomBytes(18).toString('base64url')}`,
      videoId,
      channelId: channelId ?? String(video?.parts.snippet?.channelId ?? sampleChannels.own),
      text,
      author: { name: 'Demo', channelId: sampleChannels.own },
      likes: 0,
      publishedAt: new Date(this.#parts.now()).toISOString(),
      replies: [],
    }
    const key = videoId ?? channelId ?? ''
    const kept = this.#parts.catalogue().threads.get(key)
    if (kept === undefined) this.#parts.catalogue().threads.set(key, { paging: 'even', items: [thread] })
    else kept.items.unshift(thread)
    request.recordWrite(thread.id)
    return { status: 200, body: threadResource(thread, parts, true, this.#parts.rendering()) }
  }

  #threadsBy(
    request: StandInRequest,
    filter: string,
    value: string,
  ): { items: readonly Thread[]; paging: Paging } {
    switch (filter) {
      case 'videoId': {
        if (this.#parts.findVideo(value) === undefined) {
          refuse(404, 'videoNotFound', 'The video identified by the videoId parameter could not be found.', {
            domain: 'commentThread',
            location: 'videoId',
          })
        }
        if (this.#parts.catalogue().commentsDisabled.has(value)) {
          refuse(
            403,
            'commentsDisabled',
            `The video identified by the <code><a href="/docs">videoId</a></code> parameter has disabled comments.`,
            { domain: 'commentThread', location: 'videoId' },
          )
        }
        const kept = this.#parts.catalogue().threads.get(value)
        return kept ?? { items: this.#parts.synthetic ? syntheticThreads(value) : [], paging: 'even' }
      }
      case 'channelId':
      case 'allThreadsRelatedToChannelId': {
        if (!sampleChannels.all.includes(value)) {
          refuse(
            404,
            'channelNotFound',
            'The channel identified by the channelId parameter could not be found.',
            { domain: 'commentThread', location: 'channelId' },
          )
        }
        const own = this.#parts.catalogue().threads.get(value) ?? { items: [], paging: 'even' as const }
        if (filter === 'channelId') return own
        const all = [...this.#parts.catalogue().threads.values()].flatMap(({ items }) => items)
        return {
          items: [
            ...own.items,
            ...all.filter(
              ({ videoId, channelId }) =>
                videoId !== undefined &&
                channelId === value &&
                !own.items.some((thread) => thread.videoId === videoId),
            ),
          ],
          paging: 'even',
        }
      }
      default: {
        const mixed = ['maxResults', 'moderationStatus', 'order', 'pageToken', 'searchTerms'].find((name) =>
          request.query.has(name),
        )
        if (mixed !== undefined)
          refuse(400, 'incompatibleParameters', `id does not go with ${mixed}.`, { domain: 'parameter' })
        const ids = new Set(request.list('id'))
        return {
          items: [...this.#parts.catalogue().threads.values()].flatMap(({ items }) =>
            items.filter(({ id }) => ids.has(id)),
          ),
          paging: 'even',
        }
      }
    }
  }
}
