/** The service's resources as JSON: videos part by part, threads and comments. */
import { hash } from 'node:crypto'
import type { SerializedJson } from '../serialized-json.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { Json, Service, Thread, Video } from './model.ts'

export const partNames = [
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
  'paidProductPlacementDetails',
] as const

/** The parts that only the owner of a video may read. */
export const ownerParts: ReadonlySet<string> = new Set(['fileDetails', 'processingDetails', 'suggestions'])

export function etagOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 27)
}

/** Whether each result of the processing can be read already. */
export function availabilityOf(state: 'available' | 'inProgress'): Json {
  return {
    fileDetailsAvailability: state,
    processingIssuesAvailability: state,
    tagSuggestionsAvailability: state,
    editorSuggestionsAvailability: state,
    thumbnailsAvailability: state,
  }
}

/** How long the processing of an upload takes, in milliseconds. */
const processingMs = 3000

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
      ...availabilityOf('inProgress'),
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
  { namespace, now }: Pick<Service, 'namespace' | 'now'>,
): Json {
  const all = { ...video.parts, ...processedParts(video, now()) }
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
  return { kind: `${namespace}#video`, etag: etagOf([video.id, shown]), id: video.id, ...shown }
}

interface Comment extends Pick<Thread, 'id' | 'text' | 'author' | 'likes' | 'publishedAt'> {
  readonly parentId?: string
}

function commentResource(
  { id, text, author, likes, publishedAt, parentId }: Comment,
  { channelId, videoId }: Thread,
  html: boolean,
  namespace: string,
): Json {
  const snippet: Json = {
    authorDisplayName: author.name,
    authorProfileImageUrl: `https://pictures.example/${author.name}.jpg`,
    authorChannelUrl: `https://people.example/${author.name}`,
    authorChannelId: author.channelId === undefined ? undefined : { value: author.channelId },
    channelId,
    videoId,
    textDisplay: html ? text.replaceAll('&', '&amp;').replaceAll('\n', '<br>') : text,
    textOriginal: text,
    parentId,
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

export function repliesOf(thread: Thread, html: boolean, namespace: string): Json[] {
  const common = { likes: 0, publishedAt: thread.publishedAt, parentId: thread.id }
  return thread.replies.map(({ id, text, author: name }) =>
    commentResource({ ...common, id, text, author: { name, channelId: undefined } }, thread, html, namespace),
  )
}

export function threadResource(
  thread: Thread,
  parts: readonly string[],
  html: boolean,
  namespace: string,
): Json {
  const { id, channelId, videoId, replies } = thread
  const shown: Json = {}
  if (parts.includes('snippet')) {
    shown.snippet = {
      channelId,
      videoId,
      topLevelComment: commentResource(thread, thread, html, namespace),
      canReply: true,
      totalReplyCount: replies.length,
      isPublic: true,
    }
  }
  if (parts.includes('replies') && replies.length > 0) {
    shown.replies = { comments: repliesOf(thread, html, namespace).slice(0, containedReplies) }
  }
  return { kind: `${namespace}#commentThread`, etag: etagOf([id, shown]), id, ...shown }
}

/** The resource, or status 304 if the caller has it already. */
export function resourceAnswer(
  request: StandInRequest,
  etag: unknown,
  body: Json | SerializedJson,
): StandInAnswer {
  const quoted = `"${String(etag)}"`
  const headers = { etag: quoted }
  return request.headers['if-none-match'] === quoted
    ? { status: 304, headers }
    : { status: 200, headers, body }
}
