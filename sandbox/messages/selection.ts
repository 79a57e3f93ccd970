/**
 * The fields and expansions that a request selects, read strictly and in one of the two vocabularies, and the
 * objects and `includes` of its response.
 */
import type { StandInRequest } from '../stand-in.ts'
import { type Fault, fieldNotAuthorized, notAuthorized, notFound, type Problem } from './errors.ts'
import {
  defaultFields,
  otherFields,
  privateFields,
  project,
  storedName,
  type Vocabulary,
  vocabularies,
} from './fields.ts'
import type { Json, Message, SampleData, User } from './model.ts'
import { sampleMessages } from './sample-ids.ts'

export interface Selection {
  readonly vocabulary: Vocabulary
  readonly message: ReadonlySet<string>
  readonly user: ReadonlySet<string>
  readonly media: ReadonlySet<string>
  readonly poll: ReadonlySet<string>
  readonly place: ReadonlySet<string>
  /** The name that the request used, by the name in the older vocabulary. */
  readonly expansions: ReadonlyMap<string, string>
}

const fieldParameters = ['tweet.fields', 'post.fields', 'user.fields', ...Object.keys(otherFields)]
const olderExpansions = new Map([
  ['referenced_posts', 'referenced_tweets.id'],
  ['edit_history_post_ids', 'edit_history_tweet_ids'],
  ['affiliation', 'affiliation.user_id'],
  ['most_recent_post_id', 'most_recent_tweet_id'],
  ['pinned_post_id', 'pinned_tweet_id'],
])
/** The field that an expansion adds to the selection. */
const expandedFields = new Map([
  ['attachments.media_keys', 'attachments'],
  ['attachments.poll_ids', 'attachments'],
  ['attachments.media_source_tweet', 'attachments'],
  ['entities.mentions.username', 'entities'],
  ['entities.note.mentions.username', 'note_tweet'],
  ['geo.place_id', 'geo'],
  ['referenced_tweets.id', 'referenced_tweets'],
  ['referenced_tweets.id.author_id', 'referenced_tweets'],
  ['referenced_tweets.id.attachments.media_keys', 'referenced_tweets'],
  ['affiliation.user_id', 'affiliation'],
])

/** `root` is the kind of resource that the endpoint returns. It decides what can be expanded. */
export function selectionFrom(
  { query, list }: StandInRequest,
  root: 'message' | 'user',
  ownParameters: readonly string[],
): { readonly selection: Selection; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const allowed = [...ownParameters, 'expansions', ...fieldParameters]
  for (const name of new Set(query.keys())) {
    if (allowed.includes(name)) continue
    faults.push({
      parameters: { [name]: query.getAll(name) },
      message: `The query parameter [${name}] is not one of [${allowed.join(',')}]`,
    })
  }
  if (query.has('tweet.fields') && query.has('post.fields')) {
    faults.push({
      parameters: {
        'post.fields': query.getAll('post.fields'),
        'tweet.fields': query.getAll('tweet.fields'),
      },
      message: 'The query parameters [post.fields,tweet.fields] cannot be used together',
    })
  }
  const expansions = list('expansions')
  const vocabulary: Vocabulary =
    query.has('post.fields') ||
    (!query.has('tweet.fields') && expansions.some((name) => olderExpansions.has(name)))
      ? 'post'
      : 'tweet'
  const known = vocabularies[vocabulary]

  const read = (name: string, allowedValues: ReadonlySet<string>, dropped?: ReadonlySet<string>): string[] =>
    list(name).filter((value) => {
      if (allowedValues.has(value)) return true
      if (dropped?.has(value)) return false
      faults.push({
        parameters: { [name]: [query.getAll(name).join(',')] },
        message: `The \`${name}\` query parameter value [${value}] is not one of [${[...allowedValues].sort().join(',')}]`,
      })
      return false
    })
  const expanded = read(
    'expansions',
    root === 'message' ? known.messageExpansions : known.userExpansions,
  ).map((name): [string, string] => [olderExpansions.get(name) ?? name, name])
  const messageFields = read(
    vocabulary === 'post' ? 'post.fields' : 'tweet.fields',
    known.messageFields,
    known.dropped,
  )
  const userFields = read('user.fields', known.userFields, known.dropped)
  const brought = expanded.map(([older]) => expandedFields.get(older) ?? older)
  const selection: Selection = {
    vocabulary,
    message: new Set([
      ...defaultFields.message,
      ...messageFields.map(storedName),
      ...(root === 'message' ? brought : []),
    ]),
    user: new Set([
      ...defaultFields.user,
      ...userFields.map(storedName),
      ...(root === 'user' ? brought : []),
    ]),
    media: new Set([...defaultFields.media, ...read('media.fields', otherFields['media.fields'])]),
    poll: new Set([...defaultFields.poll, ...read('poll.fields', otherFields['poll.fields'])]),
    place: new Set([...defaultFields.place, ...read('place.fields', otherFields['place.fields'])]),
    expansions: new Map(expanded),
  }
  return { selection, faults }
}

export interface Reader {
  messageOf(id: string): Message | undefined
  userOf(id: string): User | undefined
  /** Whether the caller may see the message. */
  isVisible(message: Message): boolean
}

/** Makes the objects of one response, and collects those to which they refer. */
export class Rendering {
  readonly problems: Problem[] = []
  readonly #selection: Selection
  readonly #reader: Reader
  readonly #included = {
    users: new Map<string, Json>(),
    tweets: new Map<string, Json>(),
    media: new Map<string, Json>(),
    polls: new Map<string, Json>(),
    places: new Map<string, Json>(),
  }
  readonly #refused = new Set<string>()
  readonly #byExpansion: Record<string, (message: Message, parameter: string) => void>

  constructor(selection: Selection, data: SampleData, reader: Reader) {
    this.#selection = selection
    this.#reader = reader
    const included = this.#included
    const include = (kind: 'media' | 'polls' | 'places', ids: unknown, fields: ReadonlySet<string>) => {
      for (const id of texts(ids)) {
        const found = data[kind].get(id)
        if (found !== undefined) included[kind].set(id, this.#project(found, fields))
      }
    }
    const includeMedia = (message: Message): void =>
      include('media', attachmentsOf(message).media_keys, selection.media)
    const includeMessages = (ids: unknown, parameter: string): Message[] =>
      texts(ids).flatMap((id) => this.#includeMessage(id, parameter) ?? [])
    const includeReferenced = ({ referenced_tweets: references }: Message, parameter: string): Message[] => {
      const ids = (references as { id: string }[] | undefined)?.map(({ id }) => id)
      return includeMessages(ids, parameter)
    }
    this.#byExpansion = {
      author_id: (message, parameter) => this.#includeUser(message.author_id, parameter),
      in_reply_to_user_id: ({ in_reply_to_user_id: id }, parameter) => {
        if (typeof id === 'string') this.#includeUser(id, parameter)
      },
      'referenced_tweets.id': includeReferenced,
      'referenced_tweets.id.author_id': (message, parameter) => {
        for (const { author_id } of includeReferenced(message, parameter))
          this.#includeUser(author_id, parameter)
      },
      'referenced_tweets.id.attachments.media_keys': (message, parameter) =>
        includeReferenced(message, parameter).forEach(includeMedia),
      edit_history_tweet_ids: (message, parameter) =>
        includeMessages(message.edit_history_tweet_ids, parameter),
      'attachments.media_keys': includeMedia,
      'attachments.poll_ids': (message) => include('polls', attachmentsOf(message).poll_ids, selection.poll),
      'attachments.media_source_tweet': (message, parameter) =>
        includeMessages(attachmentsOf(message).media_source_tweet_id, parameter),
      'entities.mentions.username': (message, parameter) => this.#mentioned(message.entities, parameter),
      'entities.note.mentions.username': (message, parameter) =>
        this.#mentioned((message.note_tweet as Json | undefined)?.entities, parameter),
      'geo.place_id': (message) =>
        include('places', [(message.geo as Json | undefined)?.place_id], selection.place),
    }
  }

  message(message: Message): Json {
    for (const [older, parameter] of this.#selection.expansions)
      this.#byExpansion[older]?.(message, parameter)
    return this.#printMessage(message)
  }

  user(user: User): Json {
    for (const [older, parameter] of this.#selection.expansions) {
      const value = user[older]
      if (older === 'affiliation.user_id') {
        const { user_id: ids } = (user.affiliation ?? {}) as Json
        for (const id of texts(ids)) this.#includeUser(id, parameter)
      } else if (typeof value === 'string') this.#includeMessage(value, parameter)
    }
    return this.#project(user, this.#selection.user)
  }

  /** The body of the response, without empty members. */
  body(data: readonly Json[] | Json | undefined, meta?: Json): Json {
    const { tweets, ...others } = this.#included
    const kinds = { ...others, [this.#selection.vocabulary === 'post' ? 'posts' : 'tweets']: tweets }
    const includes = Object.entries(kinds).filter(([, objects]) => objects.size > 0)
    const printed = includes.map(([kind, objects]) => [kind, [...objects.values()]])
    return {
      data: Array.isArray(data) && data.length === 0 ? undefined : data,
      includes: printed.length === 0 ? undefined : Object.fromEntries(printed),
      errors: this.problems.length === 0 ? undefined : this.problems,
      meta,
    }
  }

  #project(object: Json, fields: Iterable<string>): Json {
    return project(object, fields, this.#selection.vocabulary)
  }

  #printMessage(message: Message): Json {
    const fields = [...this.#selection.message].filter((field) => {
      if (!privateFields.has(field) || message.author_id === sampleMessages.demoUser) return true
      this.problems.push(fieldNotAuthorized(message.id, field))
      return false
    })
    return this.#project(message, fields)
  }

  #includeUser(id: string, parameter: string): void {
    const user = this.#reader.userOf(id)
    if (user === undefined) this.#refuse(id, parameter, 'user', false)
    else this.#included.users.set(id, this.#project(user, this.#selection.user))
  }

  #includeMessage(id: string, parameter: string): Message | undefined {
    const message = this.#reader.messageOf(id)
    if (message !== undefined && this.#reader.isVisible(message)) {
      if (!this.#included.tweets.has(id)) this.#included.tweets.set(id, this.#printMessage(message))
      return message
    }
    this.#refuse(id, parameter, 'tweet', message !== undefined)
    return undefined
  }

  #refuse(id: string, parameter: string, resource: 'tweet' | 'user', exists: boolean): void {
    const key = `${parameter} ${id}`
    if (this.#refused.has(key)) return
    this.#refused.add(key)
    this.problems.push((exists ? notAuthorized : notFound)({ id, parameter, resource }))
  }

  #mentioned(entities: unknown, parameter: string): void {
    const mentions = (entities as { mentions?: { id?: string }[] } | undefined)?.mentions ?? []
    for (const { id } of mentions) if (id !== undefined) this.#includeUser(id, parameter)
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function attachmentsOf(message: Message): Json {
  return (message.attachments ?? {}) as Json
}
