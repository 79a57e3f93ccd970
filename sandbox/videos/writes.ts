/** Updates of videos: the service replaces each named part as a whole. */

import { refuse } from './errors.ts'
import type { Json, Video } from './model.ts'
import { availabilityOf } from './resources.ts'

/** The fields of each part that an owner may set. */
const writable: Readonly<Record<string, readonly string[]>> = {
  snippet: ['title', 'description', 'tags', 'categoryId', 'defaultLanguage', 'defaultAudioLanguage'],
  status: [
    'privacyStatus',
    'publishAt',
    'license',
    'embeddable',
    'publicStatsViewable',
    'selfDeclaredMadeForKids',
    'containsSyntheticMedia',
  ],
  recordingDetails: ['recordingDate', 'location', 'locationDescription'],
  paidProductPlacementDetails: ['hasPaidProductPlacement'],
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function checkSnippet(snippet: Json): void {
  const { title, description, tags, categoryId } = snippet
  if (typeof title !== 'string' || title === '' || [...title].length > 100 || /[<>]/.test(title)) {
    refuse(400, 'invalidTitle', 'The request metadata specifies an invalid or empty video title.', {
      domain: 'video',
      location: 'body.snippet.title',
    })
  }
  if (typeof categoryId !== 'string' || !/^\d{1,3}$/.test(categoryId)) {
    refuse(400, 'invalidCategoryId', 'The snippet.categoryId property specifies an invalid category ID.', {
      domain: 'video',
      location: 'body.snippet.categoryId',
    })
  }
  const isDescription = typeof description === 'string' && !/[<>]/.test(description)
  if (description !== undefined && !(isDescription && Buffer.byteLength(description) <= 5000)) {
    refuse(400, 'invalidDescription', 'The request metadata specifies an invalid video description.', {
      domain: 'video',
    })
  }
  if (tags !== undefined) {
    const list = Array.isArray(tags) ? tags.map(String) : []
    const length = list.reduce(
      (sum, tag) => sum + [...tag].length + (tag.includes(' ') ? 2 : 0),
      list.length - 1,
    )
    if (!Array.isArray(tags) || length > 500) {
      refuse(400, 'invalidTags', 'The request metadata specifies invalid video keywords.', {
        domain: 'video',
      })
    }
  }
}

function checkStatus(status: Json, before: Json | undefined): void {
  const { privacyStatus, publishAt } = status
  if (privacyStatus !== undefined && !['public', 'unlisted', 'private'].includes(String(privacyStatus))) {
    refuse(400, 'invalidVideoMetadata', 'The request metadata is invalid.', { domain: 'video' })
  }
  if (publishAt === undefined) return
  if (
    typeof publishAt !== 'string' ||
    Number.isNaN(Date.parse(publishAt)) ||
    privacyStatus !== 'private' ||
    before?.publishedBefore === true
  ) {
    refuse(400, 'invalidPublishAt', 'The request metadata specifies an invalid scheduled publishing time.', {
      domain: 'video',
    })
  }
}

/** Checks the resource in a body, which may have only the named parts. */
export function readResource(body: unknown, parts: readonly string[]): Json {
  if (!isRecord(body)) refuse(400, 'parseError', 'This API does not support parsing form-encoded input.')
  for (const key of Object.keys(body)) {
    if (key === 'id' || key === 'kind' || key === 'etag' || parts.includes(key)) continue
    refuse(400, 'unexpectedPart', key, { domain: 'part', location: 'part' })
  }
  return body
}

/** The parts of a video, with the named ones replaced by those of a body. */
export function writtenParts(
  body: Json,
  parts: readonly string[],
  before: Record<string, Json>,
): Record<string, Json> {
  const after: Record<string, Json> = { ...before }
  for (const part of parts) {
    const given = isRecord(body[part]) ? body[part] : undefined
    const names = writable[part]
    if (part === 'localizations') {
      if (given === undefined) continue
      const snippet = isRecord(body.snippet) ? body.snippet : before.snippet
      if (Object.keys(given).length > 0 && typeof snippet?.defaultLanguage !== 'string') {
        refuse(
          400,
          'defaultLanguageNotSet',
          'The request is trying to add localized video details without specifying the default language of the video details.',
          { domain: 'video' },
        )
      }
      after.localizations = given
      continue
    }
    if (names === undefined) continue
    const kept = Object.fromEntries(
      Object.entries(before[part] ?? {}).filter(([name]) => !names.includes(name)),
    )
    const set = Object.fromEntries(
      names.flatMap((name) =>
        given?.[name] === undefined || given[name] === null ? [] : [[name, given[name]]],
      ),
    )
    if (part === 'snippet') {
      if (given === undefined || given.title === undefined || given.categoryId === undefined) {
        refuse(400, 'invalidVideoMetadata', 'The request metadata is invalid.', {
          domain: 'video',
          location: 'body',
        })
      }
      checkSnippet(set)
      kept.localized = { title: set.title, description: set.description ?? '' }
    }
    if (part === 'status') {
      checkStatus(set, before.status)
      set.privacyStatus ??= 'public'
    }
    after[part] = { ...kept, ...set }
  }
  return after
}

export function newVideo(
  id: string,
  body: Json,
  parts: readonly string[],
  owner: { readonly channelId: string; readonly channelTitle: string },
  now: number,
): Video {
  const snippet = isRecord(body.snippet) ? body.snippet : undefined
  const described = { ...body, snippet: { categoryId: '22', ...(snippet ?? { title: 'unknown' }) } }
  const base: Record<string, Json> = {
    snippet: { publishedAt: new Date(now).toISOString(), ...owner, liveBroadcastContent: 'none' },
    contentDetails: {
      duration: 'P0D',
      dimension: '2d',
      definition: 'sd',
      caption: 'false',
      licensedContent: false,
      contentRating: {},
      projection: 'rectangular',
    },
    status: {
      uploadStatus: 'uploaded',
      privacyStatus: 'public',
      license: 'creativeCommon',
      embeddable: true,
      publicStatsViewable: true,
      madeForKids: false,
    },
    statistics: { viewCount: '0', likeCount: '0', dislikeCount: '0', favoriteCount: '0', commentCount: '0' },
    player: { embedHtml: `<iframe src="https://player.example/${id}"></iframe>` },
    recordingDetails: {},
    paidProductPlacementDetails: { hasPaidProductPlacement: false },
    processingDetails: { processingStatus: 'processing', ...availabilityOf('available') },
    suggestions: {
      processingErrors: [],
      processingWarnings: [],
      processingHints: [],
      tagSuggestions: [],
      editorSuggestions: [],
    },
  }
  const set = [...new Set(['snippet', ...parts])]
  return { id, owned: true, parts: writtenParts(described, set, base), uploadedAt: now }
}
