/**
 * The service's JSON as the graph reads it. If both agree, the JSON is the model and nothing is converted. Only the
 * differences are here, and the forms of ids.
 */

import { isObject, type Json, objectOf, textOf } from '../kit/json.ts'
import type { Connection, Edge, StreamedConnection } from '../kit/pagination/index.ts'

/** A video resource, or the parts of it that were requested. `id` is the service's own id. */
export interface VideoModel extends Json {
  readonly id: string
}

export interface ChannelModel {
  readonly channelId: string
  readonly title?: string | undefined
}

export interface CommentModel extends Json {
  readonly id: string
}

export interface ThreadModel extends Json {
  readonly id: string
}

/** What the service returned of a changed video, and which parts that has. */
export interface UpdatedModel {
  readonly videoId: string
  readonly written: VideoModel
  readonly parts: number
}

export type VideoConnectionModel = Connection<VideoModel> | StreamedConnection<VideoModel>
export type VideoEdgeModel = Edge<VideoModel>
export type ThreadConnectionModel = Connection<ThreadModel> | StreamedConnection<ThreadModel>
export type CommentConnectionModel = Connection<CommentModel> | StreamedConnection<CommentModel>
export type CommentEdgeModel = Edge<CommentModel>
export type ThreadEdgeModel = Edge<ThreadModel>

export interface ThreadAddedModel {
  readonly commentThreadEdge: ThreadEdgeModel
  readonly gap: boolean
  readonly after: string
}

export function isResource(value: unknown): value is Json & { readonly id: string } {
  return isObject(value) && typeof value.id === 'string'
}

export function snippetOf(resource: Json): Json {
  return objectOf(resource.snippet)
}

/** The comment that began the thread, as far as the service sent it. */
export function firstCommentOf(thread: ThreadModel): Json {
  const { topLevelComment } = snippetOf(thread)
  return isResource(topLevelComment) ? snippetOf(topLevelComment) : {}
}

/** When the thread began, in milliseconds since 1970; NaN if the service did not send it. */
export function beganAt(thread: ThreadModel | undefined): number {
  return Date.parse((thread && textOf(firstCommentOf(thread).publishedAt)) ?? '')
}

/**
 * Whether the threads of a page by time begin with the oldest. The contract does not say in which direction time goes.
 * False if the page does not tell.
 */
export function isOldestFirst(threads: readonly ThreadModel[]): boolean {
  return beganAt(threads[0]) < beganAt(threads.at(-1))
}

/**
 * A map with free keys as a list, in the map's order, or only the entry of `key` if one is given. A value that is
 * no map, and an entry without members, are left for the executor to refuse at their place.
 */
export function entriesOf(
  map: unknown,
  key: string | null | undefined,
): readonly ((Json & { readonly key: string }) | null)[] | null {
  if (map === undefined || map === null) return null
  if (!isObject(map)) return map as never
  const entries = Object.entries(map).filter(([name]) => key === undefined || key === null || key === name)
  return entries.map(([name, value]) => (isObject(value) ? { ...value, key: name } : null))
}

/** Whether the service accepts this id. One malformed id fails a whole call. */
export function isServiceId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id)
}

export function channelFrom(channelId: unknown, title?: unknown): ChannelModel | null {
  return typeof channelId === 'string' && channelId !== ''
    ? { channelId, title: typeof title === 'string' ? title : undefined }
    : null
}

export function repliesOf(thread: ThreadModel): CommentModel[] {
  const { comments } = objectOf(thread.replies)
  return Array.isArray(comments) ? comments.filter(isResource) : []
}
