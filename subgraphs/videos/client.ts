/**
 * The endpoints of the video service, one function each: path, parameters, body and result. Nothing here knows
 * GraphQL. Only reads may be repeated.
 */

import type { SubgraphRequest } from '../../shared/request.ts'
import { createGrowingCache } from '../../shared/runtime/growing-cache.ts'
import type { ServiceOperation } from '../../shared/service-calls.ts'
import type { UpstreamCall } from '../../shared/upstream.ts'
import { inPlaces, isObject, type Json, malformed, objectOf, textOf, wellFormed } from '../kit/json.ts'
import { callOf, fillPath, queryOf } from '../kit/operation.ts'
import type { Page, PageTokens } from '../kit/pagination/index.ts'
import { maxAgeMs } from '../kit/polling/index.ts'
import { malformedOutcome, type Upstream, type UpstreamResponse } from '../kit/rest-client/index.ts'
import { type CommentModel, isResource, type ThreadModel, type VideoModel } from './model.ts'
import { operations, type PricedOperation, type Prices } from './operations.ts'
import { type Parts, partParameter } from './parts.ts'

export type VideoFilter = ({ readonly chart: string } | { readonly myRating: string }) &
  Readonly<Record<string, string | undefined>>

export interface ThreadFilter {
  readonly by: 'videoId' | 'channelId' | 'allThreadsRelatedToChannelId'
  readonly id: string
  readonly order: 'time' | 'relevance'
  readonly searchTerms?: string | undefined
  readonly withReplies: boolean
  /** In the service's words. The default is published threads. */
  readonly moderationStatus?: string | undefined
}

export interface PageOptions {
  readonly token: string | undefined
  readonly size: number
}

export interface NewUpload {
  readonly metadata: Json
  /** The parts that the metadata set. The service returns them with the video. */
  readonly parts: readonly string[]
  readonly notifySubscribers: boolean | undefined
  readonly contentType: string
  readonly contentLength: number
}

type Listing = typeof operations.list | typeof operations.listThreads | typeof operations.listComments

interface VideosClientOptions {
  /** The first path segment of the service's API. */
  readonly namespace: string
  readonly prices: Prices
}

const mostEtags = 5000

export class VideosClient {
  readonly #upstream: Upstream
  readonly #options: VideosClientOptions
  readonly #videosPath
  readonly #threadsPath
  // Without this parameter, the service pads its JSON with white space.
  readonly #compact = '&prettyPrint=false'
  /** The ETags of the last polls. */
  readonly #etags = createGrowingCache<string>(mostEtags)
  /** What is known of the service's page tokens. */
  readonly tokens: PageTokens = { boundToSize: false }

  constructor(upstream: Upstream, options: VideosClientOptions) {
    this.#upstream = upstream
    this.#options = options
    this.#videosPath = this.#pathOf(operations.list)
    this.#threadsPath = this.#pathOf(operations.listThreads)
  }

  /**
   * Looks up at most `operations.list.maxIds` ids, each once. Videos that do not exist are missing from the result.
   * If a video is malformed, each missing id has an error. `view` is parameters of the call, each as `&name=value`, that
   * say how the videos are shown. A write that depends on the result is not `cacheable`.
   */
  async videosById(
    ids: readonly string[],
    parts: Parts,
    request: SubgraphRequest,
    { view = '', cacheable }: { readonly view?: string; readonly cacheable?: boolean } = {},
  ): Promise<Map<string, VideoModel | Error>> {
    const path = this.#videosPathOf(ids, parts) + view
    return this.#byId(ids, await this.#list(operations.list, path, request, cacheable))
  }

  async videoPage(
    filter: VideoFilter,
    parts: Parts,
    { token, size }: PageOptions,
    request: SubgraphRequest,
  ): Promise<Page<VideoModel>> {
    const selected = queryOf({ ...filter, maxResults: size, pageToken: token })
    const path = `${this.#videosPath}?part=${partParameter(parts)}${selected}${this.#compact}`
    const response = await this.#list(operations.list, path, request)
    const json = this.#objectOf(response)
    const { totalResults } = objectOf(json.pageInfo)
    return {
      ...this.#itemsOf(response),
      next: textOf(json.nextPageToken),
      previous: textOf(json.prevPageToken),
      total: typeof totalResults === 'number' ? totalResults : null,
    }
  }

  /**
   * Looks up at most `operations.listThreads.maxIds` ids, each once. Threads that do not exist are missing from the
   * result.
   */
  async threadsById(
    ids: readonly string[],
    withReplies: boolean,
    request: SubgraphRequest,
  ): Promise<Map<string, ThreadModel | Error>> {
    const path = `${this.#threadsPath}?part=${withReplies ? 'snippet,replies' : 'snippet'}&id=${ids.join(',')}${this.#compact}`
    return this.#byId(ids, await this.#list(operations.listThreads, path, request))
  }

  async replyPage(
    threadId: string,
    { token, size }: PageOptions,
    request: SubgraphRequest,
  ): Promise<Page<CommentModel>> {
    const selected = queryOf({ parentId: threadId, maxResults: size, pageToken: token })
    const path = `${this.#pathOf(operations.listComments)}?part=snippet${selected}${this.#compact}`
    return this.#threadsOf(await this.#list(operations.listComments, path, request))
  }

  async threadPage(
    filter: ThreadFilter,
    page: PageOptions,
    request: SubgraphRequest,
  ): Promise<Page<ThreadModel>> {
    return this.#threadsOf(
      await this.#list(operations.listThreads, this.#threadsPathOf(filter, page), request),
    )
  }

  /**
   * Polls at most `operations.list.maxIds` ids. With `conditional`, the result is undefined if nothing changed
   * since the last time. `hasMalformed` says whether one of the videos is malformed.
   */
  async pollVideos(ids: readonly string[], parts: Parts, conditional: boolean, request: SubgraphRequest) {
    const call = this.#listCall(operations.list, this.#videosPathOf(ids, parts))
    const response = await this.#poll(call, conditional, request)
    if (response === undefined) return undefined
    const { items, malformedCount } = this.#itemsOf(response)
    return {
      found: new Map(items.map((item) => [item.id, item])),
      hasMalformed: malformedCount > 0,
      hintMs: maxAgeMs(response.headers),
    }
  }

  /**
   * Polls the newest threads of a video with their replies, with undefined at the place of a malformed one. With
   * `conditional`, the result is undefined if nothing changed since the last time.
   */
  async pollThreads(
    videoId: string,
    token: string | undefined,
    conditional: boolean,
    request: SubgraphRequest,
  ) {
    const filter = { by: 'videoId', id: videoId, order: 'time', withReplies: true } as const
    const page = { token, size: operations.listThreads.pages.maxPageSize }
    const call = this.#listCall(operations.listThreads, this.#threadsPathOf(filter, page))
    const response = await this.#poll(call, conditional, request)
    if (response === undefined) return undefined
    const { next } = this.#threadsOf(response)
    const items = inPlaces(this.#objectOf(response).items ?? [], isResource) ?? []
    return { items, next, hintMs: maxAgeMs(response.headers) }
  }

  /** Returns the parts that the service sent back, which may be none. */
  async update(video: VideoModel, parts: readonly string[], request: SubgraphRequest): Promise<VideoModel> {
    const query = `part=${parts.join(',')}${this.#compact}`
    const response = await this.#write(operations.update, query, video, request)
    return response.body === undefined ? { id: video.id } : this.#writtenOf(response)
  }

  async delete(videoId: string, request: SubgraphRequest): Promise<void> {
    await this.#write(operations.delete, `id=${videoId}`, undefined, request)
  }

  async insertThread(thread: Json, request: SubgraphRequest): Promise<ThreadModel> {
    return this.#writtenOf(
      await this.#write(operations.insertThread, `part=snippet${this.#compact}`, thread, request),
    )
  }

  /** Opens a session for the bytes of a new video. Returns its address, unchecked. */
  async openUpload(upload: NewUpload, request: SubgraphRequest): Promise<unknown> {
    const { metadata, parts, notifySubscribers, contentType, contentLength } = upload
    const notify = queryOf({ notifySubscribers: notifySubscribers?.toString() })
    const path = `${this.#pathOf(operations.insert)}?uploadType=resumable&part=${parts.join(',')}${notify}`
    const { headers } = await this.#upstream.send<unknown>(
      callOf(operations.insert, path, {
        body: JSON.stringify(metadata),
        contentType: 'application/json; charset=UTF-8',
        headers: { 'x-upload-content-length': String(contentLength), 'x-upload-content-type': contentType },
        units: this.unitsOf(operations.insert),
      }),
      request,
    )
    return headers.location
  }

  /** The price of a call in units. */
  unitsOf(operation: PricedOperation): number {
    return this.#options.prices[operation.name] ?? operation.units
  }

  #pathOf(operation: ServiceOperation): string {
    return fillPath(operation, { namespace: this.#options.namespace })
  }

  #unexpected(what: string, status: number): Error {
    return malformed(this.#upstream.service, `The video service returned ${what}.`, status)
  }

  #listCall(operation: Listing, path: string, cacheable: boolean = operation.cacheable): UpstreamCall {
    return callOf(operation, path, { units: this.unitsOf(operation), cacheable })
  }

  #list(
    operation: Listing,
    path: string,
    request: SubgraphRequest,
    cacheable?: boolean,
  ): Promise<UpstreamResponse<unknown>> {
    return this.#upstream.send(this.#listCall(operation, path, cacheable), request)
  }

  /** Undefined if it is `conditional` and nothing changed since the last answer to the same call. */
  async #poll(call: UpstreamCall, conditional: boolean, request: SubgraphRequest) {
    const key = `${this.#upstream.credentialKey(request)}\n${call.path}`
    const etag = conditional ? this.#etags.get(key) : undefined
    const condition =
      etag === undefined ? {} : { headers: { ...call.headers, 'if-none-match': etag }, accept: [304] }
    const response = await this.#upstream.send<unknown>({ ...call, cacheable: false, ...condition }, request)
    if (response.status === 304) return undefined
    if (response.headers.etag === undefined) this.#etags.delete(key)
    else this.#etags.set(key, response.headers.etag)
    return response
  }

  #videosPathOf(ids: readonly string[], parts: Parts): string {
    return `${this.#videosPath}?part=${partParameter(parts)}&id=${ids.join(',')}${this.#compact}`
  }

  #threadsPathOf(
    { by, id, order, searchTerms, withReplies, moderationStatus }: ThreadFilter,
    { token, size }: PageOptions,
  ): string {
    const selected = queryOf({
      [by]: id,
      maxResults: size,
      order: order === 'time' ? undefined : order,
      moderationStatus,
      searchTerms,
      pageToken: token,
    })
    return `${this.#threadsPath}?part=${withReplies ? 'snippet,replies' : 'snippet'}${selected}${this.#compact}`
  }

  #threadsOf(response: UpstreamResponse<unknown>): Page<ThreadModel> {
    // The service's total is only the size of this page.
    return { ...this.#itemsOf(response), next: textOf(this.#objectOf(response).nextPageToken) }
  }

  #objectOf({ body, status }: UpstreamResponse<unknown>): Json {
    if (isObject(body)) return body
    throw this.#unexpected('something other than an object', status)
  }

  #itemsOf(response: UpstreamResponse<unknown>) {
    const found = wellFormed(this.#objectOf(response).items ?? [], isResource)
    if (found !== undefined) return found
    throw this.#unexpected('something other than a list of resources', response.status)
  }

  #byId(ids: readonly string[], response: UpstreamResponse<unknown>): Map<string, VideoModel | Error> {
    const { items, malformedCount } = this.#itemsOf(response)
    const found = new Map<string, VideoModel | Error>(items.map((item) => [item.id, item]))
    if (malformedCount === 0) return found
    const error = this.#unexpected('a malformed resource', response.status)
    for (const id of ids) if (!found.has(id)) found.set(id, error)
    return found
  }

  #writtenOf({ body, status }: UpstreamResponse<unknown>): Json & { readonly id: string } {
    if (isResource(body)) return body
    const message = 'The video service returned something other than a resource.'
    throw malformedOutcome(this.#upstream.service, message, status)
  }

  #write(
    operation: typeof operations.update | typeof operations.delete | typeof operations.insertThread,
    query: string,
    body: Json | undefined,
    request: SubgraphRequest,
  ): Promise<UpstreamResponse<unknown>> {
    return this.#upstream.send<unknown>(
      callOf(operation, `${this.#pathOf(operation)}?${query}`, {
        units: this.unitsOf(operation),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
      request,
    )
  }
}
