/** The service's resources as JSON: videos part by part, threads and comments. */
import { hash } from 'node:crypto'
import type { Printed } from '../printed.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { Json, Thread, Video } from './model.ts'

export interface Rendering {
  readonly namespace: string
  readonly now: number
}

export function etagOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 27)
}

/** How long the processing of an upload takes, in milliseconds. */
export const processingMs = 3000

/** The parts of an uploaded video that change while it is processed. */
function processedParts(video: Video, now: number): Record<string, Json> {
  if (video.uploadedAt === undefined) return {}
  const age = now - video.uploadedAt
  if (age >= processingMs) {
    return {
      status: { ...video.parts.status, uploadStatus: 'processed' },
      processingDetails: { ...video.parts.processingDetails, processingStatus: 'succeeded' },
    }
  }
  const done = Math.max(0, Math.floor((age / processingMs) * 100))
  return {
    status: { ...video.parts.status, uploadStatus: 'uploaded' },
    processingDetails: {
      processingStatus: 'processing',
      processingProgress: {
        partsTotal: '100',
        partsProcessed: String(done),
        timeLeftMs: String(Math.max(0, processingMs - age)),
      },
      fileDetailsAvailability: 'inProgress',
      processingIssuesAvailability: 'inProgress',
      tagSuggestionsAvailability: 'inProgress',
      editorSuggestionsAvailability: 'inProgress',
      thumbnailsAvailability: 'inProgress',
    },
  }
}

export interface VideoView {
  readonly hl?: string | undefined
  readonly maxHeight?: number | undefined
  readonly maxWidth?: number | undefined
}

export function videoResource(
  video: Video,
  parts: readonly string[],
  view: VideoView,
  rendering: Rendering,
): Json {
  const all = { ...video.parts, ...processedParts(video, rendering.now) }
  const shown: Json = {}
  for (const part of parts) if (part !== 'id' && all[part] !== undefined) shown[part] = all[part]
  const { hl, maxHeight, maxWidth } = view
  const localization = hl === undefined ? undefined : (all.localizations?.[hl] as Json | undefined)
  if (shown.snippet !== undefined && localization !== undefined) {
    shown.snippet = { ...(shown.snippet as Json), localized: localization }
  }
  if (shown.player !== undefined && (maxHeight !== undefined || maxWidth !== undefined)) {
    const width = Math.min(maxWidth ?? 8192, Math.floor(((maxHeight ?? 8192) * 16) / 9))
    shown.player = {
      ...(shown.player as Json),
      embedWidth: String(width),
      embedHeight: String(Math.floor((width * 9) / 16)),
    }
  }
  return {
    kind: `${rendering.namespace}#video`,
    etag: etagOf([video.id, shown]),
    id: video.id,
    ...shown,
  }
}

function commentResource(
  comment: {
    readonly id: string
    readonly text: string
    readonly author: { readonly name: string; readonly channelId: string | undefined }
    readonly likes: number
    readonly publishedAt: string
    readonly parentId?: string
  },
  thread: Thread,
  html: boolean,
  { namespace }: Rendering,
): Json {
  const { id, text, author, likes, publishedAt, parentId } = comment
  const snippet: Json = {
    authorDisplayName: author.name,
    authorProfileImageUrl: `https://pictures.example/${author.name}.jpg`,
    authorChannelUrl: `https://people.example/${author.name}`,
    ...(author.channelId === undefined ? {} : { authorChannelId: { value: author.channelId } }),
    channelId: thread.channelId,
    ...(thread.videoId === undefined ? {} : { videoId: thread.videoId }),
    textDisplay: html ? text.replaceAll('&', '&amp;').replaceAll('\n', '<br>') : text,
    textOriginal: text,
    ...(parentId === undefined ? {} : { parentId }),
    canRate: true,
    viewerRating: 'none',
    likeCount: likes,
    publishedAt,
    updatedAt: publishedAt,
  }
  return { kind: `${namespace}#comment`, etag: etagOf([id, snippet]), id, snippet }
}

/** How many replies a thread contains. Further ones have an operation of their own. */
const containedReplies = 5

export function repliesOf(thread: Thread, html: boolean, rendering: Rendering): Json[] {
  return thread.replies.map(({ id, text, author }) =>
    commentResource(
      {
        id,
        text,
        author: { name: author, channelId: undefined },
        likes: 0,
        publishedAt: thread.publishedAt,
        parentId: thread.id,
      },
      thread,
      html,
      rendering,
    ),
  )
}

export function threadResource(
  thread: Thread,
  parts: readonly string[],
  html: boolean,
  rendering: Rendering,
): Json {
  const shown: Json = {}
  if (parts.includes('snippet')) {
    shown.snippet = {
      channelId: thread.channelId,
      ...(thread.videoId === undefined ? {} : { videoId: thread.videoId }),
      topLevelComment: commentResource(thread, thread, html, rendering),
      canReply: true,
      totalReplyCount: thread.replies.length,
      isPublic: true,
    }
  }
  if (parts.includes('replies') && thread.replies.length > 0) {
    shown.replies = { comments: repliesOf(thread, html, rendering).slice(0, containedReplies) }
  }
  return {
    kind: `${rendering.namespace}#commentThread`,
    etag: etagOf([thread.id, shown]),
    id: thread.id,
    ...shown,
  }
}

/** The resource, or status 304 if the caller has it already. */
export function resourceAnswer(request: StandInRequest, etag: unknown, body: Json | Printed): StandInAnswer {
  const quoted = `"${String(etag)}"`
  const headers = { etag: quoted }
  return request.headers['if-none-match'] === quoted
    ? { status: 304, headers }
    : { status: 200, headers, body }
}
