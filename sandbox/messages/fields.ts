/**
 * The two vocabularies of the message service: the fields and expansions of each, and the translation of objects
 * from the older one, which the sample data use, to the newer one.
 */
import type { Json } from './model.ts'

export type Vocabulary = 'tweet' | 'post'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const sharedMessageFields =
  'attachments card_uri community_id context_annotations conversation_id created_at display_text_range edit_controls entities geo id lang media_metadata non_public_metrics organic_metrics paid_partnership possibly_sensitive promoted_metrics public_metrics reply_settings scopes source suggested_source_links suggested_source_links_with_counts text withheld article article_title matched_media_notes note_request_suggestions'
const sharedUserFields =
  'affiliation confirmed_email connection_status created_at description entities id is_identity_verified location name parody profile_banner_url profile_image_url protected public_metrics receives_your_dm subscription subscription_type url username verified verified_followers_count verified_type withheld'

/** Expansions of the newer vocabulary, which are ignored as fields. */
const droppedFields = words('author_id in_reply_to_user_id referenced_posts edit_history_post_ids username')

export const vocabularies = {
  tweet: {
    messageFields: words(
      `${sharedMessageFields} author_id edit_history_tweet_ids in_reply_to_user_id note_tweet referenced_tweets`,
    ),
    userFields: words(`${sharedUserFields} most_recent_tweet_id pinned_tweet_id`),
    messageExpansions: words(
      'article.cover_media article.media_entities attachments.media_keys attachments.media_source_tweet attachments.poll_ids author_id edit_history_tweet_ids entities.mentions.username entities.note.mentions.username geo.place_id in_reply_to_user_id referenced_tweets.id referenced_tweets.id.attachments.media_keys referenced_tweets.id.author_id',
    ),
    userExpansions: words('affiliation.user_id most_recent_tweet_id pinned_tweet_id'),
    dropped: words(''),
  },
  post: {
    messageFields: words(`${sharedMessageFields} note_post`),
    userFields: words(sharedUserFields),
    messageExpansions: words(
      'article.cover_media article.media_entities attachments.media_keys attachments.media_source_tweet attachments.poll_ids author_id edit_history_post_ids entities.mentions.username entities.note.mentions.username geo.place_id in_reply_to_user_id referenced_posts',
    ),
    userExpansions: words('affiliation most_recent_post_id pinned_post_id'),
    dropped: droppedFields,
  },
} as const

export const otherFields = {
  'media.fields': words(
    'alt_text duration_ms height media_key non_public_metrics organic_metrics preview_image_url promoted_metrics public_metrics type url variants width',
  ),
  'poll.fields': words('duration_minutes end_datetime id options voting_status'),
  'place.fields': words('contained_within country country_code full_name geo id name place_type'),
} as const

export const defaultFields = {
  message: ['id', 'text', 'edit_history_tweet_ids'],
  user: ['id', 'name', 'username'],
  media: ['media_key', 'type'],
  poll: ['id', 'options'],
  place: ['id', 'full_name'],
} as const

/** Fields of recent messages that only the author may read. */
export const privateFields = words('non_public_metrics organic_metrics promoted_metrics')

const newNames = new Map([
  ['edit_history_tweet_ids', 'edit_history_post_ids'],
  ['referenced_tweets', 'referenced_posts'],
  ['note_tweet', 'note_post'],
  ['pinned_tweet_id', 'pinned_post_id'],
  ['most_recent_tweet_id', 'most_recent_post_id'],
  ['retweet_count', 'repost_count'],
  ['tweet_count', 'post_count'],
])
const oldNames = new Map([...newNames].map(([older, newer]) => [newer, older]))

/** The name of a field in the sample data. */
export function storedName(field: string): string {
  return oldNames.get(field) ?? field
}

/** These fields of an object, as far as it has them, in the vocabulary. */
export function project(object: Json, fields: Iterable<string>, vocabulary: Vocabulary): Json {
  const result: Record<string, unknown> = {}
  for (const field of fields) {
    const value = object[field]
    if (value === undefined) continue
    if (vocabulary === 'tweet') result[field] = value
    else result[newNames.get(field) ?? field] = inNewVocabulary(field, value)
  }
  return result
}

function inNewVocabulary(field: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
  if (field.endsWith('_metrics')) {
    return Object.fromEntries(entries.map(([name, count]) => [newNames.get(name) ?? name, count]))
  }
  if (field === 'withheld') {
    return Object.fromEntries(entries.map(([name, text]) => [name, text === 'tweet' ? 'post' : text]))
  }
  return value
}
