/**
 * The endpoints of the video service, one function each: path, parameters, body and what comes back.
 * Nothing here knows GraphQL. Only reads may be repeated.
 */
import type { Page } from '../lib/connection.ts'
import { tesseraError } from '../lib/errors.ts'
import type { SubgraphRequest } from '../lib/request.ts'
import type { Upstream, UpstreamResponse } from '../lib/upstream.ts'
import { isRecord, isResource, type Json, type ThreadModel, textOf, type VideoModel } from './model.ts'
import { type Parts, partParameter } from './parts.ts'

/** What the service charges, by operation, in units. */
export const prices = {
  'videos.list': 1,
  'videos.insert': 1600,
  'videos.update': 50,
  'videos.delete': 50,
  'commentThreads.list': 1,
  'commentThreads.insert': 50,
} as const
export type PricedOperation = keyof typeof prices

/** The most ids that one look-up takes. */
export const maxIds = 50
export const videoPages = { maxPageSize: 50, defaultPageSize: 5 } as const
export const threadPages = { maxPageSize: 100, defaultPageSize: 20 } as const

export type VideoFilter =
  | {
      readonly chart: string
      readonly regionCode?: string | undefined
      readonly videoCategoryId?: string | undefined
    }
  | { readonly myRating: string }

export interface ThreadFilter {
  readonly by: 'videoId' | 'channelId'
  readonly id: string
  readonly order: 'time' | 'relevance'
  readonly searchTerms: string | undefined
  readonly withReplies: boolean
}

export interface VideosClient {
  /** Up to `maxIds` ids, each once; those that do not exist are missing. */
  videosById(ids: readonly string[], parts: Parts, request: SubgraphRequest): Promise<Map<string, VideoModel>>
  videoPage(
    filter: VideoFilter,
    parts: Parts,
    page: { readonly token: string | undefined; readonly size: number },
    request: SubgraphRequest,
  ): Promise<Page<VideoModel>>
  threadPage(
    filter: ThreadFilter,
    page: { readonly token: string | undefined; readonly size: number },
    request: SubgraphRequest,
  ): Promise<Page<ThreadModel>>
  update(video: Json, parts: readonly string[], request: SubgraphRequest): Promise<VideoModel>
  delete(videoId: string, request: SubgraphRequest): Promise<void>
  insertThread(thread: Json, request: SubgraphRequest): Promise<ThreadModel>
}

export interface VideosClientOptions {
  /** The path segment that the service goes by. */
  readonly namespace: string
  readonly prices?: Readonly<Partial<Record<PricedOperation, number>>> | undefined
}

export function createVideosClient(upstream: Upstream, options: VideosClientOptions): VideosClient {
  const base = `/${options.namespace}/v3`
  const price = (operation: PricedOperation): number => options.prices?.[operation] ?? prices[operation]
  // The service pads its JSON with white space unless told not to.
  const compact = '&prettyPrint=false'

  function unexpected(what: string, status: number): Error {
    return tesseraError('UPSTREAM_BAD_RESPONSE', `The video service answered ${what}.`, {
      service: upstream.service,
      upstream: { status },
    })
  }

  function list(
    operation: PricedOperation,
    path: string,
    request: SubgraphRequest,
  ): Promise<UpstreamResponse<unknown>> {
    return upstream.send(
      { operation, method: 'GET', path, safe: true, cacheable: true, units: price(operation) },
      request,
    )
  }

  function objectOf({ body, status }: UpstreamResponse<unknown>): Json {
    if (isRecord(body)) return body
    throw unexpected('something other than an object', status)
  }

  function itemsOf(json: Json, status: number): readonly (Json & { readonly id: string })[] {
    const items = json.items ?? []
    if (Array.isArray(items) && items.every(isResource)) return items
    throw unexpected('something other than a list of resources', status)
  }

  function resourceOf({ body, status }: UpstreamResponse<unknown>): Json & { readonly id: string } {
    if (isResource(body)) return body
    throw unexpected('something other than a resource', status)
  }

  async function write(
    operation: PricedOperation,
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: Json | undefined,
    request: SubgraphRequest,
  ): Promise<UpstreamResponse<unknown>> {
    return upstream.send<unknown>(
      {
        operation,
        method,
        path,
        safe: false,
        units: price(operation),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      request,
    )
  }

  return {
    async videosById(ids, parts, request) {
      const path = `${base}/videos?part=${partParameter(parts)}&id=${ids.join(',')}${compact}`
      const response = await list('videos.list', path, request)
      const items = itemsOf(objectOf(response), response.status)
      return new Map(items.map((item) => [item.id, item]))
    },

    async videoPage(filter, parts, { token, size }, request) {
      const selected = Object.entries(filter)
        .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
        .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
        .join('')
      const at = token === undefined ? '' : `&pageToken=${encodeURIComponent(token)}`
      const path = `${base}/videos?part=${partParameter(parts)}${selected}&maxResults=${size}${at}${compact}`
      const response = await list('videos.list', path, request)
      const json = objectOf(response)
      const info = isRecord(json.pageInfo) ? json.pageInfo : {}
      return {
        items: itemsOf(json, response.status),
        next: textOf(json.nextPageToken),
        previous: textOf(json.prevPageToken),
        total: typeof info.totalResults === 'number' ? info.totalResults : null,
      }
    },

    async threadPage({ by, id, order, searchTerms, withReplies }, { token, size }, request) {
      const parameters = [
        `part=${withReplies ? 'snippet,replies' : 'snippet'}`,
        `${by}=${encodeURIComponent(id)}`,
        `maxResults=${size}`,
        ...(order === 'time' ? [] : [`order=${order}`]),
        ...(searchTerms === undefined ? [] : [`searchTerms=${encodeURIComponent(searchTerms)}`]),
        ...(token === undefined ? [] : [`pageToken=${encodeURIComponent(token)}`]),
      ]
      const path = `${base}/commentThreads?${parameters.join('&')}${compact}`
      const response = await list('commentThreads.list', path, request)
      // What the service calls a total is only the size of this page.
      const json = objectOf(response)
      return { items: itemsOf(json, response.status), next: textOf(json.nextPageToken) }
    },

    async update(video, parts, request) {
      const path = `${base}/videos?part=${parts.join(',')}${compact}`
      return resourceOf(await write('videos.update', 'PUT', path, video, request))
    },

    async delete(videoId, request) {
      await write('videos.delete', 'DELETE', `${base}/videos?id=${videoId}`, undefined, request)
    },

    async insertThread(thread, request) {
      const path = `${base}/commentThreads?part=snippet${compact}`
      return resourceOf(await write('commentThreads.insert', 'POST', path, thread, request))
    },
  }
}
