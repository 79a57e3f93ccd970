/**
 * The parts of a message that change independently for its subscribers: one for each requested field, and one for
 * what the service always sends. Whatever else it sends was requested by nobody, so it is in none of them.
 */
import { isObject, type Json, tableOf } from '../kit/json.ts'
import { alternativesOf } from './readers.ts'

/** The part of a response that concerns one message, in the form of a response. */
export interface RawMessage {
  readonly message: Json | null
  readonly includes: Readonly<Record<string, readonly Json[]>>
  readonly errors: readonly Json[]
}

const always = 'message'

/** What the service sends of each included object without a request. */
const defaults = tableOf<readonly string[]>({
  users: ['id', 'name', 'username'],
  media: ['media_key', 'type'],
  polls: ['id', 'options'],
  places: ['id', 'full_name'],
})

const includedBy = tableOf<string>({
  'user.fields': 'users',
  'media.fields': 'media',
  'poll.fields': 'polls',
  'place.fields': 'places',
  'attachments.media_keys': 'media',
  'attachments.poll_ids': 'polls',
  'geo.place_id': 'places',
})

function partOf(json: unknown, keys: readonly string[]): unknown[] {
  return keys.map((key) => (isObject(json) ? json[key] : undefined))
}

function facetOf({ message, includes, errors }: RawMessage, entry: string): unknown {
  const [parameter = '', name = ''] = entry.split(' ')
  const refusals = errors.filter((error) => String(error.field ?? error.parameter).endsWith(name))
  if (parameter === 'tweet.fields') return [partOf(message, alternativesOf(name)), refusals]
  const kind = includedBy[parameter] ?? includedBy[name] ?? 'users'
  const keys =
    parameter === 'expansions' ? (defaults[kind] ?? []) : ['id', 'media_key', ...alternativesOf(name)]
  return [(includes[kind] ?? []).map((object) => partOf(object, keys)), refusals]
}

/** The names of the facets for requested fields. */
export function facetNames(requested: readonly string[]): readonly string[] {
  return [always, ...requested]
}

export function facetsOf(raw: RawMessage, requested: readonly string[]): Readonly<Record<string, unknown>> {
  const { message, errors } = raw
  return {
    [always]: message === null ? errors : message.text,
    ...Object.fromEntries(requested.map((entry) => [entry, facetOf(raw, entry)])),
  }
}
