/**
 * Changes to a video: what may be written, the checks that spare a call, and the patch that lays an input
 * over what is there. The service replaces whole parts, so a patch reads them first.
 */
import { badInput } from '../../contract/errors.ts'
import { isObject, type Json } from './model.ts'
import type { PartName, WritablePart } from './parts.ts'
import type { InsertVideoInput, UpdateVideoInput, VideoLocalizationInput } from './types.generated.ts'
import { checkFile, type NewUpload } from './upload/index.ts'

/** The fields of each part that the service lets an owner set; all others it only returns. */
const writable = {
  snippet: ['title', 'description', 'tags', 'categoryId', 'defaultLanguage'],
  status: [
    'privacyStatus',
    'publishAt',
    'license',
    'embeddable',
    'publicStatsViewable',
    'selfDeclaredMadeForKids',
  ],
  recordingDetails: ['recordingDate'],
} as const

/** What an update writes: its parts, and the input in the service's form. */
export interface Change {
  readonly videoId: string
  readonly parts: readonly WritablePart[]
  readonly values: Readonly<Partial<Record<WritablePart, Json>>>
}

function field(path: string, message: string): Error {
  return badInput(`\`input.${path}\` ${message}`, { argument: `input.${path}` })
}

function checkWords(path: string, text: string, maximum: { characters?: number; bytes?: number }): void {
  if (/[<>]/.test(text)) throw field(path, 'must not contain < or >.')
  const { characters, bytes } = maximum
  if (characters !== undefined && (text.trim() === '' || [...text].length > characters)) {
    throw field(
      path,
      `must have 1 to ${characters} characters that are not all blank; it has ${[...text].length}.`,
    )
  }
  if (bytes !== undefined && Buffer.byteLength(text) > bytes) {
    throw field(path, `must have at most ${bytes} bytes in UTF-8, not ${Buffer.byteLength(text)}.`)
  }
}

/** Commas between keywords count, and a keyword with a space counts as if it were quoted. */
function lengthOfTags(tags: readonly string[]): number {
  const words = tags.reduce((sum, tag) => sum + [...tag].length + (tag.includes(' ') ? 2 : 0), 0)
  return words + Math.max(0, tags.length - 1)
}

const privacies: ReadonlySet<string> = new Set(['public', 'unlisted', 'private'])

/** Checks the words of a title, a description and keywords, wherever they are written. */
export function checkSnippet(snippet: Json | null | undefined, path: string): void {
  if (!snippet) return
  if (typeof snippet.title === 'string') checkWords(`${path}.title`, snippet.title, { characters: 100 })
  if (snippet.title === null) throw field(`${path}.title`, 'cannot be cleared: a video has a title.')
  if (typeof snippet.description === 'string')
    checkWords(`${path}.description`, snippet.description, { bytes: 5000 })
  if (Array.isArray(snippet.tags) && (snippet.tags as string[]).some((tag) => /[<>]/.test(tag))) {
    throw field(`${path}.tags`, 'must not contain < or >.')
  }
  if (Array.isArray(snippet.tags) && lengthOfTags(snippet.tags as string[]) > 500) {
    throw field(
      `${path}.tags`,
      `must have at most 500 characters in all, not ${lengthOfTags(snippet.tags as string[])}.`,
    )
  }
}

/** `whole` says that the part is written as it is, so that what it leaves out is not set. */
export function checkStatus(status: Json | null | undefined, path: string, whole: boolean): void {
  if (!status) return
  const { privacyStatus, publishAt } = status
  if (typeof privacyStatus === 'string' && !privacies.has(privacyStatus)) {
    throw field(`${path}.privacyStatus`, `must be one of ${[...privacies].join(', ')}, not ${privacyStatus}.`)
  }
  if (typeof publishAt !== 'string') return
  if (Number.isNaN(Date.parse(publishAt))) {
    throw field(`${path}.publishAt`, 'must be a moment in RFC 3339 form, such as 2027-01-31T08:00:00Z.')
  }
  if (privacyStatus !== 'private' && (whole || typeof privacyStatus === 'string')) {
    throw field(`${path}.publishAt`, 'goes only with `privacyStatus` private.')
  }
}

function checkRecordingDetails(details: Json | null | undefined): void {
  const date = details?.recordingDate
  if (typeof date !== 'string' || !Number.isNaN(Date.parse(date))) return
  throw field(
    'recordingDetails.recordingDate',
    'must be a moment in RFC 3339 form, such as 2026-01-31T08:00:00Z.',
  )
}

export function localizationsFrom(entries: readonly VideoLocalizationInput[], path: string): Json {
  const map: Record<string, Json> = Object.create(null)
  entries.forEach(({ key, title, description }, index) => {
    const at = `${path}[${index}]`
    if (!/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/.test(key))
      throw field(`${at}.key`, 'must be a language, such as de.')
    if (Object.hasOwn(map, key)) throw field(`${at}.key`, `names ${key} a second time.`)
    checkWords(`${at}.title`, title, { characters: 100 })
    if (typeof description === 'string') checkWords(`${at}.description`, description, { bytes: 5000 })
    map[key] = { title, description: description ?? '' }
  })
  return map
}

/** Reads and checks the input for a new video; no session is opened for one that the service cannot take. */
export function newUploadFrom(input: InsertVideoInput): NewUpload {
  const { snippet, status, recordingDetails, localizations, notifySubscribers, contentType } = input
  const contentLength = checkFile(contentType, input.contentLength)
  if (!snippet.title) throw field('snippet.title', 'is needed: a video has a title.')
  checkSnippet(snippet as Json, 'snippet')
  checkStatus(status as Json | null | undefined, 'status', true)
  checkRecordingDetails(recordingDetails as Json | null | undefined)
  if (localizations && localizations.length > 0 && !snippet.defaultLanguage) {
    throw field('localizations', 'need `snippet.defaultLanguage`.')
  }
  const metadata = withoutNulls({
    snippet: { ...snippet },
    ...(status ? { status: { ...status } } : {}),
    ...(recordingDetails ? { recordingDetails: { ...recordingDetails } } : {}),
    ...(localizations ? { localizations: localizationsFrom(localizations, 'localizations') } : {}),
  })
  return {
    metadata,
    parts: Object.keys(metadata),
    notifySubscribers: notifySubscribers ?? undefined,
    contentType,
    contentLength,
  }
}

/** Reads and checks an input; no call is made for one that the service cannot take. */
export function changeFrom(input: UpdateVideoInput): Change {
  const { videoId, snippet, status, recordingDetails, localizations } = input
  checkSnippet(snippet as Json | null | undefined, 'snippet')
  checkStatus(status as Json | null | undefined, 'status', input.replace === true)
  checkRecordingDetails(recordingDetails as Json | null | undefined)
  const values: Partial<Record<WritablePart, Json>> = {}
  if (snippet) values.snippet = { ...snippet }
  if (status) values.status = { ...status }
  if (recordingDetails) values.recordingDetails = { ...recordingDetails }
  if (localizations) values.localizations = localizationsFrom(localizations, 'localizations')
  const parts = (Object.keys(values) as WritablePart[]).sort()
  if (parts.length === 0) {
    throw badInput(
      '`input` names no part to change: give snippet, status, recordingDetails or localizations.',
    )
  }
  if (input.replace === true && snippet) {
    if (!snippet.title) throw field('snippet.title', 'is needed with `replace`: the whole part is written.')
    if (!snippet.categoryId)
      throw field('snippet.categoryId', 'is needed with `replace`: the whole part is written.')
  }
  return { videoId, parts, values }
}

/** Parts to be read before a patch: what is written, and what the service needs beside it. */
export function partsToRead({ parts }: Change): readonly PartName[] {
  return parts.includes('localizations') && !parts.includes('snippet') ? [...parts, 'snippet'] : parts
}

/** The resource to send as it is, for `replace`. */
export function replacementOf({ videoId, values }: Change): Json {
  return withoutNulls({ id: videoId, ...values })
}

/** The resource to send for a patch of `current`: its writable fields under the input's. */
export function patchOf({ videoId, parts, values }: Change, current: Json): Json {
  const resource: Record<string, Json | string> = { id: videoId }
  for (const part of parts) {
    const value = values[part] ?? {}
    if (part === 'localizations') {
      resource.localizations = value
      continue
    }
    const before = isObject(current[part]) ? current[part] : {}
    const merged: Record<string, unknown> = {}
    for (const name of writable[part]) {
      const next = Object.hasOwn(value, name) && value[name] !== undefined ? value[name] : before[name]
      if (next !== undefined && next !== null) merged[name] = next
    }
    resource[part] = merged
  }
  const { snippet } = resource
  const language = isObject(snippet)
    ? snippet.defaultLanguage
    : isObject(current.snippet)
      ? current.snippet.defaultLanguage
      : undefined
  if (parts.includes('localizations') && language === undefined) {
    throw field('localizations', 'need `snippet.defaultLanguage`: the video has none yet.')
  }
  const { status } = resource
  if (isObject(status) && typeof status.publishAt === 'string' && status.privacyStatus !== 'private') {
    if (typeof values.status?.publishAt === 'string') {
      throw field('status.publishAt', 'goes only with `privacyStatus` private, which the video has not.')
    }
    const { publishAt: _, ...rest } = status
    resource.status = rest
  }
  return resource
}

function withoutNulls(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (inner === null || inner === undefined) return []
      return [[key, isObject(inner) ? withoutNulls(inner) : inner]]
    }),
  )
}
