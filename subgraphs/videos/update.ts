/**
 * Changes to a video: which fields may be written, checks that save a call, and the patch that puts an input over
 * the current values. The service replaces whole parts, so a patch reads them first.
 */
import { badInput } from '../../shared/errors.ts'
import { isObject, type Json, objectOf } from '../kit/json.ts'
import { isDateTime } from '../kit/scalars.ts'
import { wrongArgument } from '../kit/wrong-argument.ts'
import type { NewUpload } from './client.ts'
import type { VideoModel } from './model.ts'
import type { PartName, WritablePart } from './parts.ts'
import type { InsertVideoInput, UpdateVideoInput, VideoLocalizationInput } from './types.generated.ts'
import { checkFile } from './upload/index.ts'

/**
 * The fields of each part that only the service sets. All other fields are sent back, even if the schema does not
 * know them.
 */
const readOnly: Readonly<Record<WritablePart, ReadonlySet<string>>> = {
  snippet: new Set([
    'publishedAt',
    'channelId',
    'channelTitle',
    'thumbnails',
    'liveBroadcastContent',
    'localized',
  ]),
  status: new Set(['uploadStatus', 'failureReason', 'rejectionReason', 'madeForKids']),
  recordingDetails: new Set(),
  paidProductPlacementDetails: new Set(),
  localizations: new Set(),
}

/** The paths that `clear` can name, which excludes fields that every video has. */
const clearable: readonly string[] = [
  'snippet.description',
  'snippet.tags',
  'snippet.defaultLanguage',
  'snippet.defaultAudioLanguage',
  'status.publishAt',
  'status.license',
  'status.embeddable',
  'status.publicStatsViewable',
  'status.selfDeclaredMadeForKids',
  'status.containsSyntheticMedia',
  'recordingDetails.recordingDate',
  'recordingDetails.location',
  'recordingDetails.locationDescription',
  'paidProductPlacementDetails.hasPaidProductPlacement',
  'localizations',
]

/** What an update writes: its parts, and the input in the service's form. */
interface Change {
  readonly videoId: string
  readonly parts: readonly WritablePart[]
  readonly values: Readonly<Partial<Record<WritablePart, Json>>>
  readonly cleared: ReadonlySet<string>
}

function field(path: string, words: string): Error {
  return wrongArgument(`input.${path}`, words)
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

/** Commas between keywords count, and a keyword with a space counts as if it were in quotes. */
function lengthOfTags(tags: readonly string[]): number {
  const words = tags.reduce((sum, tag) => sum + [...tag].length + (tag.includes(' ') ? 2 : 0), 0)
  return words + Math.max(0, tags.length - 1)
}

const privacies: ReadonlySet<string> = new Set(['public', 'unlisted', 'private'])

function checkSnippet(snippet: Json | null | undefined, path: string): void {
  if (!snippet) return
  if (typeof snippet.title === 'string') checkWords(`${path}.title`, snippet.title, { characters: 100 })
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

/** `whole` says that the part replaces the current one, so a missing field is unset. */
function checkStatus(status: Json | null | undefined, path: string, whole: boolean): void {
  if (!status) return
  const { privacyStatus, publishAt } = status
  if (typeof privacyStatus === 'string' && !privacies.has(privacyStatus)) {
    throw field(`${path}.privacyStatus`, `must be one of ${[...privacies].join(', ')}, not ${privacyStatus}.`)
  }
  if (publishAt === undefined || publishAt === null) return
  checkTime(publishAt, `${path}.publishAt`)
  if (privacyStatus !== 'private' && (whole || typeof privacyStatus === 'string')) {
    throw field(`${path}.publishAt`, 'is allowed only with `privacyStatus` private.')
  }
}

function checkTime(time: unknown, path: string): void {
  if (!isDateTime(time)) throw field(path, 'must be a time in RFC 3339 form, such as 2027-01-31T08:00:00Z.')
}

function checkRecordingDetails(details: Json | null | undefined): void {
  const { recordingDate, location } = details ?? {}
  if (recordingDate !== undefined && recordingDate !== null)
    checkTime(recordingDate, 'recordingDetails.recordingDate')
  if (!isObject(location)) return
  for (const [name, most] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const degrees = location[name]
    if (typeof degrees === 'number' && Math.abs(degrees) > most)
      throw field(
        `recordingDetails.location.${name}`,
        `must be from -${most} to ${most} degrees, not ${degrees}.`,
      )
  }
}

function localizationsFrom(entries: readonly VideoLocalizationInput[], path: string): Json {
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

/** Reads and checks the input for a new video, before a session is opened. */
export function newUploadFrom(input: InsertVideoInput): NewUpload {
  const { snippet, notifySubscribers, contentType } = input
  const contentLength = checkFile(contentType, input.contentLength)
  if (!snippet.title) throw field('snippet.title', 'is required.')
  checkStatus(input.status as Json | null | undefined, 'status', true)
  const metadata = partsGiven(input)
  if (Object.keys(metadata.localizations ?? {}).length > 0 && !snippet.defaultLanguage) {
    throw field('localizations', 'require `snippet.defaultLanguage`.')
  }
  return {
    metadata,
    parts: Object.keys(metadata),
    notifySubscribers: notifySubscribers ?? undefined,
    contentType,
    contentLength,
  }
}

/**
 * The parts that an input sets, without null fields, because typed clients of several languages send null for every
 * unset field. A part with no set field counts as not set.
 */
function partsGiven(input: Pick<UpdateVideoInput, WritablePart>): Partial<Record<WritablePart, Json>> {
  const { snippet, status, recordingDetails, paidProductPlacementDetails, localizations } = input
  checkSnippet(snippet as Json | null | undefined, 'snippet')
  checkRecordingDetails(recordingDetails as Json | null | undefined)
  const given = { snippet, status, recordingDetails, paidProductPlacementDetails }
  const parts: Partial<Record<WritablePart, Json>> = {}
  for (const [part, fields] of Object.entries(given)) {
    const set = withoutNulls({ ...fields })
    if (Object.keys(set).length > 0) parts[part as WritablePart] = set
  }
  // An empty list counts as set: it removes all localizations.
  if (localizations) parts.localizations = localizationsFrom(localizations, 'localizations')
  return parts
}

function clearedBy(
  clear: readonly string[],
  values: Partial<Record<WritablePart, Json>>,
): ReadonlySet<string> {
  const cleared = new Set(clear)
  for (const path of cleared) {
    if (!clearable.includes(path)) {
      const known = clearable.map((each) => `\`${each}\``).join(', ')
      throw field('clear', `cannot have ${JSON.stringify(path)}. What can be cleared is ${known}.`)
    }
    const [part, name] = pathOf(path)
    if (name === undefined ? values[part] !== undefined : values[part]?.[name] !== undefined)
      throw field('clear', `names \`${path}\`, which the input sets.`)
  }
  return cleared
}

/** The part, and the field in it; no field if the whole part is one map. */
function pathOf(path: string): readonly [WritablePart, string | undefined] {
  const [part, name] = path.split('.')
  return [part as WritablePart, name]
}

/** Reads and checks an input, before any call is made. */
export function changeFrom(input: UpdateVideoInput): Change {
  const { videoId } = input
  const replace = input.replace === true
  checkStatus(input.status as Json | null | undefined, 'status', replace)
  const values = partsGiven(input)
  const cleared = clearedBy(input.clear ?? [], values)
  if (replace && cleared.size > 0)
    throw field('clear', 'is not needed with `replace`, which clears whatever the named parts leave out.')
  const named = new Set(Object.keys(values) as WritablePart[])
  for (const path of cleared) named.add(pathOf(path)[0])
  const parts = [...named].sort()
  if (parts.length === 0) {
    throw badInput(
      '`input` names no part to change: give snippet, status, recordingDetails, paidProductPlacementDetails, localizations or clear.',
    )
  }
  const { snippet } = values
  if (replace && snippet) {
    if (!snippet.title)
      throw field('snippet.title', 'is required with `replace`, which writes the whole part.')
    if (!snippet.categoryId)
      throw field('snippet.categoryId', 'is required with `replace`, which writes the whole part.')
  }
  return { videoId, parts, values, cleared }
}

/** The parts to read before a patch: those to be written, and those that the service also needs. */
export function partsToRead({ parts }: Change): readonly PartName[] {
  return parts.includes('localizations') && !parts.includes('snippet') ? [...parts, 'snippet'] : parts
}

/** The resource to send for `replace`. */
export function replacementOf({ videoId, values }: Change): VideoModel {
  return { id: videoId, ...values }
}

/** The current part without the fields that only the service sets, with the input over it. */
function laidOver(part: WritablePart, { values, cleared }: Change, current: Json): Json {
  const before = objectOf(current[part])
  const kept = Object.entries(before).filter(
    ([name, value]) => value !== null && !readOnly[part].has(name) && !cleared.has(`${part}.${name}`),
  )
  return Object.fromEntries([...kept, ...Object.entries(values[part] ?? {})])
}

/** The resource to send for a patch of `current`. */
export function patchOf(change: Change, current: Json): VideoModel {
  const { videoId, parts, values } = change
  const resource: Record<string, Json | string> & { readonly id: string } = { id: videoId }
  // Localizations are one map, which the input replaces as a whole.
  for (const part of parts)
    resource[part] = part === 'localizations' ? (values[part] ?? {}) : laidOver(part, change, current)
  const { defaultLanguage } = objectOf(resource.snippet ?? current.snippet)
  if (Object.keys(values.localizations ?? {}).length > 0 && typeof defaultLanguage !== 'string') {
    throw field('localizations', 'require `snippet.defaultLanguage`, which the video does not have yet.')
  }
  const { status } = resource
  if (isObject(status) && typeof status.publishAt === 'string' && status.privacyStatus !== 'private') {
    if (typeof values.status?.publishAt === 'string') {
      throw field(
        'status.publishAt',
        'is allowed only with `privacyStatus` private, which the video does not have.',
      )
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
