/**
 * What a selection requests of the service. Fields, and above all expansions, cost money or quota, so only selected
 * ones are requested. A request uses one of the service's two vocabularies, never both.
 *
 * Requested fields are kept in the older vocabulary and translated when the request is written.
 */

import { memoByObject } from '../../shared/runtime/memo.ts'
import { tableOf } from '../kit/json.ts'
import type { Selection } from '../kit/selection.ts'
import { spellingsOf } from './readers.ts'

/** The service's two vocabularies. Responses are understood in both. */
export type Vocabulary = 'tweet' | 'post'

const parameters = [
  'tweet.fields',
  'expansions',
  'user.fields',
  'media.fields',
  'poll.fields',
  'place.fields',
] as const
type Parameter = (typeof parameters)[number]

/** Entries of the form `<parameter> <value>`, such as `tweet.fields author_id`. */
export type RequestedFields = ReadonlySet<string>

/**
 * The types whose fields are requested, by which parameter, and the fields that need no request: the service always
 * sends them, or they are not in its object.
 */
const requestable = {
  Message: { parameter: 'tweet.fields', free: new Set(['id', 'messageId', 'text', 'likingUsers']) },
  MessageUser: { parameter: 'user.fields', free: new Set(['id', 'userId', 'name', 'username']) },
  MessageMedia: { parameter: 'media.fields', free: new Set(['mediaKey', 'type']) },
  MessagePoll: { parameter: 'poll.fields', free: new Set(['pollId', 'options']) },
  MessagePlace: { parameter: 'place.fields', free: new Set(['placeId', 'fullName']) },
} as const satisfies Readonly<Record<string, { parameter: Parameter; free: ReadonlySet<string> }>>

/** Fields that are part of another field of the service. All others are requested by their own spelling. */
const partOf = tableOf({
  'Message.author': 'author_id',
  'Message.inReplyToUser': 'in_reply_to_user_id',
  'Message.followersOnly': 'scopes',
  'MessageUser.pinnedMessage': 'pinned_tweet_id',
  'MessageUser.subscribesToYou': 'subscription',
  'MessageMedia.viewCount': 'public_metrics',
})

const userIds: ReadonlySet<string> = new Set(['id', 'userId'])

export function isUserIdsOnly(selection: Selection): boolean {
  return !selection.hasBeside(userIds)
}

function add(requested: Set<string>, type: keyof typeof requestable, { names }: Selection): void {
  const { parameter, free } = requestable[type]
  for (const name of names) {
    if (name === '__typename' || free.has(name)) continue
    const [spelling] = spellingsOf(type, name)
    requested.add(`${parameter} ${partOf[`${type}.${name}`] ?? spelling}`)
  }
}

function addUser(requested: Set<string>, expansion: string, user: Selection): void {
  if (isUserIdsOnly(user)) return
  requested.add(`expansions ${expansion}`)
  add(requested, 'MessageUser', user)
}

function addMentions(requested: Set<string>, expansion: string, entities: Selection): void {
  addUser(requested, expansion, entities.below('mentions').below('user'))
}

export const requestedOfMessage = memoByObject((selection: Selection): RequestedFields => {
  const requested = new Set<string>()
  add(requested, 'Message', selection)
  addUser(requested, 'author_id', selection.below('author'))
  addUser(requested, 'in_reply_to_user_id', selection.below('inReplyToUser'))
  addMentions(requested, 'entities.mentions.username', selection.below('entities'))
  addMentions(requested, 'entities.note.mentions.username', selection.below('note').below('entities'))
  const attachments = selection.below('attachments')
  if (attachments.has('media')) {
    requested.add('expansions attachments.media_keys')
    add(requested, 'MessageMedia', attachments.below('media'))
  }
  if (attachments.has('polls')) {
    requested.add('expansions attachments.poll_ids')
    add(requested, 'MessagePoll', attachments.below('polls'))
  }
  const geo = selection.below('geo')
  if (geo.has('place')) {
    requested.add('expansions geo.place_id')
    add(requested, 'MessagePlace', geo.below('place'))
  }
  return requested
})

export function requestedOfUser(selection: Selection): RequestedFields {
  const requested = new Set<string>()
  add(requested, 'MessageUser', selection)
  return requested
}

/** Whether the response to a request for `fetched` contains all of `requested`. */
export function covers(fetched: RequestedFields, requested: RequestedFields): boolean {
  if (fetched === requested) return true
  for (const entry of requested) if (!fetched.has(entry)) return false
  return true
}

export function unite(some: RequestedFields, others: RequestedFields): RequestedFields {
  return some === others ? some : new Set([...some, ...others])
}

/**
 * The newer vocabulary. It has other words, and offers some fields only as expansions. Version ids come without a
 * request.
 */
const newer = tableOf({
  'tweet.fields author_id': 'expansions author_id',
  'tweet.fields in_reply_to_user_id': 'expansions in_reply_to_user_id',
  'tweet.fields referenced_tweets': 'expansions referenced_posts',
  'tweet.fields edit_history_tweet_ids': '',
  'tweet.fields note_tweet': 'post.fields note_post',
  'user.fields pinned_tweet_id': 'user.fields pinned_post_id',
  'user.fields most_recent_tweet_id': 'user.fields most_recent_post_id',
})

function translate(entry: string, vocabulary: Vocabulary): string {
  if (vocabulary === 'tweet') return entry
  return newer[entry] ?? entry.replace(/^tweet\.fields/, 'post.fields')
}

/** The query parameters for these fields: `[name, values]`, both in a fixed order. */
export function parametersOf(requested: RequestedFields, vocabulary: Vocabulary): [string, string[]][] {
  const byParameter = new Map<string, Set<string>>()
  for (const entry of requested) {
    const [parameter, value] = translate(entry, vocabulary).split(' ')
    if (parameter === undefined || value === undefined) continue
    byParameter.set(parameter, (byParameter.get(parameter) ?? new Set()).add(value))
  }
  const names = parameters.map((name) => translate(name, vocabulary))
  return names.flatMap((name) => {
    const values = byParameter.get(name)
    return values === undefined ? [] : [[name, [...values].sort()] satisfies [string, string[]]]
  })
}
