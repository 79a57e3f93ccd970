/**
 * What a selection requests of the service. Fields, and above all expansions, cost money or quota, so only selected
 * ones are requested. A request uses one of the service's two vocabularies, never both.
 *
 * Requested fields are kept in the older vocabulary and translated when the request is written.
 */

import { memoByObject } from '../../shared/runtime/memo.ts'
import { tableOf } from '../kit/json.ts'
import type { Selection } from '../kit/selection.ts'

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

type Table = Readonly<Record<string, readonly string[] | undefined>>

const messageFields = tableOf<readonly string[]>({
  createdAt: ['created_at'],
  author: ['author_id'],
  authorId: ['author_id'],
  conversationId: ['conversation_id'],
  inReplyToUser: ['in_reply_to_user_id'],
  inReplyToUserId: ['in_reply_to_user_id'],
  communityId: ['community_id'],
  lang: ['lang'],
  source: ['source'],
  possiblySensitive: ['possibly_sensitive'],
  paidPartnership: ['paid_partnership'],
  replySettings: ['reply_settings'],
  displayTextRange: ['display_text_range'],
  editControls: ['edit_controls'],
  editHistoryMessageIds: ['edit_history_tweet_ids'],
  referencedMessages: ['referenced_tweets'],
  attachments: ['attachments'],
  entities: ['entities'],
  geo: ['geo'],
  publicMetrics: ['public_metrics'],
  nonPublicMetrics: ['non_public_metrics'],
  organicMetrics: ['organic_metrics'],
  promotedMetrics: ['promoted_metrics'],
  contextAnnotations: ['context_annotations'],
  note: ['note_tweet'],
  withheld: ['withheld'],
  followersOnly: ['scopes'],
  article: ['article'],
  cardUri: ['card_uri'],
})

/** The service always sends `name` and `username`. */
const userFields = tableOf<readonly string[]>({
  createdAt: ['created_at'],
  description: ['description'],
  entities: ['entities'],
  location: ['location'],
  url: ['url'],
  profileImageUrl: ['profile_image_url'],
  profileBannerUrl: ['profile_banner_url'],
  protected: ['protected'],
  verified: ['verified'],
  verifiedType: ['verified_type'],
  verifiedFollowersCount: ['verified_followers_count'],
  isIdentityVerified: ['is_identity_verified'],
  parody: ['parody'],
  subscriptionType: ['subscription_type'],
  subscribesToYou: ['subscription'],
  publicMetrics: ['public_metrics'],
  pinnedMessageId: ['pinned_tweet_id'],
  pinnedMessage: ['pinned_tweet_id'],
  mostRecentMessageId: ['most_recent_tweet_id'],
  affiliation: ['affiliation'],
  connectionStatus: ['connection_status'],
  receivesYourDm: ['receives_your_dm'],
  withheld: ['withheld'],
})

/** The service always sends `media_key` and `type`. */
const mediaFields = tableOf<readonly string[]>({
  url: ['url'],
  previewImageUrl: ['preview_image_url'],
  variants: ['variants'],
  width: ['width'],
  height: ['height'],
  durationMs: ['duration_ms'],
  altText: ['alt_text'],
  viewCount: ['public_metrics'],
})

/** The service always sends `id` and `options`. */
const pollFields = tableOf<readonly string[]>({
  durationMinutes: ['duration_minutes'],
  endDatetime: ['end_datetime'],
  votingStatus: ['voting_status'],
})

/** The service always sends `id` and `full_name`. */
const placeFields = tableOf<readonly string[]>({
  name: ['name'],
  country: ['country'],
  countryCode: ['country_code'],
  placeType: ['place_type'],
  containedWithin: ['contained_within'],
  geo: ['geo'],
})

const userIds: ReadonlySet<string> = new Set(['id', 'userId'])

/** Whether only ids of a user are selected. */
export function isUserIdsOnly(selection: Selection): boolean {
  return !selection.hasBeside(userIds)
}

function add(requested: Set<string>, parameter: Parameter, fields: Table, selection: Selection): void {
  for (const name of selection.names)
    for (const field of fields[name] ?? []) requested.add(`${parameter} ${field}`)
}

function addUser(requested: Set<string>, expansion: string, user: Selection): void {
  if (isUserIdsOnly(user)) return
  requested.add(`expansions ${expansion}`)
  add(requested, 'user.fields', userFields, user)
}

function addMentions(requested: Set<string>, expansion: string, entities: Selection): void {
  addUser(requested, expansion, entities.below('mentions').below('user'))
}

export const requestedOfMessage = memoByObject((selection: Selection): RequestedFields => {
  const requested = new Set<string>()
  add(requested, 'tweet.fields', messageFields, selection)
  addUser(requested, 'author_id', selection.below('author'))
  addUser(requested, 'in_reply_to_user_id', selection.below('inReplyToUser'))
  addMentions(requested, 'entities.mentions.username', selection.below('entities'))
  addMentions(requested, 'entities.note.mentions.username', selection.below('note').below('entities'))
  const attachments = selection.below('attachments')
  if (attachments.has('media')) {
    requested.add('expansions attachments.media_keys')
    add(requested, 'media.fields', mediaFields, attachments.below('media'))
  }
  if (attachments.has('polls')) {
    requested.add('expansions attachments.poll_ids')
    add(requested, 'poll.fields', pollFields, attachments.below('polls'))
  }
  const geo = selection.below('geo')
  if (geo.has('place')) {
    requested.add('expansions geo.place_id')
    add(requested, 'place.fields', placeFields, geo.below('place'))
  }
  return requested
})

export function requestedOfUser(selection: Selection): RequestedFields {
  const requested = new Set<string>()
  add(requested, 'user.fields', userFields, selection)
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
