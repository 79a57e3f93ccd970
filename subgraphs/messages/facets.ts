/**
 * The parts of a message that change independently for its subscribers: one for each requested field, and one for
 * what the service always sends. Whatever else it sends was requested by nobody, so it is in none of them.
 */
import { memoByObject } from '../../shared/runtime/memo.ts'
import { isObject, type Json, tableOf, textOf } from '../kit/json.ts'
import { alternativesOf } from './readers.ts'

/** The part of a response that concerns one message, in the form of a response. */
export interface RawMessage {
  readonly message: Json | null
  readonly includes: Readonly<Record<string, readonly Json[]>>
  readonly errors: readonly Json[]
}

type Facet = readonly [name: string, read: (raw: RawMessage) => unknown]
type Objects = (raw: RawMessage) => readonly unknown[]

/** What the service sends of each included object without a request. */
const defaults = tableOf<readonly string[]>({
  users: ['id', 'name', 'username'],
  media: ['media_key', 'type'],
  polls: ['id', 'options'],
  places: ['id', 'full_name'],
})

/** The parameters and expansions for other objects than users. */
const kinds = tableOf<string>({
  'media.fields': 'media',
  'poll.fields': 'polls',
  'place.fields': 'places',
  'attachments.media_keys': 'media',
  'attachments.poll_ids': 'polls',
  'geo.place_id': 'places',
})

const kindOf = (name: string): string => kinds[name] ?? 'users'

/** Where a message names the users of an expansion. Objects of the other kinds have one expansion each. */
const usersIn = tableOf<readonly string[]>({
  'entities.mentions.username': ['entities'],
  'entities.note.mentions.username': alternativesOf('note_tweet'),
})

const always: Facet = [
  'message',
  ({ message, errors }) =>
    message === null ? errors : [message.text, errors.filter((error) => placeOf(error) === undefined)],
]

/** Other subscribers may have requested other expansions, so each expansion has the requested fields of its own users. */
function facetsFor(requested: readonly string[]): readonly Facet[] {
  const entries = requested.map((entry) => [entry, ...entry.split(' ')] as [string, string, string])
  const expansions = entries.flatMap(([, parameter, name]) => (parameter === 'expansions' ? [name] : []))
  const facets = entries.flatMap(([entry, parameter, name]): readonly Facet[] => {
    if (parameter === 'tweet.fields') return [facetOf(entry, name, [name], ({ message }) => [message])]
    if (parameter === 'expansions')
      return [facetOf(entry, name, defaults[kindOf(name)] ?? [], included(name))]
    return expansions
      .filter((expansion) => kindOf(expansion) === kindOf(parameter))
      .map((expansion) => facetOf(`${expansion} ${name}`, name, [name], included(expansion)))
  })
  return [always, ...facets]
}

const facetsForAll = memoByObject(facetsFor)

/** The names of the facets for requested fields. Each subscriber of an operation holds them. */
export const facetNames = memoByObject((requested: readonly string[]): readonly string[] =>
  facetsFor(requested).map(([name]) => name),
)

/** A poll reads the facets of many messages for the same `requested`. */
export function facetsOf(raw: RawMessage, requested: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(facetsForAll(requested).map(([name, read]) => [name, read(raw)]))
}

/** What objects have under these keys, and the errors about what was requested. */
function facetOf(name: string, requested: string, keys: readonly string[], objectsOf: Objects): Facet {
  const spellings = ['id', 'media_key', ...keys.flatMap(alternativesOf)]
  const places = alternativesOf(requested)
  return [
    name,
    (raw) => [
      objectsOf(raw).map((object) => partOf(object, spellings)),
      raw.errors.filter((error) => places.some((place) => placeOf(error)?.endsWith(place))),
    ],
  ]
}

/** The objects that an expansion includes. */
function included(expansion: string): Objects {
  const kind = kindOf(expansion)
  if (kind !== 'users') return ({ includes }) => includes[kind] ?? []
  const keys = usersIn[expansion] ?? [expansion]
  return ({ message, includes: { users = [] } }) => {
    const named = new Set<unknown>()
    collectTexts(partOf(message, keys), named)
    return users.filter(({ id, username }) => named.has(id) || named.has(username))
  }
}

function partOf(json: unknown, keys: readonly string[]): unknown[] {
  return keys.map((key) => (isObject(json) ? json[key] : undefined))
}

/** What an error is about in the message or the request; undefined if it does not say. */
function placeOf(error: Json): string | undefined {
  return textOf(error.field) ?? textOf(error.parameter)
}

/** Collects every string in a JSON value. The parser has bounded its depth. */
export function collectTexts(value: unknown, texts: Set<unknown>): void {
  if (typeof value === 'string') texts.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) collectTexts(inner, texts)
}
